package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// changed is what a file system wrote of its own on a device, by who had changed it.
type changed struct {
	own, others int64
	both        int64 // requests with changes of both: how they are divided is an estimate
}

func (c *changed) add(e *world.Request) {
	switch {
	case e.Op != trace.ReqWrite || e.Flags&trace.ReqMeta == 0 || e.Flags&trace.ReqRecorder != 0:
	case !e.Ours:
		c.others += e.Bytes
	default:
		c.own += e.Own()
		if c.others += e.Others; e.Others > 0 {
			c.both += e.Bytes
		}
	}
}
