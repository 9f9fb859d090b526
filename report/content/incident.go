package content

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Incident is what a flight recorder has written the trace for, a sentence each: why, who waited for what, and what was
// different then. There are none of any other trace.
func Incident(p *profile.Profile) (lines []string) {
	add := func(text string) {
		if text != "" {
			lines = append(lines, visible.Shorten(visible.Text(text), Longest))
		}
	}
	add(Trigger(p))
	if p.Incident != nil {
		add(waited(p.Incident))
		add(different(p.Incident))
	}
	return lines
}

// partsOfIncident is how many of the parts of the operation are told in a sentence.
const partsOfIncident = 3

// waited says who waited for what.
func waited(x *profile.Incident) string {
	o := x.Operation
	if o == nil {
		return ""
	}
	text := fmt.Sprintf("Waited: %s %s, %s", o.Kind.Process, answer.Doing(&o.Kind), unit.Nanoseconds(o.ToNS-o.FromNS))
	var parts []string
	for i := range min(len(o.Parts), partsOfIncident) {
		part := &o.Parts[i]
		if i > 0 && part.Share < 0.01 {
			break
		}
		parts = append(parts, unit.Nanoseconds(part.NS)+" "+answer.InPlace(&part.Place))
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if x.Waiters > 0 {
		text += "; " + unit.Things(x.Waiters, "further thread") + " waited for the same"
	}
	return text + "."
}

// different says what devices had to do that they had not before, and whose it was.
func different(x *profile.Incident) string {
	if x.FromNS == 0 {
		return ""
	}
	now, before := &x.During, &x.Before
	text := fmt.Sprintf("Different: in the %s until then %s requests were in flight, %s before; %s of them a second, "+
		"%s before; each took %s, %s before", unit.Nanoseconds(x.ToNS-x.FromNS), unit.Number(now.Depth),
		unit.Number(before.Depth), unit.Number(now.Requests), unit.Number(before.Requests), latencyOf(now),
		latencyOf(before))
	var parts []string
	told := map[string]bool{}
	for i := range x.Differences {
		d := &x.Differences[i]
		if !told[d.Dimension] {
			told[d.Dimension] = true
			parts = append(parts, fmt.Sprintf("%s %s %s", d.Dimension, d.Value, unit.Share(d.Share)))
		}
	}
	if len(parts) > 0 {
		text += ". Of the increase: " + strings.Join(parts, ", ")
	}
	return text + "."
}

func latencyOf(l *profile.Load) string {
	if l.LatencyNS == 0 {
		return "no time"
	}
	return unit.Nanoseconds(l.LatencyNS)
}

// IncidentChain is the operation that waited for what met the condition, in the order of time.
func IncidentChain(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "incident", Title: "What it waited for",
		Note: "Its longest segments, in the order of time. * is not recorded itself."}
	if p.Incident == nil || p.Incident.Operation == nil {
		return t
	}
	rows := p.Incident.Operation.Chain
	return t.Fill(
		table.Numbers("from", "since the start of the recording", 0, table.Times, rows,
			func(x profile.PathSegment) float64 { return float64(x.FromNS) }),
		table.Numbers("took", "", 0, table.Times, rows,
			func(x profile.PathSegment) float64 { return float64(x.ToNS - x.FromNS) }),
		table.Words("who", "program, or thread of the kernel", 0, rows,
			func(x profile.PathSegment) string { return pathWho(&x.Place) }),
		table.Words("in", "call", 1, rows, func(x profile.PathSegment) string {
			if x.Place.Fault {
				return "page fault"
			}
			return visible.Text(x.Place.Call)
		}),
		table.Labels("does", rows, func(x profile.PathSegment) string { return pathDoes(&x.Place) }),
	)
}

// Differences are what had more requests in flight when the condition was met than before.
func Differences(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "differences", Title: "What was different"}
	if p.Incident == nil {
		return t
	}
	x := p.Incident
	t.Note = fmt.Sprintf("The %s from %s on beside all before. The share is that of the increase in requests in flight.",
		unit.Nanoseconds(x.ToNS-x.FromNS), unit.Nanoseconds(x.FromNS))
	type row = profile.Difference
	rows := x.Differences
	t.Fill(
		table.Numbers("", "share of the increase of requests in flight", 0, table.Shares, rows,
			func(d row) float64 { return d.Share }),
		table.Words("of", "what requests are divided by", 0, rows, func(d row) string { return d.Dimension }),
		table.Labels("", rows, func(d row) string { return visible.Text(d.Value) }),
		table.Numbers("depth", "requests in flight", 0, table.Plain, rows, func(d row) float64 { return d.During.Depth }),
		table.Numbers("before", "requests in flight", 0, table.Plain, rows, func(d row) float64 { return d.Before.Depth }),
	)
	t.Fill(table.Alike(table.Rates, rows,
		table.Of("moved", "", 1, func(d row) float64 { return float64(d.During.BytesPerS) }),
		table.Of("before", "", 1, func(d row) float64 { return float64(d.Before.BytesPerS) }))...)
	return t.Fill(table.Alike(table.Times, rows,
		table.Of("each", "mean time of a request", 2, func(d row) float64 { return float64(d.During.LatencyNS) }),
		table.Of("before", "mean time of a request", 2, func(d row) float64 { return float64(d.Before.LatencyNS) }))...)
}
