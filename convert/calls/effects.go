package calls

import (
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// Effects are what calls do to descriptors and files. How a tool prints the arguments of a call is its importer's; what
// follows from them stands here.
type Effects struct {
	Descriptors *fdtable.Table
	Files       *fdtable.Files
}

// Of makes an open file the one that an event is about. It may be nil: one that is not known.
func (*Effects) Of(e *trace.Syscall, fd int32, o *fdtable.Open) {
	if e.FD = fd; o != nil {
		e.File = o.File
		e.Flags |= o.Flags & (trace.FlagDirect | trace.FlagSync | trace.FlagDSync | trace.FlagAppend)
	}
}

// Closed ends the descriptor of an event.
func (f *Effects) Closed(e *trace.Syscall) {
	if e.Result >= 0 {
		f.Descriptors.Close(e.PID, e.FD)
	}
}

// ClosedRange ends the descriptors between two, both included; now or, if so asked, at the next exec. They are unsigned
// numbers of 32 bits, whatever a text makes of them.
func (f *Effects) ClosedRange(e *trace.Syscall, from, to int64, atExec bool) {
	if e.Result >= 0 {
		f.Descriptors.CloseRange(e.PID, uint32(from), uint32(to), atExec)
	}
}

// Duplicated gives a descriptor a second number, the result.
func (f *Effects) Duplicated(e *trace.Syscall, from int32, closeOnExec bool) {
	if e.Result >= 0 {
		f.Descriptors.Dup(e.PID, from, int32(e.Result), closeOnExec)
	}
}

// Opened gives the event's file the descriptor that is its result.
func (f *Effects) Opened(e *trace.Syscall, closeOnExec bool) {
	if e.Result < 0 {
		return
	}
	e.FD = int32(e.Result)
	if e.Flags&trace.FlagTrunc != 0 || e.Flags&(trace.FlagCreate|trace.FlagExcl) == trace.FlagCreate|trace.FlagExcl {
		f.Files.Truncated(e.File, 0)
	}
	o := &fdtable.Open{File: e.File, Flags: e.Flags, Stream: f.Files.Stream(e.File)}
	f.Descriptors.Set(e.PID, e.FD, o, closeOnExec)
}

// Sought moves an open file to the result.
func (*Effects) Sought(e *trace.Syscall, o *fdtable.Open) {
	if e.Result < 0 {
		return
	}
	if e.Offset = e.Result; o != nil {
		o.Offset = e.Result
	}
}

// Moved is a read or a write of an open file: at the event's offset, or where the file stood if that is negative, as
// preadv2's may be as well.
func (f *Effects) Moved(e *trace.Syscall, o *fdtable.Open) {
	write := e.Op == trace.OpWrite
	if o != nil && e.Offset < 0 {
		e.Offset = o.Advance(e.Result, f.Files.Size(e.File), write)
	}
	if write && e.Result > 0 {
		f.Files.Wrote(e.File, e.PID, e.Offset, e.Result)
	}
}

// Copied is a copy from the event's first file to its second. Those are given whose offsets move with it; the offset of
// another is the event's.
func (f *Effects) Copied(e *trace.Syscall, from, to *fdtable.Open) {
	if from != nil {
		e.Offset = from.Advance(e.Result, trace.NoOffset, false)
	}
	if to != nil {
		e.Offset2 = to.Advance(e.Result, f.Files.Size(to.File), true)
	}
	if e.Result > 0 {
		f.Files.Wrote(e.File2, e.PID, e.Offset2, e.Result)
	}
}

// Mapped is a mapping, whose result is an address and no result for a trace. It reports whether the mapping is of a
// file.
func (*Effects) Mapped(e *trace.Syscall) bool {
	if e.Result >= 0 || e.Result < -4095 {
		e.Result = 0
	}
	return e.FD >= 0
}

// Named is a call that changes what a name stands for, or the size of the file behind it.
func (f *Effects) Named(e *trace.Syscall) (err error) {
	if e.Result < 0 {
		return nil
	}
	switch e.Op {
	case trace.OpTruncate:
		f.Files.Truncated(e.File, max(e.Requested, 0))
	case trace.OpUnlink:
		f.Files.Unlinked([]byte(f.Files.Path(e.File)))
	case trace.OpRename:
		switch {
		case e.Flags&trace.FlagExchange != 0:
			f.Files.Exchanged(e.File, e.File2)
		case e.File2 != 0:
			e.File2, err = f.Files.Renamed([]byte(f.Files.Path(e.File)), []byte(f.Files.Path(e.File2)), e.Start)
		}
	}
	return err
}
