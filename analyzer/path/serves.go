package path

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// A command may be a server: it is asked by others, does what they ask for, and runs until somebody ends it. The path
// of such a one says little, as most of it is a wait to be asked. Its operations say what it did.

// maxAskedThreads bounds the threads of which it is kept that somebody asked them.
const maxAskedThreads = 1 << 14

// note keeps who was asked for operations.
func (c *OperationKinds) note(o *Operation) {
	if o.Asked && len(c.asked) < maxAskedThreads {
		c.asked[o.Thread]++
		c.answers[o.Thread] = c.answers[o.Thread] || o.Answers
	}
}

// MayServe reports whether the path is for the most part a wait, and somebody was heard on a socket.
func (c *Collector) MayServe() bool {
	var waits int64
	c.account.Each(func(p *Part) {
		if p.Label == timeline.Waiting {
			waits += p.NS
		}
	})
	return 2*waits > c.account.Total && slices.ContainsFunc(c.survey.Files.All, func(f *world.File) bool {
		return lineOf(f).answers()
	})
}

// Serves reports whether the command that a path is of is a server: the path is for the most part a wait, while others
// than those who wait were asked from outside, or whoever waits answers.
func (c *OperationKinds) Serves(along *Collector) bool {
	var waits, asked int64
	waiting := map[uint32]bool{}
	along.account.Each(func(p *Part) {
		if p.Label == timeline.Waiting && !(p.Cause == trace.WaitSleep && c.asked[p.Thread] > 0) {
			waits += p.NS
			waiting[p.Thread] = true
		}
	})
	for thread, n := range c.asked {
		if !waiting[thread] || c.answers[thread] {
			asked += n
		}
	}
	return 2*waits > along.account.Total && asked > 0
}
