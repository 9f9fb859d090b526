package whatif

import (
	"cmp"
	"slices"
	"sort"
)

// deed is a moment at which a thread may have woken another one.
type deed struct {
	at     int64
	thread uint32
}

// deeds are such moments in the order of time.
type deeds struct {
	list  []deed
	other []int32 // of each the last one before it of another thread
}

func newDeeds(list []deed) deeds {
	slices.SortFunc(list, func(a, b deed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.thread, b.thread))
	})
	other := make([]int32, len(list))
	for i := range list {
		switch {
		case i == 0:
			other[i] = gone
		case list[i-1].thread != list[i].thread:
			other[i] = int32(i - 1)
		default:
			other[i] = other[i-1]
		}
	}
	return deeds{list, other}
}

// last is the last deed up to a moment.
func (d *deeds) last(at int64) (deed, bool) {
	i := d.until(at)
	if i < 0 {
		return deed{}, false
	}
	return d.list[i], true
}

// lastOther is the last deed up to a moment of another thread than this one.
func (d *deeds) lastOther(at int64, thread uint32) (deed, bool) {
	i := d.until(at)
	if i >= 0 && d.list[i].thread == thread {
		i = int(d.other[i])
	}
	if i < 0 {
		return deed{}, false
	}
	return d.list[i], true
}

// until is the number of the last deed up to a moment.
func (d *deeds) until(at int64) int {
	return sort.Search(len(d.list), func(i int) bool { return d.list[i].at > at }) - 1
}
