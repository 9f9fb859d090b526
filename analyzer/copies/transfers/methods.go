package transfers

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Methods counts bytes by the way in which they were moved.
type Methods struct {
	plain, positioned, uring, libaio, copyRange, sendfile, splice, clone int64

	Direct, Cached int64 // past the page cache, and through it
}

func (m *Methods) add(x *world.Access) {
	switch {
	case x.API == trace.APIUring:
		m.uring += x.Bytes
	case x.API == trace.APILibaio || x.API == trace.APIPosixAIO:
		m.libaio += x.Bytes
	case x.Op == trace.OpCopyRange, x.Op == trace.OpCopyfile:
		m.copyRange += x.Bytes
	case x.Op == trace.OpSendfile:
		m.sendfile += x.Bytes
	case x.Op == trace.OpSplice, x.Op == trace.OpTee:
		m.splice += x.Bytes
	case x.Op == trace.OpClone, x.Op == trace.OpCloneRange:
		m.clone += x.Bytes
	case x.Flags&trace.FlagPositioned != 0:
		m.positioned += x.Bytes
	default:
		m.plain += x.Bytes
	}
	if x.Flags&(trace.FlagDirect|trace.FlagNoCache) != 0 {
		m.Direct += x.Bytes
	} else {
		m.Cached += x.Bytes
	}
}

// Merge adds what was counted elsewhere.
func (m *Methods) Merge(o Methods) {
	m.plain += o.plain
	m.positioned += o.positioned
	m.uring += o.uring
	m.libaio += o.libaio
	m.copyRange += o.copyRange
	m.sendfile += o.sendfile
	m.splice += o.splice
	m.clone += o.clone
	m.Direct += o.Direct
	m.Cached += o.Cached
}

// Most names the way that most of the bytes went.
func (m *Methods) Most() string {
	best, name := int64(0), "read_write"
	for _, c := range []struct {
		bytes int64
		name  string
	}{
		{m.clone, "reflink"}, {m.copyRange, "copy_file_range"}, {m.sendfile, "sendfile"}, {m.splice, "splice"},
		{m.uring, "io_uring"}, {m.libaio, "libaio"}, {m.positioned, "pread_pwrite"}, {m.plain, "read_write"},
	} {
		if c.bytes > best {
			best, name = c.bytes, c.name
		}
	}
	return name
}

// within reports whether most bytes were moved by calls that name both files.
func (m *Methods) within() bool {
	return m.copyRange+m.sendfile+m.splice+m.clone > m.plain+m.positioned+m.uring+m.libaio
}
