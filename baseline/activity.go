package baseline

import "time"

func (b *Bench) set(change func(*Activity)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.now)
}

// advance books a finished step.
func (b *Bench) advance(expected time.Duration) {
	b.set(func(a *Activity) { a.Done += expected })
}

// Activity is what the run is doing now; it may be asked from any goroutine.
// Moved is the bytes of the current step so far, since when it began.
func (b *Bench) Activity() (a Activity, moved int64, since time.Duration) {
	moved, since = b.meter.read()
	b.mu.Lock()
	defer b.mu.Unlock()
	a = b.now
	a.Left = max(b.plan.Duration-a.Done-min(since, a.expected), 0)
	return a, moved, since
}
