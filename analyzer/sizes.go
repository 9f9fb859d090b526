package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// sizesCollector keeps the sizes of files as the workload changes them, for the
// collectors that come after it.
type sizesCollector struct{}

// Access notes that data was written.
func (sizesCollector) Access(x *access) {
	if out, at := x.out(); out != nil {
		out.size = max(out.size, at+x.bytes)
	}
}

// Call notes that a file was cut, or shares the data of another.
func (sizesCollector) Call(e *call) {
	f, to := e.file, e.file2
	switch {
	case e.Result < 0 || f == nil:
	case e.Op == trace.OpTruncate:
		f.size = e.Requested
	case to == nil:
	case e.Op == trace.OpCloneRange:
		at, bytes := max(e.Offset2, 0), e.Requested
		if bytes == 0 { // to the end
			bytes = f.size - max(e.Offset, 0)
		}
		to.size = max(to.size, at+bytes)
	case e.Op == trace.OpCopyfile, e.Op == trace.OpClone && !f.unknown():
		to.size = max(to.size, f.size)
	}
}

// Finish has nothing to say.
func (sizesCollector) Finish(*profile.Profile) {}
