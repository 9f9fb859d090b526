package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// methods counts bytes by the way in which they were moved.
type methods struct {
	plain, positioned, uring, libaio, copyRange, sendfile, splice, clone int64
	direct, cached                                                       int64
}

func (m *methods) add(x *world.Access) {
	switch {
	case x.Api == trace.APIUring:
		m.uring += x.Bytes
	case x.Api == trace.APILibaio || x.Api == trace.APIPosixAIO:
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
		m.direct += x.Bytes
	} else {
		m.cached += x.Bytes
	}
}

func (m *methods) merge(o methods) {
	m.plain += o.plain
	m.positioned += o.positioned
	m.uring += o.uring
	m.libaio += o.libaio
	m.copyRange += o.copyRange
	m.sendfile += o.sendfile
	m.splice += o.splice
	m.clone += o.clone
	m.direct += o.direct
	m.cached += o.cached
}

// pace watches the calls of a transfer: what was in flight, and the pauses. Of
// files that are not listed there is none.
type pace struct {
	begun                  bool
	read, write, any       int64 // time with one in flight
	readEnd, writeEnd, end int64
	think                  measure.Histogram
	threads                []uint32
}

// maxPaced is how many threads of a transfer are told apart.
const maxPaced = 64

func (p *pace) add(x *world.Access, read, write bool) {
	if p == nil {
		return
	}
	start, end := x.Start, x.End
	if n := len(p.threads); n < maxPaced && (n == 0 || p.threads[n-1] != x.Tid) && !slices.Contains(p.threads, x.Tid) {
		p.threads = append(p.threads, x.Tid)
	}
	if !p.begun {
		p.begun = true
		p.readEnd, p.writeEnd, p.end = start, start, start
	}
	if start > p.end {
		p.think.Add(start - p.end)
	}
	if read {
		p.read += max(end-max(start, p.readEnd), 0)
		p.readEnd = max(p.readEnd, end)
	}
	if write {
		p.write += max(end-max(start, p.writeEnd), 0)
		p.writeEnd = max(p.writeEnd, end)
	}
	p.any += max(end-max(start, p.end), 0)
	p.end = max(p.end, end)
}
