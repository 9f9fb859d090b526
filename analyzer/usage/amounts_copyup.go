package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// copyUps tells which files an overlay copies. Their data is read, and mostly written, by the thread that changes a
// file of the overlay for the first time, within its call. Where the layers lie need not be known: the options of the
// mount name them as whoever mounted it saw them, relative to some directory or through links.
type copyUps struct {
	last map[uint32]change // by thread
}

// change is a call that may be the first change of an overlay's file.
type change struct{ from, until int64 }

func newCopyUps() copyUps { return copyUps{map[uint32]change{}} }

// begins notes a call on a file of an overlay that moves no data of it.
func (c *copyUps) begins(e *world.Call) {
	switch e.Op {
	case trace.OpOpen, trace.OpAttr, trace.OpXattr, trace.OpRename, trace.OpLink, trace.OpTruncate, trace.OpAllocate:
		if e.File.FSType == "overlay" {
			c.last[e.TID] = change{e.Start, e.End()}
		}
	}
}

// within reports whether a thread asked for a request in such a call.
func (c *copyUps) within(e *trace.Request) bool {
	x, at := c.last[e.TID], world.QueuedAt(e)
	return x.until > 0 && at >= x.from && at <= x.until
}

// copiesPacked reports whether a request that names no file reads one that is copied, from a lower layer of compressed
// files: where requests name files, what names none is metadata.
func (c *Amounts) copiesPacked(e *world.Request) bool {
	n := e.Device.Number
	return e.Op == trace.ReqRead && (n >= 64 || c.named>>n&1 == 0) && c.copied.within(e.Request)
}
