package analyzer

import (
	"github.com/iotrace/iotrace/trace"
)

// access is a call or an asynchronous operation that moves data.
type access struct {
	op           trace.Op
	tid          uint32 // that called, or submitted
	start, end   int64
	bytes, asked int64
	failed       bool
	errno        int64          // of one that failed
	api          trace.AsyncAPI // 0 for a call
	flags        trace.IOFlags
	filled       int64
	file, file2  *file
	at, at2      int64
	fd, fd2      int32        // -1 if there is none
	id, id2      trace.FileID // the names by which the files were used
	buffer       uint64       // address in the memory of the process, 0 if not known
}

func callAccess(e *trace.Syscall, f, f2 *file) access {
	return access{
		op: e.Op, tid: e.TID, start: e.Start, end: max(e.Start, e.End()), bytes: e.Bytes(), asked: e.Requested, failed: e.Result < 0,
		flags: e.Flags, filled: e.Filled, file: f, at: e.Offset, file2: f2, at2: e.Offset2,
		errno: e.Errno(), fd: e.FD, fd2: e.FD2, id: e.File, id2: e.File2, buffer: e.Buffer,
	}
}

func asyncAccess(e *trace.AsyncOp, f *file) access {
	return access{
		op: e.Op, tid: e.TID, start: e.Submit, end: max(e.Submit, e.Complete), bytes: e.Bytes(), asked: e.Requested, failed: e.Result < 0,
		flags: e.Flags, file: f, at: e.Offset, api: e.API,
		errno: max(-e.Result, 0), fd: -1, fd2: -1, id: e.File, buffer: e.Buffer,
	}
}

// out is the file that the access writes to, and where; nil if it only reads.
func (x *access) out() (*file, int64) {
	if x.op == trace.OpWrite {
		return x.file, x.at
	}
	return x.file2, x.at2
}

// counts reports whether the access reads from, and writes to, a file that
// holds data.
func (x *access) counts() (reads, writes bool) {
	out, _ := x.out()
	return x.file != nil && x.op.Reads() && x.file.data(), out != nil && out.data()
}

// direct reports whether the access goes past the page cache.
func (x *access) direct() bool { return x.flags&trace.FlagDirect != 0 }
