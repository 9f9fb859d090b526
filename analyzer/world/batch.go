package world

import (
	"math"

	"github.com/iotrace/iotrace/trace"
)

// Batch takes the identities of a batch and the calls and asynchronous operations in it that change names, in the order
// in which they happened.
func (t *Files) Batch(b *trace.Batch) {
	files, ops := b.Files, b.AsyncOps
	change := func(c *trace.Syscall) {
		for len(files) > 0 && files[0].Time <= c.End() {
			t.bind(&files[0])
			files = files[1:]
		}
		t.early(files, c.File)
		t.early(files, c.File2)
		t.name(c)
	}
	completed := func(until int64) {
		for ; len(ops) > 0 && ops[0].Complete < until; ops = ops[1:] {
			if e := &ops[0]; e.File|e.File2 != 0 && renames(e.Op, e.Flags, e.Result) {
				change(asCall(e))
			}
		}
	}
	for i := range b.Syscalls {
		if c := &b.Syscalls[i]; renames(c.Op, c.Flags, c.Result) {
			completed(c.End())
			change(c)
		}
	}
	completed(math.MaxInt64)
	for i := range files {
		t.bind(&files[i])
	}
}

// asCall is the call that would have done what an asynchronous operation on names did.
func asCall(e *trace.AsyncOp) *trace.Syscall {
	return &trace.Syscall{Start: e.Submit, Duration: e.Complete - e.Submit, PID: e.PID, TID: e.TID, Op: e.Op,
		Flags: e.Flags, FD: -1, FD2: -1, File: e.File, File2: e.File2,
		Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: e.Result}
}

// early binds a number whose identity comes later in the batch than its use.
func (t *Files) early(files []trace.File, id trace.FileID) {
	if id == 0 || t.File(id) != nil {
		return
	}
	for i := range files {
		if files[i].ID == id {
			t.bind(&files[i])
			return
		}
	}
}

// renames reports whether what was done has changed names, or made or emptied a file.
func renames(op trace.Op, flags trace.IOFlags, result int64) bool {
	switch op {
	case trace.OpRename, trace.OpUnlink, trace.OpLink, trace.OpMkdir:
		return result == 0
	case trace.OpOpen:
		return result >= 0 && flags&(trace.FlagCreate|trace.FlagTrunc|trace.FlagWrite) != 0
	}
	return false
}
