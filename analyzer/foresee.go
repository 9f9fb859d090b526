package analyzer

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/internal/sorting"
)

// helps are the changes that can help against a cause, by their codes: of those that were really made, and lay within
// the interval in 85 of 100 (docs/verification.md). A faster CPU was not, and programs without their pauses were
// not often enough.
var helps = map[string][]string{
	cause.DeviceBandwidth: {whatif.FasterDrive}, cause.SlowingDown: {whatif.FasterDrive},
	cause.DirtyLimit: {whatif.FasterDrive}, cause.Settling: {whatif.FasterDrive},
	cause.DeviceLatency: {whatif.HalfLatency, whatif.MoreDepth, whatif.MoreReadAhead},
	cause.Fragmentation: {whatif.HalfLatency, whatif.MoreDepth, whatif.MoreReadAhead},
	cause.MappedReads:   {whatif.HalfLatency, whatif.MoreDepth, whatif.MoreReadAhead},
	cause.Readahead:     {whatif.MoreReadAhead, whatif.HalfLatency}, cause.MemoryPressure: {whatif.AllWarm},
	cause.CacheDropped: {whatif.AllWarm},
	cause.ProgramStart: {whatif.AllWarm, whatif.HalfLatency}, cause.Sync: {whatif.NoSyncs, whatif.HalfLatency},
}

// worthChanging is the share of the time that a change has to save to be told.
const worthChanging = 0.05

// mostChanges is how many changes are told.
const mostChanges = 2

// foresee offers, of the changes that can help against the first cause of a verdict, those that would save the most, if
// they save something at the far end of their interval, too.
func foresee(p *profile.Profile) {
	v := &p.Verdict
	if len(v.Causes) == 0 {
		return
	}
	for _, w := range p.WhatIf {
		took, r := p.Until(&w)
		if slices.Contains(helps[v.Causes[0].Code], w.Code) && r.High < took &&
			float64(took-r.NS) >= worthChanging*float64(took) {
			v.Offered = append(v.Offered, w)
		}
	}
	sorting.Stably(v.Offered, func(a, b profile.Prospect) int {
		_, x := p.Until(&a)
		_, y := p.Until(&b)
		return cmp.Compare(x.NS, y.NS)
	})
	v.Offered = v.Offered[:min(len(v.Offered), mostChanges)]
}
