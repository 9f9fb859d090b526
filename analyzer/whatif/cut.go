package whatif

import (
	"cmp"

	"github.com/iotrace/iotrace/internal/sorting"
)

// cutPoint is a step before the thread's time is cut.
type cutPoint struct {
	at    int64
	what  stepKind
	index int32
	after int64
	until int64 // the end of a wait
	ordered,
	sync bool
	anew bool
}

// cut makes steps of cut points: what lies between them is time on the CPU.
func cut(begin int64, list []cutPoint) []Step {
	sorting.Stably(list, func(a, b cutPoint) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.until, b.until)) // what is done comes before a wait
	})
	steps := make([]Step, 0, len(list))
	now := begin
	for _, m := range list {
		s := Step{Run: max(m.at-now, 0), What: m.what, Index: m.index, After: m.after, Length: max(m.until-m.at, 0),
			Ordered: m.ordered, Sync: m.sync, Anew: m.anew}
		steps = append(steps, s)
		now = max(now, m.at, m.until)
	}
	return steps
}
