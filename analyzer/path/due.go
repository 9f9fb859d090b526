package path

// due is when something about a walk becomes known without an event of its thread: the path comes back from a thread
// that was waited for, or nothing earlier can tell any more what a wait was for.
type due struct {
	at    int64
	walk  *Walk
	stamp uint32 // of the walk then; a later one makes it void
}

// Before: the latest is first, as walks go back in time.
func (d due) Before(e due) bool { return d.at > e.at }
