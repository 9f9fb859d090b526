package gap

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// ErrNoPayload means that a recording has no file data in it.
var ErrNoPayload = errors.New("no regular file was read or written by a call that was recorded, or through a mapping")

// Survey reads the levels of the factors from a trace.
func Survey(path string) (w *Workload, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the recording: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	f.Only(trace.KindFile, trace.KindSyscall, trace.KindAsyncOp, trace.KindFault, trace.KindWait)
	s := newSurvey()
	var b trace.Batch
	for {
		err := f.Next(&b)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		if s.batch(&b); int64(len(s.calls)+s.waiting/8) > f.Room() { // eight waits take as much as a call
			return nil, fmt.Errorf("reading %s: it has more than %d calls, which are all held in memory (record a part of the "+
				"workload, with --duration)", path, f.Room())
		}
	}
	return s.workload()
}

// call is a system call or an asynchronous operation on a file.
type call struct {
	from, to  int64
	tid       uint32
	op        trace.Op
	flags     trace.IOFlags
	in, out   trace.FileID // read from, written to; 0 if neither
	file      trace.FileID // any other call
	bytes     int64
	at, outAt int64
	filled    int64
	async     bool
	mapped    bool // a page fault of a mapped file, with the bytes that came into memory for it
}

type survey struct {
	files   map[trace.FileID]*surveyed
	calls   []call
	waits   map[uint32][][2]int64 // of threads, blocked outside of calls
	waiting int                   // waits
}

// surveyed is a file of the recording.
type surveyed struct {
	trace.File
	read, written int64
	fresh         int64 // bytes written to what was created, truncated or beyond the end
	made          bool
	readEnd       int64
	writeEnd      int64
}

func newSurvey() *survey {
	return &survey{files: map[trace.FileID]*surveyed{}, waits: map[uint32][][2]int64{}}
}

func (s *survey) batch(b *trace.Batch) {
	for i := range b.Files {
		f := b.Files[i]
		if s.files[f.ID] == nil {
			s.files[f.ID] = &surveyed{File: f, readEnd: trace.NoOffset, writeEnd: trace.NoOffset}
		}
	}
	for i := range b.Waits {
		if x := &b.Waits[i]; x.Cause.Elsewhere() && x.Flags&trace.WaitHelper == 0 {
			s.waiting++
			s.waits[x.TID] = append(s.waits[x.TID], [2]int64{x.Start, x.Start + x.Duration})
		}
	}
	for i := range b.Syscalls {
		s.syscall(&b.Syscalls[i])
	}
	for i := range b.Faults {
		if f := &b.Faults[i]; f.File != 0 && f.Filled > 0 {
			s.calls = append(s.calls, call{from: f.Start, to: f.Start + f.Duration, tid: f.TID, op: trace.OpRead, in: f.File,
				file: f.File, bytes: f.Filled, at: f.Offset, outAt: trace.NoOffset, filled: f.Filled, mapped: true})
		}
	}
	for i := range b.AsyncOps {
		a := &b.AsyncOps[i]
		c := call{from: a.Submit, to: a.Complete, tid: a.TID, op: a.Op, flags: a.Flags, file: a.File, bytes: a.Bytes(),
			at: a.Offset, outAt: a.Offset, async: true}
		switch {
		case a.Op == trace.OpRead:
			c.in = a.File
		case a.Op == trace.OpWrite:
			c.out = a.File
		}
		s.calls = append(s.calls, c)
	}
}

func (s *survey) syscall(e *trace.Syscall) {
	c := call{from: e.Start, to: e.End(), tid: e.TID, op: e.Op, flags: e.Flags, file: e.File, bytes: e.Bytes(),
		at: e.Offset, outAt: e.Offset2, filled: e.Filled}
	switch e.Op {
	case trace.OpRead:
		c.in = e.File
	case trace.OpWrite:
		c.out, c.outAt = e.File, e.Offset
	case trace.OpCopyRange, trace.OpSendfile, trace.OpSplice:
		c.in, c.out = e.File, e.File2
	}
	s.calls = append(s.calls, c)
}

// regular is the file of an ID if it may hold payload.
func (s *survey) regular(id trace.FileID, system bool) *surveyed {
	f := s.files[id]
	if f == nil || f.Type != trace.FileRegular && f.Type != trace.FileUnknown || !system && f.OfSystem() {
		return nil
	}
	return f
}

// workload evaluates the calls in the order of their starts.
func (s *survey) workload() (*Workload, error) {
	slices.SortStableFunc(s.calls, func(a, b call) int { return cmp.Compare(a.from, b.from) })
	for _, w := range s.waits {
		slices.SortFunc(w, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	}
	w := s.evaluate(false)
	if w == nil {
		w = s.evaluate(true)
	}
	if w == nil {
		return nil, ErrNoPayload
	}
	return w, nil
}
