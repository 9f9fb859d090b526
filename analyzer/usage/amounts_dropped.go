package usage

// droppedByOthers corrects why files were read again, where no recorded program had dropped them: what the kernel did
// not take for want of memory somebody else had dropped, by posix_fadvise or drop_caches.
func (c *Amounts) droppedByOthers() {
	if !c.plenty() {
		return
	}
	for _, f := range c.all {
		for _, p := range f.at {
			p.why[dropped] += p.why[evicted]
			p.why[evicted] = 0
		}
	}
}

// plenty reports whether memory was not short. An older recording does not tell what the kernel took; but of a limit
// that was reached, and of drop_caches.
func (c *Amounts) plenty() bool {
	if c.end.Reclaimed == nil {
		return c.end.CacheDrops > 0 && len(c.end.Memory) == 0
	}
	again := int64(0)
	for _, f := range c.all {
		for _, p := range f.at {
			again += p.why[evicted]
		}
	}
	return 2**c.end.Reclaimed < again
}
