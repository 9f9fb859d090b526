package machine

// Cache counts, from OpenCache to Close, how often somebody had the page cache of the machine dropped, and how much of
// it the kernel itself took: what a program reads again then did, or did not, have to go for want of memory.
type Cache struct{ before emptied }

// emptied is what was done to the page cache since the machine was started.
type emptied struct {
	drops     int64 // by /proc/sys/vm/drop_caches
	reclaimed int64 // bytes that had to go; -1 if the kernel does not tell
}

// OpenCache begins to count.
func OpenCache() Cache { return Cache{readEmptied()} }

// Close ends the count and returns it; reclaimed is nil if the kernel does not tell.
func (c Cache) Close() (drops int64, reclaimed *int64) {
	now := readEmptied()
	if now.reclaimed >= 0 && c.before.reclaimed >= 0 {
		n := advance(now.reclaimed, c.before.reclaimed)
		reclaimed = &n
	}
	return advance(now.drops, c.before.drops), reclaimed
}
