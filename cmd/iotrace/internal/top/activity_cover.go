package top

import "slices"

// cover is the time that some of many spans lie in, each instant counted once. Spans come nearly in the order in which
// they end.
type cover struct {
	spans [][2]int64 // apart from one another, in order
	ns    int64      // of spans that were folded up
	floor int64      // where these end
}

// maxSpans bounds the spans that are kept apart.
const maxSpans = 4096

// add adds a span.
func (c *cover) add(from, to int64) {
	if from = max(from, c.floor); from >= to {
		return
	}
	end := len(c.spans)
	for end > 0 && c.spans[end-1][0] > to {
		end--
	}
	first := end
	for first > 0 && c.spans[first-1][1] >= from {
		first--
		from, to = min(from, c.spans[first][0]), max(to, c.spans[first][1])
	}
	c.spans = slices.Replace(c.spans, first, end, [2]int64{from, to})
	if len(c.spans) > maxSpans {
		c.fold(maxSpans / 2)
	}
}

// fold counts the first n spans, to which nothing can be added any more.
func (c *cover) fold(n int) {
	for _, s := range c.spans[:n] {
		c.ns += s[1] - s[0]
	}
	c.floor = c.spans[n-1][1]
	c.spans = slices.Delete(c.spans, 0, n)
}

// total is the time in all.
func (c *cover) total() int64 {
	ns := c.ns
	for _, s := range c.spans {
		ns += s[1] - s[0]
	}
	return ns
}
