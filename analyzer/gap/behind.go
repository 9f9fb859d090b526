package gap

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
)

// behind are the causes under which the time of a factor falls in a recording. The read side has none of its own: what
// waits for a drive is one cause for reads and writes.
var behind = map[string][]string{
	"Q": {cause.DeviceLatency, cause.BlockingSubmit},
	"B": {cause.SmallCalls, cause.DeviceLatency, cause.PartialWrites, cause.OwnCPU},
	"P": {cause.DeviceLatency},
	"C": {cause.PageCache, cause.Readahead, cause.MappedReads, cause.MemoryPressure, cause.CacheDropped, cause.DirtyLimit},
	"A": {cause.Names, cause.Settling},
	"M": {cause.Names},
	"D": {cause.Sync},
	"T": {cause.ThinkTime, cause.ThreadLock, cause.OwnCPU, cause.OtherEnd, cause.UnderWay,
		cause.OutsideOfCalls},
	"Z": {cause.Compression},
}

// causesOf are those behind a factor.
func causesOf(id string) (codes []string) {
	codes = slices.Clone(behind[id])
	if id == "QC" {
		codes = append(slices.Clone(behind["C"]), behind["Q"]...)
	}
	return codes
}
