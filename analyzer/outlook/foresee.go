package outlook

import (
	"cmp"
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
// changes that can help against its first cause those that would save the most, if they save something at the far end of
// their interval, too.
func foresee(p *profile.Profile) {
	v := &p.Verdict
	help := slices.IndexFunc(v.Lines, func(s string) bool { return strings.HasPrefix(s, verdict.HelpBegins) })
	if help < 0 || len(v.Causes) == 0 {
		return
	}
	var told []profile.Prospect
	var other string
	for _, w := range p.WhatIf {
		took, r := until(p, &w)
		switch saves := float64(took-r.NS) >= worthChanging*float64(took); {
		case !slices.Contains(helps[v.Causes[0].Code], w.Code):
		case saves && r.High < took:
			told = append(told, w)
		case !saves && other == "":
			other = w.Name
		}
	}
	slices.SortStableFunc(told, func(a, b profile.Prospect) int {
		_, x := until(p, &a)
		_, y := until(p, &b)
		return cmp.Compare(x.NS, y.NS)
	})
	switch {
	case len(told) > 0:
		v.Lines = slices.Insert(v.Lines, help+1, inNumbers(p, told[:min(len(told), mostChanges)]))
	case other != "":
		v.Lines = slices.Insert(v.Lines, help+1, fmt.Sprintf(Begins+" %s would save less than %s.", other,
			wording.Share(worthChanging)))
	}
}

// until is the time that is told of a prospect, and what the workload took: until its data was safe, or until the
// command returned where nothing is made safe.
func until(p *profile.Profile, w *profile.Prospect) (took int64, r profile.Range) {
	if w.Code == whatif.NoSyncs {
		return p.WallNS, w.Wall
	}
	return p.TimeStack.TotalNS, w.Durable
}

// inNumbers says how long it would have taken, and what has to be so.
func inNumbers(p *profile.Profile, told []profile.Prospect) string {
	var list []string
	for _, w := range told {
		took, r := until(p, &w)
		s := fmt.Sprintf("%s (%s to %s), not %s, with %s", wording.Duration(r.NS), wording.Duration(r.Low),
			wording.Duration(r.High), wording.Duration(took), w.Name)
		if w.If != "" {
			s += ", " + w.If
		}
		list = append(list, s)
	}
	return fmt.Sprintf(Begins+" it would take %s.", strings.Join(list, "; or "))
}
