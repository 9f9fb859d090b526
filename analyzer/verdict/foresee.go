package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
)

// helps are the changes that can help against a cause, by their codes.
var helps = map[string][]string{
	DeviceBandwidth: {"drive"}, SlowingDown: {"drive"}, DirtyLimit: {"drive"}, Settling: {"drive"},
	DeviceLatency: {"latency", "depth", "readahead"}, Fragmentation: {"latency", "depth", "readahead"},
	Readahead: {"readahead", "latency"}, MappedReads: {"latency", "depth", "readahead"}, MemoryPressure: {"warm"},
	ProgramStart: {"warm", "latency"}, Sync: {"no_fsync", "latency"}, OwnCPU: {"cpu"}, PageCache: {"cpu"},
	SmallCalls: {"cpu"}, ThinkTime: {"no_think"},
}

// worthChanging is the share of the time that a change has to save to be told.
const worthChanging = 0.05

// mostChanges is how many changes are told.
const mostChanges = 2

// Foresee adds to a verdict what would help in numbers, behind the words: of the
// changes that can help against its first cause those that would save the most.
func Foresee(p *profile.Profile) {
	v := &p.Verdict
	help := slices.IndexFunc(v.Lines, func(s string) bool { return strings.HasPrefix(s, helpBegins) })
	if help < 0 || len(v.Causes) == 0 {
		return
	}
	took := p.TimeStack.TotalNS
	var told []profile.Prospect
	var other string
	for _, w := range p.WhatIf {
		switch {
		case !slices.Contains(helps[v.Causes[0].Code], w.Code):
		case w.Saves(took, worthChanging):
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
		v.Lines = slices.Insert(v.Lines, help+1, fmt.Sprintf("By simulation, %s would save less than %s.", other,
			wording.Share(worthChanging)))
	}
}

// inNumbers says how long it would have taken.
func inNumbers(took int64, told []profile.Prospect) string {
	var list []string
	for _, w := range told {
		list = append(list, fmt.Sprintf("%s (%s to %s) with %s", wording.Duration(w.Durable.NS),
			wording.Duration(w.Durable.Low), wording.Duration(w.Durable.High), w.Name))
	}
	return fmt.Sprintf("By simulation, it would take %s, not %s.", strings.Join(list, ", or "), wording.Duration(took))
}
