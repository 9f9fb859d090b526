package perfetto

// lanes are tracks side by side. Slices of one track must not overlap, or the trace
// processor takes one for a part of the other; what is under way at once, as the
// requests of a device, takes a lane each.
type lanes struct {
	ends []int64 // when the last slice of each ends
}

// maxLanes bounds how many there are. What is more at once shares the last.
const maxLanes = 1024

// take finds a lane for a slice, and whether it is new. Slices come in the order in
// which they end, or nearly so; of the lanes that are free, the one that is free for
// the shortest time leaves the others to those that began earlier.
func (l *lanes) take(start, end int64) (lane int, begun bool) {
	best := -1
	for i, free := range l.ends {
		if free <= start && (best < 0 || free > l.ends[best]) {
			best = i
		}
	}
	switch {
	case best >= 0:
	case len(l.ends) < maxLanes:
		best, begun = len(l.ends), true
		l.ends = append(l.ends, 0)
	default:
		best = maxLanes - 1
	}
	l.ends[best] = max(l.ends[best], end)
	return best, begun
}
