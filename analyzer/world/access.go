package world

import "github.com/iotrace/iotrace/trace"

// Access is a call or an asynchronous operation that moves data.
type Access struct {
	Op           trace.Op
	TID          uint32 // that called, or submitted
	Start, End   int64
	Bytes, Asked int64
	Failed       bool
	Errno        int64          // of one that failed
	API          trace.AsyncAPI // 0 for a call
	Flags        trace.IOFlags
	Filled       int64
	File, File2  *File
	At, At2      int64
	FD, FD2      int32        // -1 if there is none
	ID, ID2      trace.FileID // the names by which the files were used
	Buffer       uint64       // address in the memory of the process, 0 if not known
	Process      *Process
	Reads        bool // from a file that holds data
	Writes       bool // to one
}

func CallAccess(e *trace.Syscall, f, f2 *File) Access {
	var x Access
	x.call(e, f, f2)
	return x
}

// call makes it the access of a call.
func (x *Access) call(e *trace.Syscall, f, f2 *File) {
	x.Op, x.TID, x.Start, x.End, x.Bytes, x.Asked = e.Op, e.TID, e.Start, max(e.Start, e.End()), e.Bytes(), e.Requested
	x.Failed, x.Errno, x.API, x.Flags, x.Filled = e.Result < 0, e.Errno(), 0, e.Flags, e.Filled
	x.File, x.At, x.FD, x.ID = f, e.Offset, e.FD, e.File
	x.File2, x.At2, x.FD2, x.ID2 = f2, e.Offset2, e.FD2, e.File2
	x.Buffer = e.Buffer
}

// async makes it the access of an asynchronous operation.
func (x *Access) async(e *trace.AsyncOp, f *File) {
	x.Op, x.TID, x.Start, x.End, x.Bytes, x.Asked = e.Op, e.TID, e.Submit, max(e.Submit, e.Complete), e.Bytes(),
		e.Requested
	x.Failed, x.Errno, x.API, x.Flags, x.Filled = e.Result < 0, max(-e.Result, 0), e.API, e.Flags, 0
	x.File, x.At, x.FD, x.ID = f, e.Offset, -1, e.File
	x.File2, x.At2, x.FD2, x.ID2 = nil, 0, -1, 0
	x.Buffer = e.Buffer
}

// Out is the file that the access writes to, and where; nil if it only reads.
func (x *Access) Out() (*File, int64) {
	if x.Op == trace.OpWrite {
		return x.File, x.At
	}
	return x.File2, x.At2
}

// by says who did it, and which of the files hold data.
func (x *Access) by(p *Process) {
	out, _ := x.Out()
	x.Process = p
	x.Reads, x.Writes = x.File != nil && x.Op.Reads() && x.File.Data(), out != nil && out.Data()
}

// Synced reports whether the access returned when what it wrote was safe.
func (x *Access) Synced() bool {
	out, _ := x.Out()
	return x.Flags&(trace.FlagSync|trace.FlagDSync) != 0 || out != nil && out.Synced
}

// Direct reports whether the access goes past the page cache.
func (x *Access) Direct() bool { return x.Flags&trace.FlagDirect != 0 }
