package baseline

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
)

// noteOrder is the order in which the warnings of a step are listed.
var noteOrder = []string{"depth", "several_modes", "changes", "few_runs", "short", "engine", "uncached", "caches_kept", "macos_cached_writes", "btrfs_direct", "memory", "purge"}

// shortest is the active time below which a run says little about a drive.
const shortest = 100e6 // ns

// observe adds the warnings that follow from the results.
func (l *stepLog) observe(s StepResult) {
	if !s.Depth.Valid {
		l.warn("depth", "invalid: "+s.Depth.Reason)
	}
	if len(s.Rate.Modes) > 0 {
		l.warn("several_modes", fmt.Sprintf("the runs gather around %s: no single number describes them", modesText(s.Rate.Modes)))
	}
	changed := 0
	var first Change
	for _, r := range l.runs {
		if r.Counted && len(r.Changes) > 0 {
			if changed == 0 {
				first = r.Changes[0]
			}
			changed++
		}
	}
	if changed > 0 {
		l.warn("changes", fmt.Sprintf("the rate changed for good within %d of %d runs, first from %s to %s after %s (%s): a filled cache, heat or a shared link; bench sustained tells more",
			changed, s.Rate.N, unit.Rate(float64(first.Before)), unit.Rate(float64(first.After)), unit.Bytes(first.Bytes), unit.Duration(asDuration(first.NS))))
	}
	if s.Rate.N > 0 && s.Rate.N < enoughRuns {
		l.warn("few_runs", fmt.Sprintf("an interval of the median needs %d counted runs, not %d (--runs)", enoughRuns, s.Rate.N))
	}
	for _, r := range l.runs {
		if r.Counted && r.ActiveNS < shortest {
			l.warn("short", fmt.Sprintf("a run took less than %s: its rate says more about caches and start-up than about the drive; use a larger --size", unit.Duration(asDuration(shortest))))
			break
		}
	}
	if l.step.Writes() && l.step.Cache == Buffered && l.step.Sync == SyncNone {
		l.warn("memory", "buffered and not synced: this is the speed of memory; the durable rate counts the time until the data was on the device")
	}
}

func modesText(modes []Mode) string {
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
