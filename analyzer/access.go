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
	process      *process
	reads        bool // from a file that holds data
	writes       bool // to one
}

func callAccess(e *trace.Syscall, f, f2 *file) access {
	var x access
	x.call(e, f, f2)
	return x
}

// call makes it the access of a call.
func (x *access) call(e *trace.Syscall, f, f2 *file) {
	x.op, x.tid, x.start, x.end, x.bytes, x.asked = e.Op, e.TID, e.Start, max(e.Start, e.End()), e.Bytes(), e.Requested
	x.failed, x.errno, x.api, x.flags, x.filled = e.Result < 0, e.Errno(), 0, e.Flags, e.Filled
	x.file, x.at, x.fd, x.id = f, e.Offset, e.FD, e.File
	x.file2, x.at2, x.fd2, x.id2 = f2, e.Offset2, e.FD2, e.File2
	x.buffer = e.Buffer
}

// async makes it the access of an asynchronous operation.
func (x *access) async(e *trace.AsyncOp, f *file) {
	x.op, x.tid, x.start, x.end, x.bytes, x.asked = e.Op, e.TID, e.Submit, max(e.Submit, e.Complete), e.Bytes(), e.Requested
	x.failed, x.errno, x.api, x.flags, x.filled = e.Result < 0, max(-e.Result, 0), e.API, e.Flags, 0
	x.file, x.at, x.fd, x.id = f, e.Offset, -1, e.File
	x.file2, x.at2, x.fd2, x.id2 = nil, 0, -1, 0
	x.buffer = e.Buffer
}

// out is the file that the access writes to, and where; nil if it only reads.
func (x *access) out() (*file, int64) {
	if x.op == trace.OpWrite {
		return x.file, x.at
	}
	return x.file2, x.at2
}

// by says who did it, and which of the files hold data.
func (x *access) by(p *process) {
	out, _ := x.out()
	x.process = p
	x.reads, x.writes = x.file != nil && x.op.Reads() && x.file.data(), out != nil && out.data()
}

// direct reports whether the access goes past the page cache.
func (x *access) direct() bool { return x.flags&trace.FlagDirect != 0 }
