package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/report/table"
)

// Trial writes how long a workload took in each of several ways: the fastest
// first.
func Trial(w io.Writer, command string, recorded int64, tried *replay.Trial, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &text{o: o, ink: ink(o.Color)}
	t.wrap(t.ink.strong, "", fmt.Sprintf("%s took %s when it was recorded. Done in %s, each way %s in turn:",
		visible.Shorten(command, 36), unit.Nanoseconds(recorded), visible.Text(place(tried)),
		unit.Things(int64(tried.Rounds), "time")))
	t.b.WriteString("\n")
	trials(tried).Write(&t.b, t.ink.faint, o.Width, 0)
	t.b.WriteString("\n")
	t.wrap(t.ink.strong, "", conclusion(tried))
	if was := replay.Median(tried.Results[0].Wall); tried.ComparedBytes > 0 && 10*tried.PausedNS > was {
		t.wrap(nil, "! ", fmt.Sprintf("What you did computed or waited between its calls for %s of its %s; "+
			"the methods do not.", unit.Nanoseconds(tried.PausedNS), unit.Nanoseconds(was)))
	}
	if tried.ComparedBytes > 0 {
		t.wrap(nil, "", fmt.Sprintf("%s of copies were read afterwards: the same as their sources.",
			unit.Bytes(tried.ComparedBytes)))
	}
	for _, l := range tried.LeftOut {
		t.wrap(nil, "", fmt.Sprintf("Left out: %s (%s).", l.Name, l.Why))
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

func place(t *replay.Trial) string {
	if t.From == t.Dir {
		return t.Dir
	}
	return t.From + " and " + t.Dir
}

// trials are the table.
func trials(tried *replay.Trial) *table.Table {
	rows := make([]*replay.TrialResult, 0, len(tried.Results))
	for i := range tried.Results {
		rows = append(rows, &tried.Results[i])
	}
	median := func(r *replay.TrialResult) int64 { return replay.Median(tried.Counts(r)) }
	slices.SortStableFunc(rows, func(a, b *replay.TrialResult) int { return cmp.Compare(median(a), median(b)) })
	t := &table.Table{}
	t.Fill(table.Labels("", rows, func(r *replay.TrialResult) string { return visible.Text(r.Name) }))
	t.Fill(table.Alike(table.Times, rows,
		table.Of("returned", "", 1, func(r *replay.TrialResult) float64 { return float64(replay.Median(r.Wall)) }),
		table.Of("durable", "", 0, func(r *replay.TrialResult) float64 {
			if !tried.Writes {
				return -1
			}
			return float64(replay.Median(r.Safe))
		}))...)
	return t.Fill(table.Phrases("times as fast", "", 0, rows, faster))
}

// faster says how many times as fast as recorded.
func faster(r *replay.TrialResult) string {
	switch {
	case r.Faster == 0:
		return ""
	case r.Low == 0:
		return fmt.Sprintf("%.2f", r.Faster)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", r.Faster, r.Low, r.High)
}

// conclusion is the answer.
func conclusion(t *replay.Trial) string {
	best := t.Fastest()
	switch {
	case len(t.Results) < 2:
		return "Nothing else could be tried here."
	case best != nil:
		return fmt.Sprintf("Fastest here: %s: %.2f × (%.2f to %.2f) as fast as what you did.", visible.Text(best.Name),
			best.Faster, best.Low, best.High)
	case t.Rounds < 6:
		return "Which is faster cannot be told from fewer than 6 rounds (--runs)."
	}
	return "None was faster than what you did, as far as these rounds can tell."
}
