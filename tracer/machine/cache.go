package machine

// Cache counts from OpenCache to Close how often somebody had the page cache of the machine dropped: what a program
// reads again then did not have to go for want of memory.
type Cache struct{ before int64 }

// OpenCache begins to count.
func OpenCache() Cache { return Cache{drops()} }

// Close ends the count and returns it.
func (c Cache) Close() int64 { return advance(drops(), c.before) }
