package whatif

import (
	"sort"

	"github.com/iotrace/iotrace/trace"
)

const (
	idle     = 2e7 // ns that a thread may be busy for between two sleeps of one wait
	polls    = 3   // sleeps that make one wait
	shortest = 1e6 // ns of a sleep between two looks
)

// polling finds the stretches of a thread; exits are the ends of all threads.
func polling(exits *wakeups, h *history) []stretch {
	var list []stretch
	waits, done := h.waits, h.acts()
	for i := 0; i < len(waits); {
		n, longest := 0, int64(0)
		for i+n < len(waits) && pause(&waits[i+n]) && (n == 0 || nothing(done, waits[i+n-1].End(), waits[i+n].Start)) {
			longest = max(longest, waits[i+n].Duration)
			n++
		}
		if n >= polls {
			from, until := waits[i].Start, waits[i+n-1].End()
			if end, ok := endedBetween(exits, h, from, until, longest); ok {
				list = append(list, stretch{from, until, end})
			}
		}
		i += max(n, 1)
	}
	return list
}

// pause reports whether a wait may be one of many between looks.
func pause(w *trace.Wait) bool { return w.Cause.Elsewhere() && w.Duration >= shortest }

// nothing reports whether a thread did nothing that matters between two waits, and
// not for long.
func nothing(acts []int64, from, until int64) bool {
	i := sort.Search(len(acts), func(i int) bool { return acts[i] >= from })
	return until-from < idle && (i == len(acts) || acts[i] > until)
}

// endedBetween is the last end of another thread in a stretch of time, if it lies
// at most two sleeps before the end of the stretch.
func endedBetween(exits *wakeups, h *history, from, until, sleep int64) (wakeup, bool) {
	end, ok := exits.lastOther(until, h.thread)
	return end, ok && end.at > max(from, until-2*sleep)
}
