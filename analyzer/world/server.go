package world

import "github.com/iotrace/iotrace/trace"

// asked reports whether a call that moves data reads what its process is asked for next, as servers do for most of
// their time. Where commands are the workload every process beside them serves, as far as they are concerned: what they
// wait for they are in calls for themselves. Where all is the workload, a server is known by its having run before, and
// by its sockets: they were accepted from one that listens, which the recorder looks for, or it was spoken to first, it
// answered, and it speaks first nowhere. A pipe tells no roles: whoever reads what others write is part of their work.
func (t *Processes) asked(c *Call) bool {
	if c.File == nil || !c.File.Stream() {
		return false
	}
	if t.Around == Hosts {
		return c.Op == trace.OpRead && c.Process.Beside
	}
	if t.Around == Nothing || c.File.Kind != trace.FileSocket || c.File.Other {
		return false
	}
	if c.File.Accepted {
		return c.Op == trace.OpRead && c.Process.Present
	}
	switch {
	case c.Bytes() == 0: // nobody spoke
	case c.Op == trace.OpRead && c.File.spoke == silent:
		c.File.spoke, c.File.heard = heard, c.End()
	case c.Op != trace.OpWrite:
	case c.File.spoke == silent, c.File.spoke == heard && c.Start < c.File.heard: // another thread waited for the answer
		c.File.spoke, c.Process.asks = asks, true
	case c.File.spoke == heard:
		c.File.spoke = answers
	}
	return c.Op == trace.OpRead && c.File.spoke == answers && c.Process.Present && !c.Process.asks
}
