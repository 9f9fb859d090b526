package copies

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// methods counts bytes by the way in which they were moved.
type methods struct {
	plain, positioned, uring, libaio, copyRange, sendfile, splice, clone int64

	Direct, Cached int64 // past the page cache, and through it
}

func (m *methods) add(x *world.Access) {
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
func (m *methods) Merge(o methods) {
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
func (m *methods) Most() profile.Method {
	best, name := int64(0), profile.ByReadWrite
	for _, c := range []struct {
		bytes int64
		name  profile.Method
	}{
		{m.clone, profile.ByReflink}, {m.copyRange, profile.ByCopyFileRange}, {m.sendfile, profile.BySendfile},
		{m.splice, profile.BySplice},
		{m.uring, profile.ByUring}, {m.libaio, profile.ByLibaio}, {m.positioned, profile.ByPositioned},
		{m.plain, profile.ByReadWrite},
	} {
		if c.bytes > best {
			best, name = c.bytes, c.name
		}
	}
	return name
}

// within reports whether most bytes were moved by calls that name both files.
func (m *methods) within() bool {
	return m.copyRange+m.sendfile+m.splice+m.clone > m.plain+m.positioned+m.uring+m.libaio
}
