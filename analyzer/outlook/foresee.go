package outlook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/analyzer/wording"
)

// helps are the changes that can help against a cause, by their codes.
var helps = map[string][]string{
	verdict.DeviceBandwidth: {whatif.FasterDrive}, verdict.SlowingDown: {whatif.FasterDrive},
	verdict.DirtyLimit: {whatif.FasterDrive}, verdict.Settling: {whatif.FasterDrive},
	verdict.DeviceLatency: {whatif.HalfLatency, whatif.MoreDepth, whatif.MoreReadAhead},
	verdict.Fragmentation: {whatif.HalfLatency, whatif.MoreDepth, whatif.MoreReadAhead},
	verdict.MappedReads:   {whatif.HalfLatency, whatif.MoreDepth, whatif.MoreReadAhead},
	verdict.Readahead:     {whatif.MoreReadAhead, whatif.HalfLatency}, verdict.MemoryPressure: {whatif.AllWarm},
	verdict.ProgramStart: {whatif.AllWarm, whatif.HalfLatency}, verdict.Sync: {whatif.NoSyncs, whatif.HalfLatency},
	verdict.OwnCPU: {whatif.FasterCPU}, verdict.PageCache: {whatif.FasterCPU}, verdict.SmallCalls: {whatif.FasterCPU},
	verdict.ThinkTime: {whatif.NoPauses},
}

// Begins is how the lines begin that say what would help in numbers.
const Begins = "By simulation,"

// worthChanging is the share of the time that a change has to save to be told.
const worthChanging = 0.05

// mostChanges is how many changes are told.
const mostChanges = 2

// foresee adds to a verdict what would help in numbers, behind the words: of the
// changes that can help against its first cause those that would save the most.
func foresee(p *profile.Profile) {
	v := &p.Verdict
	help := slices.IndexFunc(v.Lines, func(s string) bool { return strings.HasPrefix(s, verdict.HelpBegins) })
	if help < 0 || len(v.Causes) == 0 {
		return
	}
	took := p.TimeStack.TotalNS
	var told []profile.Prospect
	var other string
	for _, w := range p.WhatIf {
		switch {
		case !slices.Contains(helps[v.Causes[0].Code], w.Code):
		case saves(&w, took):
			told = append(told, w)
		case other == "":
			other = w.Name
		}
	}
	slices.SortStableFunc(told, func(a, b profile.Prospect) int { return int(a.Durable.NS - b.Durable.NS) })
	switch {
	case len(told) > 0:
		v.Lines = slices.Insert(v.Lines, help+1, inNumbers(took, told[:min(len(told), mostChanges)]))
	case other != "":
		v.Lines = slices.Insert(v.Lines, help+1, fmt.Sprintf(Begins+" %s would save less than %s.", other,
			wording.Share(worthChanging)))
	}
}

// saves reports whether a workload that took a time would have taken less, by a share that is worth it.
func saves(w *profile.Prospect, took int64) bool {
	return float64(took-w.Durable.NS) >= worthChanging*float64(took)
}

// inNumbers says how long it would have taken.
func inNumbers(took int64, told []profile.Prospect) string {
	var list []string
	for _, w := range told {
		list = append(list, fmt.Sprintf("%s (%s to %s) with %s", wording.Duration(w.Durable.NS),
			wording.Duration(w.Durable.Low), wording.Duration(w.Durable.High), w.Name))
	}
	return fmt.Sprintf(Begins+" it would take %s, not %s.", strings.Join(list, ", or "), wording.Duration(took))
}
