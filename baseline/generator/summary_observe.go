package generator

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// noteOrder is the order in which the warnings of a step are listed; others follow in the order they came in.
var noteOrder = []string{
	"unreached", "depth", "undone", "processor", "several_modes", "changes", "few_runs", "short", "memory", "purge",
}

// shortest is the active time below which a run says little about a drive.
const shortest = 100e6 // ns

// observe adds the warnings that follow from the results.
func (l *stepLog) observe(s baseline.StepResult) {
	if s.Invalid != "" {
		l.Warn("unreached", "invalid: "+s.Invalid)
	}
	if !s.Depth.Valid {
		l.Warn("depth", "invalid: "+s.Depth.Reason)
	}
	if len(s.Rate.Modes) > 0 {
		l.Warn("several_modes", fmt.Sprintf("the runs gather around %s: no single number describes them",
			modesText(s.Rate.Modes)))
	}
	changed := 0
	var first baseline.Change
	for _, r := range l.Runs {
		if r.Counted && len(r.Changes) > 0 {
			if changed == 0 {
				first = r.Changes[0]
			}
			changed++
		}
	}
	if changed > 0 {
		text := fmt.Sprintf("the rate changed for good within %d of %d runs, first from %s to %s after %s (%s)", changed,
			s.Rate.N,
			unit.Rate(float64(first.Before)), unit.Rate(float64(first.After)), unit.Bytes(first.Bytes),
			unit.Duration(time.Duration(first.NS)))
		if first.After < first.Before { // nothing is known to make a drive faster
			text += ": a filled cache, heat or a shared link; bench sustained tells more"
		}
		l.Warn("changes", text)
	}
	if s.Rate.N > 0 && s.Rate.N < baseline.EnoughRuns {
		l.Warn("few_runs", fmt.Sprintf("an interval of the median needs %d counted runs, not %d (--runs)",
			baseline.EnoughRuns, s.Rate.N))
	}
	for _, r := range l.Runs {
		if r.Counted && r.ActiveNS < shortest {
			l.Warn("short", fmt.Sprintf("a run took less than %s: its rate says more about caches and start-up than about "+
				"the drive; use a larger --size", unit.Duration(time.Duration(shortest))))
			break
		}
	}
	if l.Step.Writes() && l.Step.Cache == baseline.Buffered && l.Step.Sync == baseline.SyncNone {
		l.Warn("memory", "buffered and not synced: this is the speed of memory; the durable rate counts the time until "+
			"the data was on the device")
	}
}

func modesText(modes []baseline.Mode) string {
	text := ""
	for i, m := range modes {
		switch {
		case i > 0 && i == len(modes)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += fmt.Sprintf("%s (%.0f %%)", unit.Rate(float64(m.Median)), m.Weight*100)
	}
	return text
}
