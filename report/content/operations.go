package content

import (
	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Operations is what servers and others did that were recorded without a command, by kind.
func Operations(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "operations", Title: "Operations",
		Note: "Each from when it was asked to the answer, or, without one, until its thread waited to be asked again. " +
			"An aside is what threads do that never answer."}
	if p.Operations == nil {
		return t
	}
	if n := p.Operations.Omitted; n > 0 {
		t.Note += " " + unit.Things(n, "operation") + " could not be followed: too many at once."
	}
	rows := p.Operations.Kinds
	return t.Fill(
		table.Numbers("", "share of the time of all", 0, table.Shares, rows,
			func(x profile.OperationKind) float64 { return x.Share }),
		table.Numbers("time", "of all of the kind", 1, table.Times, rows,
			func(x profile.OperationKind) float64 { return float64(x.NS) }),
		table.Numbers("count", "", 0, table.Plain, rows, func(x profile.OperationKind) float64 { return float64(x.Count) }),
		table.Numbers("median", "", 0, table.Times, rows,
			func(x profile.OperationKind) float64 { return float64(x.MedianNS) }),
		table.Numbers("p99", "", 2, table.Times, rows, func(x profile.OperationKind) float64 { return float64(x.P99NS) }),
		table.Numbers("worst", "", 0, table.Times, rows, func(x profile.OperationKind) float64 { return float64(x.MaxNS) }),
		table.Words("who", "program", 0, rows, func(x profile.OperationKind) string { return visible.Text(x.Kind.Process) }),
		table.Words("did", "whether somebody was answered", 1, rows, func(x profile.OperationKind) string {
			switch {
			case x.Kind.Answers:
				return "answer"
			case x.Kind.Aside:
				return "aside"
			}
			return "work"
		}),
		table.Labels("most of it", rows,
			func(x profile.OperationKind) string { return visible.Text(answer.Doing(&x.Kind)) }),
	)
}

// LongestOperations are the operations that took longest, and what each consisted of.
func LongestOperations(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "longest-operations", Title: "Longest operations",
		Note: "Several at once are one row: what held one up held up all."}
	if p.Operations == nil {
		return t
	}
	type row struct {
		*profile.Operation
		*profile.PathPart
	}
	var rows []row
	for i := range p.Operations.Longest {
		o := &p.Operations.Longest[i]
		for j := range min(len(o.Parts), partsOfLongest) {
			rows = append(rows, row{o, &o.Parts[j]})
		}
	}
	return t.Fill(
		table.Numbers("from", "since the start of the recording", 0, table.Times, rows,
			func(x row) float64 { return float64(x.FromNS) }),
		table.Numbers("took", "", 0, table.Times, rows, func(x row) float64 { return float64(x.ToNS - x.FromNS) }),
		table.Numbers("at once", "", 2, table.Plain, rows, func(x row) float64 { return float64(x.Together) }),
		table.Numbers("time", "of this part", 0, table.Times, rows, func(x row) float64 { return float64(x.NS) }),
		table.Numbers("times", "how often", 1, table.Plain, rows, func(x row) float64 { return float64(x.Count) }),
		table.Words("who", "program, or thread of the kernel", 0, rows, func(x row) string { return pathWho(&x.Place) }),
		table.Words("in", "call", 1, rows, func(x row) string {
			if x.Place.Fault {
				return "page fault"
			}
			return visible.Text(x.Place.Call)
		}),
		table.Labels("does", rows, func(x row) string { return pathDoes(&x.Place) }),
	)
}

// partsOfLongest is how many parts are told of each.
const partsOfLongest = 3
