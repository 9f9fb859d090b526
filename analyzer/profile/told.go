package profile

// Limits of a recording that decide what is known of its times, as package trace names them.
const (
	noTimes     = "no_times"
	noDurations = "no_durations"
)

// Sees reports whether a recording has no such limit (a code of package trace).
func (t *Trace) Sees(limit string) bool {
	for _, l := range t.Limits {
		if l.Code == limit {
			return false
		}
	}
	return true
}

// TellsDepth reports whether a recording tells how many of certain operations were in flight, and for how long there
// was one; counted says whether it counted any. Of merged recordings one may tell it and another not.
func (t *Trace) TellsDepth(counted bool) bool {
	return t.Sees(noTimes) && (counted || t.Sees(noDurations))
}

// TellsLatency reports whether a recording tells how long certain operations took; counted says whether any took time.
func (t *Trace) TellsLatency(counted bool) bool { return counted || t.Sees(noDurations) }
