package verdict

import "github.com/iotrace/iotrace/analyzer/profile"

// How sure a cause is.
const (
	Measured = "measured" // the recording shows where the time went, through whoever was waited for
	Likely   = "likely"   // it fits what was recorded; how often that was true is counted
	Open     = "open"     // not known: only more than was recorded would tell
)

// inferred is how often a cause was true for which the times of threads and labels speak, in recordings that do not
// tell who woke whom.
var inferred = Count{149, 159}

// probability is that of the next one, by Laplace's rule of succession: nothing counted is even odds.
func (c Count) probability() float64 { return float64(c.Right+1) / float64(c.Of+2) }

// settle says how sure a cause is. Nothing is measured without the chain of waits from end to end; and what comes first
// has to be likely enough.
func settle(a *account, r *profile.Reason, first bool) {
	counted := causeOf(r.Code).Counted
	if r.Certainty == Measured && a.along() == nil {
		r.Certainty, counted = Likely, inferred
	}
	if r.Certainty != Likely {
		return
	}
	if r.Probability = counted.probability(); first && r.Probability < twoThirds {
		r.Certainty, r.Probability = Open, 0
	}
}

// causeOf is the entry of a code.
func causeOf(code string) *Cause {
	for i := range causes {
		if causes[i].Code == code {
			return &causes[i]
		}
	}
	return &Cause{Code: code}
}

// Causes are all causes, in the order of the page.
func Causes() []Cause { return causes }
