package whatif

import (
	"cmp"
	"sort"

	"github.com/iotrace/iotrace/internal/sorting"
)

// wakeup is a moment at which a thread may have woken another one.
type wakeup struct {
	at     int64
	thread uint32
}

// wakeups are such moments in the order of time.
type wakeups struct {
	list  []wakeup
	other []int32 // of each the last one before it of another thread
}

func newWakeups(list []wakeup) wakeups {
	sorting.Stably(list, func(a, b wakeup) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.thread, b.thread))
	})
	other := make([]int32, len(list))
	for i := range list {
		switch {
		case i == 0:
			other[i] = noRequest
		case list[i-1].thread != list[i].thread:
			other[i] = int32(i - 1)
		default:
			other[i] = other[i-1]
		}
	}
	return wakeups{list, other}
}

// last is the last wakeup up to a moment.
func (w *wakeups) last(at int64) (wakeup, bool) {
	i := w.until(at)
	if i < 0 {
		return wakeup{}, false
	}
	return w.list[i], true
}

// lastOther is the last wakeup up to a moment of another thread than this one.
func (w *wakeups) lastOther(at int64, thread uint32) (wakeup, bool) {
	i := w.until(at)
	if i >= 0 && w.list[i].thread == thread {
		i = int(w.other[i])
	}
	if i < 0 {
		return wakeup{}, false
	}
	return w.list[i], true
}

// until is the number of the last wakeup up to a moment.
func (w *wakeups) until(at int64) int {
	return sort.Search(len(w.list), func(i int) bool { return w.list[i].at > at }) - 1
}
