package gap

import (
	"fmt"
	"math"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
)

// Conclude adds view C.
func (r *Report) Conclude(x *Experiment, e *Explanation) {
	e.judge(r.Elsewhere)
	r.Experiment, r.Explanation, r.Factors, r.Residual = x, e, e.Factors, &e.Residual
	if w := r.Workload; !e.Ranked && missing(e) && e.reproduced() && w != nil && x.Payload > 0 && w.Bytes >= 2*x.Payload {
		hint := fmt.Sprintf("the cells moved %s, the recording %s: memory and the drive may behave otherwise by then; try "+
			"--size %s", unit.Bytes(x.Payload), unit.Bytes(w.Bytes),
			strings.ReplaceAll(unit.BlockSize(w.Bytes>>20<<20), " ", ""))
		e.Refusals[len(e.Refusals)-1] += " (" + hint + ")"
	}
	ranking := e.Ranking()
	switch {
	case !e.Ranked:
		r.Answer = Answer{"refused", "The parts are not ranked: " + e.Refusals[0] + "."}
	case len(ranking) == 0:
		r.Answer = Answer{"unresolved", unresolved(e)}
	default:
		c := e.Factors[ranking[0]]
		text := fmt.Sprintf("Above all it is the %s (%s instead of %s): %s of %s per GB, %s of the gap.",
			c.Name, c.Workload, c.Benchmark, seconds(c.Phi), seconds(e.Gap), unit.Share(c.Share))
		if missing(e) {
			text += fmt.Sprintf(" That is more than all that is not in the model (%s).", seconds(e.Residual))
		}
		if !e.reproduced() {
			text = fmt.Sprintf("Only in part: %s. What is here now: %s", unlike(e, r.Elsewhere), text)
		}
		r.Answer = Answer{"ranked", text}
	}
	r.lead()
}

// unresolved says why no factor stands out, and only what can help.
func unresolved(e *Explanation) string {
	if !intervals(e) {
		i := greatest(e)
		return fmt.Sprintf("With so few repetitions nothing is certain; the greatest part seems to be the %s (%s per GB of "+
			"%s): intervals need %d.", e.Factors[i].Name, seconds(e.Factors[i].Phi), seconds(e.Gap), Repetitions)
	}
	if e.Noise > loud {
		return fmt.Sprintf("No single factor stands out of the noise: runs of the same cell differ by %s. Something else "+
			"uses the machine, or the runs are too short: try when it is idle, or a larger --size.", unit.Share(e.Noise))
	}
	return "No single factor stands out: they cost what they cost together, and how it divides depends on the order."
}

// loud is the scatter within cells from which it is the scatter that hides the factors.
const loud = 0.05

// intervals reports whether there were enough repetitions for them.
func intervals(e *Explanation) bool { return e.GapLow != e.GapHigh }

// greatest is the index of the factor with the greatest part.
func greatest(e *Explanation) (best int) {
	for i := range e.Factors {
		if math.Abs(e.Factors[i].Phi) > math.Abs(e.Factors[best].Phi) {
			best = i
		}
	}
	return best
}

// missing reports whether too much of the gap is not in the model.
func missing(e *Explanation) bool { return !e.Workload.OK }

// lead puts before the answer what the most of the recorded time was, where that is not what the workload's calls took:
// explaining those explains little.
func (r *Report) lead() {
	w := r.Workload
	if w == nil || w.Covered.Seconds <= 0 || w.Covered.Seconds >= 0.5 || len(r.Causes) == 0 {
		return
	}
	c := r.Causes[0]
	r.Answer.Text = fmt.Sprintf("Above all it was something else: %s (%s), %s of the time. Moving the data took %s. Of "+
		"that: %s", c.Name, c.Text, unit.Share(c.Share), unit.Share(w.Covered.Seconds), r.Answer.Text)
}
