// Package verdict answers the question that a recording is made for: what held the
// workload back? It reads a finished profile and nothing else.
//
// The time until the data was durable is divided among causes of a fixed taxonomy (docs/verdict.md), so that shares can
// be compared and add up to one at most. What the recording does not show stays without a cause.
package verdict

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// rules are what may have held a workload back. Each takes its part of the time.
var rules = []func(*account){
	halted, lockedOut, copiedUp, compressed, synchronousNaming, syncing, discarding, swapping, waiting, throttled,
	aboveDevice, scanned, choppedUp, unpacked, counted, unheardOf, copying, naming, blocked, forking, computing, pausing,
}

// Judge says what held the workload of a profile back.
func Judge(p *profile.Profile) profile.Verdict {
	v := judge(open(p))
	if untilReturn(p, v.Causes) {
		a := open(p)
		a.endAtReturn()
		v = judge(a)
		v.UntilReturn = true
	}
	return v
}

// judge divides the time of an account.
func judge(a *account) profile.Verdict {
	v, p := profile.Verdict{Lines: []profile.AnswerLine{}, Causes: []profile.Reason{}}, a.p
	if a.total <= 0 || !a.sees(trace.LimitNoDurations) || !a.sees(trace.LimitPartial) ||
		p.Operations != nil && p.Operations.TotalNS == 0 {
		return v
	}
	for _, rule := range rules {
		rule(a)
		a.hand = origin{} // what the rule has taken and given to no cause
	}
	for i, r := range a.reasons {
		r.Parts = a.made[i].parts()
		if r.Share = float64(r.TimeNS) / float64(a.total); r.Share >= worthTelling {
			v.Causes = append(v.Causes, r)
		}
	}
	sorting.Stably(v.Causes, func(x, y profile.Reason) int { return cmp.Compare(y.TimeNS, x.TimeNS) })
	if len(v.Causes) > 0 {
		takingTurns(a, &v.Causes[0])
	}
	name(v.Causes)
	for i := range v.Causes {
		settle(a, &v.Causes[i], i == 0)
	}
	return v
}

// name gives causes one name wherever they are told of: the short one of their code. Where a code has several causes,
// the largest has it, and the rest keep what their rules call them.
func name(list []profile.Reason) {
	taken := map[string]bool{}
	for i := range list {
		r := &list[i]
		if short := cause.Of(r.Code).Short; short != "" && !taken[short] {
			r.Name, taken[short] = short, true
		}
	}
}
