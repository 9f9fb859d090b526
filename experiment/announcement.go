package experiment

import (
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// Announcement says what a prepared experiment will do, in whole lines.
func (x *Experiment) Announcement() string {
	var b strings.Builder
	written, runs := x.design.cost()
	made := x.state.count()
	fmt.Fprintf(&b, "%d differences; %d runs of %s in %s, which write up to %s and %s.\n", len(x.design.factors), runs,
		unit.Bytes(x.design.payload), x.o.Dir, unit.Bytes(written), x.duration(max(runs-made, 0)))
	fmt.Fprintf(&b, "Finding that out took %s here; it is corrected if it turns out to be wrong.\n",
		unit.Duration(x.tried))
	for _, s := range x.budget.leftOut {
		b.WriteString(s + "\n")
	}
	if len(x.design.factors) > x.design.most {
		b.WriteString("They are screened first; those that matter little are measured together.\n")
	}
	if made > 0 {
		fmt.Fprintf(&b, "%d runs were made before and count.\n", made)
	}
	return b.String()
}

// duration says how long the runs that are left take, and the replays that may follow.
func (x *Experiment) duration(runs int) string {
	text := "take about " + unit.Duration(time.Duration(runs)*x.runs.said)
	if x.runs.said == 0 { // as slow as the recording, and as long again until the data is on the device
		longest := 2 * x.design.workload.SecondsPerGB() * float64(x.design.payload) / 1e9
		text = "take up to " + unit.Duration(time.Duration(float64(runs)*longest*1e9))
	}
	if left := x.budget.left(); left < time.Duration(runs)*x.runs.said {
		text = fmt.Sprintf("take the %s that are left of the budget", unit.Duration(max(left, 0)))
	} else if x.o.Budget > 0 {
		text += fmt.Sprintf(" of the budget of %s", unit.Duration(x.o.Budget))
	}
	switch {
	case !replayable(x.design.workload):
	case x.o.Budget > 0:
		text += " (with replays of what was recorded, if they are needed, as far as there is time)"
	default:
		text += fmt.Sprintf(" (and about %s more, if what was recorded has to be replayed)",
			unit.Duration(replays*x.replays.said))
	}
	return text
}
