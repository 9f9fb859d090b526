package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// A workload worked on names, not on data, where calls on names took most of the time. They took so many times as long
// as those that move data, which moved less than so many bytes. What a program reads as it starts is as little.
const (
	timesOfData = 10
	littleData  = 1 << 20
)

// byName is what a workload did to names, attributes and allocation, if that was its work: the two calls that took most
// time; "" if it moved data.
func byName(p *profile.Profile) string {
	var onNames, onData, most int64
	for i := range p.Calls {
		switch c := &p.Calls[i]; {
		case c.Op.Metadata():
			onNames += c.TimeNS
			most = max(most, c.TimeNS)
		case c.Op.MovesData():
			onData += c.TimeNS
		}
	}
	read, written := p.ByCalls()
	little := onNames > timesOfData*onData && 2*onNames > total(p) && read+written < littleData
	copied := slices.ContainsFunc(p.Copies, func(c profile.Copy) bool { return !c.Method.Names() })
	if !little || copied || !p.Trace.Sees(string(trace.LimitPartial)) {
		return ""
	}
	var calls []profile.Call
	for _, c := range p.Calls {
		if c.Op.Metadata() && c.TimeNS*timesOfData >= most {
			calls = append(calls, c)
		}
	}
	sorting.Stably(calls, func(a, b profile.Call) int { return cmp.Compare(b.TimeNS, a.TimeNS) })
	var parts []string
	for _, c := range calls[:min(len(calls), 2)] {
		parts = append(parts, wording.CallsOn(p, &c))
	}
	return strings.Join(parts, ", ")
}

// namesWorth are the calls on names that took most time, with where these lie, if they took as much of the time as a
// cause that is told behind the first one.
func namesWorth(p *profile.Profile) string {
	ns := timeOnNames(p)
	if ns == 0 || float64(ns) < leastNext*float64(total(p)) || !p.Trace.Sees(string(trace.LimitPartial)) {
		return ""
	}
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op.Metadata() {
			return wording.CallsOn(p, c)
		}
	}
	return ""
}

// timeOnNames is the time of calls on names, the longest of each kind left out, which may have waited for something
// else.
func timeOnNames(p *profile.Profile) (ns int64) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op.Metadata() {
			ns += c.TimeNS - c.Latency.Max
		}
	}
	return ns
}
