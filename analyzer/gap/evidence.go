package gap

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// leastNamed is the share of the time from which on a cause of the verdict is named.
const leastNamed = 0.05

// causes are those of the verdict that are worth naming: view A, and the evidence for the factors. What is left of the
// time is under smaller ones, or under none.
func causes(p *profile.Profile) []profile.Reason {
	all := []profile.Reason{}
	for _, c := range p.Verdict.Causes {
		if c.Share >= leastNamed {
			all = append(all, c)
		}
	}
	return all
}

// behind are the causes under which the time of a factor falls in a recording. The read side has none of its own: what
// waits for a drive is one cause for reads and writes.
var behind = map[string][]string{
	"Q": {cause.DeviceLatency},
	"B": {cause.SmallCalls, cause.DeviceLatency, cause.OwnCPU},
	"P": {cause.DeviceLatency},
	"C": {cause.PageCache, cause.Readahead, cause.MappedReads, cause.MemoryPressure, cause.CacheDropped, cause.DirtyLimit},
	"A": {cause.Names, cause.Settling},
	"M": {cause.Names},
	"D": {cause.Sync},
	"T": {cause.ThinkTime, cause.OwnCPU, cause.OtherEnd, cause.OutsideOfCalls},
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

// Recorded are the causes behind a factor that took a part of the recorded time, the greatest first. A factor may share
// one with others: which of them it was an experiment tells.
func (r *Report) Recorded(f *Factor) []profile.Reason {
	return slices.DeleteFunc(slices.Clone(r.Causes), func(c profile.Reason) bool {
		return !slices.Contains(f.Causes, c.Code)
	})
}
