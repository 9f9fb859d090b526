package analyzer

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/trace"
)

// methods counts bytes by the way in which they were moved.
type methods struct {
	plain, positioned, uring, libaio, copyRange, sendfile, splice, clone int64
	direct, cached                                                       int64
}

func (m *methods) add(x *access) {
	switch {
	case x.api == trace.APIUring:
		m.uring += x.bytes
	case x.api == trace.APILibaio || x.api == trace.APIPosixAIO:
		m.libaio += x.bytes
	case x.op == trace.OpCopyRange, x.op == trace.OpCopyfile:
		m.copyRange += x.bytes
	case x.op == trace.OpSendfile:
		m.sendfile += x.bytes
	case x.op == trace.OpSplice, x.op == trace.OpTee:
		m.splice += x.bytes
	case x.op == trace.OpClone, x.op == trace.OpCloneRange:
		m.clone += x.bytes
	case x.flags&trace.FlagPositioned != 0:
		m.positioned += x.bytes
	default:
		m.plain += x.bytes
	}
	if x.flags&(trace.FlagDirect|trace.FlagNoCache) != 0 {
		m.direct += x.bytes
	} else {
		m.cached += x.bytes
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

func (p *pace) add(x *access, read, write bool) {
	if p == nil {
		return
	}
	start, end := x.start, x.end
	if n := len(p.threads); n < maxPaced && (n == 0 || p.threads[n-1] != x.tid) && !slices.Contains(p.threads, x.tid) {
		p.threads = append(p.threads, x.tid)
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
