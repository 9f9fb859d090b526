package tracer

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Progress is what has been recorded so far.
type Progress struct {
	Events uint64
	Lost   uint64
	// Bytes that drives have read and written, no matter for whom; those of calls as long as no request was recorded.
	Read, Written int64
	// Terminal says that a recorded process has written to a terminal: the screen is no longer idle.
	Terminal bool
}

// meter adds up the progress of a recording.
type meter struct {
	sum       Progress
	requests  bool // one was recorded
	terminals []trace.FileID
}

// maxTerminals bounds those that are told apart; where there are more, one of them is taken to be written to.
const maxTerminals = 16

func (m *meter) file(f *trace.File) {
	if f.Type != trace.FileChar || !strings.HasPrefix(f.Path, "/dev/pts/") && !strings.HasPrefix(f.Path, "/dev/tty") {
		return
	}
	if len(m.terminals) == maxTerminals {
		m.sum.Terminal = true
		return
	}
	m.terminals = append(m.terminals, f.ID)
}

func (m *meter) call(e *trace.Syscall) {
	if e.Result <= 0 || e.Op != trace.OpRead && e.Op != trace.OpWrite {
		return
	}
	if e.Op == trace.OpWrite && !m.sum.Terminal {
		for _, t := range m.terminals {
			m.sum.Terminal = m.sum.Terminal || t == e.File
		}
	}
	if !m.requests {
		m.moved(e.Op == trace.OpWrite, e.Result)
	}
}

func (m *meter) request(e *trace.Request) {
	if e.Op != trace.ReqRead && e.Op != trace.ReqWrite {
		return
	}
	if !m.requests {
		m.requests, m.sum.Read, m.sum.Written = true, 0, 0
	}
	m.moved(e.Op == trace.ReqWrite, e.Bytes)
}

func (m *meter) moved(written bool, bytes int64) {
	if written {
		m.sum.Written += bytes
	} else {
		m.sum.Read += bytes
	}
}
