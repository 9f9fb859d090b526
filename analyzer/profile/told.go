package profile

import "strings"

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

// HidesAsync reports whether asynchronous operations may have been in flight, of which a recording with that limit
// shows only the calls that submit them: there are such calls, or there is none that maps memory, as where the tracer
// was told to show a few calls alone.
func (p *Profile) HidesAsync() bool {
	maps := false
	for i := range p.Calls {
		c := &p.Calls[i]
		switch c.Op {
		case "uring_enter", "uring_setup", "aio_submit", "aio_getevents":
			return true
		case "mmap":
			maps = true
		}
		if strings.HasPrefix(c.Name, "aio_") || strings.HasPrefix(c.Name, "lio_") {
			return true
		}
	}
	return !maps
}
