package verdict

import (
	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// inferred is how often a cause was true for which the times of threads and labels speak, in recordings that do not
// tell who woke whom.
var inferred = cause.Count{Right: 149, Of: 159}

// settle says how sure a cause is. Nothing is measured without the chain of waits from end to end; and what comes first
// has to be likely enough.
func settle(a *account, r *profile.Reason, first bool) {
	counted := cause.Of(r.Code).Counted
	if r.Certainty == cause.Measured && a.along() == nil {
		r.Certainty, counted = cause.Likely, inferred
	}
	if r.Certainty != cause.Likely {
		return
	}
	if r.Probability = counted.Probability(); first && r.Probability < twoThirds {
		r.Certainty, r.Probability = cause.Open, 0
	}
}

// What is said of the program's own time, by whatever it is known.
const (
	itself    = "the program itself"
	compute   = "a faster CPU, less work, or more threads"
	lessInAll = "more CPUs, or less work in all; more threads change nothing"
)
