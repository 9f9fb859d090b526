package world

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Sizes keeps the sizes of files as the workload changes them, for the
// collectors that come after it.
type Sizes struct{}

// Access notes that data was written.
func (Sizes) Access(x *Access) {
	// Others look at the file meanwhile: what stays the same is not written again.
	if out, at := x.Out(); out != nil && at >= 0 && out.Size < at+x.Bytes {
		out.Size = at + x.Bytes
	}
}

// NoData notes that a file was cut, or shares the data of another.
func (Sizes) NoData(e *Call) {
	f, to := e.File, e.File2
	switch {
	case e.Result < 0 || f == nil:
	case e.Op == trace.OpTruncate:
		f.Size = e.Requested
	case e.Op == trace.OpOpen && e.Flags&trace.FlagTrunc != 0:
		f.Size = 0
	case to == nil:
	case e.Op == trace.OpCloneRange:
		at, bytes := max(e.Offset2, 0), e.Requested
		if bytes == 0 { // to the end
			bytes = f.Size - max(e.Offset, 0)
		}
		to.Size = max(to.Size, at+bytes)
	case e.Op == trace.OpCopyfile, e.Op == trace.OpClone && !f.Unknown():
		to.Size = max(to.Size, f.Size)
	}
}

// Finish has nothing to say.
func (Sizes) Finish(*profile.Profile) {}
