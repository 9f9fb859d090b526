package survey

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A process counts as a writer if what it has in memory may have gone to others, by whatever way it did.
func TestWriters(t *testing.T) {
	const file, pipe, null, unknown = trace.FileID(1), trace.FileID(2), trace.FileID(3), trace.FileID(9)
	shared := trace.FlagShared | trace.FlagWrite
	for what, c := range map[string]struct {
		call         trace.Syscall
		writer, data bool
	}{
		"reads":                  {trace.Syscall{Op: trace.OpRead, File: file, Result: 5}, false, false},
		"writes a file":          {trace.Syscall{Op: trace.OpWrite, File: file, Result: 5}, true, true},
		"fails to":               {trace.Syscall{Op: trace.OpWrite, File: file, Result: -28}, false, false},
		"writes to a pipe":       {trace.Syscall{Op: trace.OpWrite, File: pipe, Result: 5}, true, false},
		"writes to a device":     {trace.Syscall{Op: trace.OpWrite, File: null, Result: 5}, false, false},
		"writes to one unknown":  {trace.Syscall{Op: trace.OpWrite, File: unknown, Result: 5}, true, true},
		"copies in the kernel":   {trace.Syscall{Op: trace.OpCopyRange, File: file, File2: file, Result: 5}, true, true},
		"clones":                 {trace.Syscall{Op: trace.OpClone, File: file, File2: file}, true, true},
		"maps a file to write":   {trace.Syscall{Op: trace.OpMmap, File: file, Flags: shared, Result: 4096}, true, true},
		"maps a file to read":    {trace.Syscall{Op: trace.OpMmap, File: file, Flags: trace.FlagShared}, false, false},
		"sends a file elsewhere": {trace.Syscall{Op: trace.OpSendfile, File: file, File2: pipe, Result: 5}, true, false},
	} {
		c.call.PID, c.call.TID = 42, 42
		s := New(trace.Header{})
		s.Batch(&trace.Batch{
			Files: []trace.File{
				{ID: file, Path: "/a", Inode: 1, Type: trace.FileRegular},
				{ID: pipe, Path: "pipe:[2]", Inode: 2, Type: trace.FilePipe},
				{ID: null, Path: "/dev/null", Inode: 3, Type: trace.FileChar},
			},
			Syscalls: []trace.Syscall{c.call},
		})
		if s.Writes(42) != c.writer || s.WroteData() != c.data {
			t.Errorf("%s: a writer: %v, data written: %v; want %v and %v", what, s.Writes(42), s.WroteData(), c.writer, c.data)
		}
		if s.Writes(43) {
			t.Errorf("%s: another process is a writer", what)
		}
	}
	s := New(trace.Header{})
	s.Batch(&trace.Batch{AsyncOps: []trace.AsyncOp{{Op: trace.OpWrite, PID: 7, TID: 7, Result: 5}}})
	if !s.Writes(7) || !s.WroteData() {
		t.Error("an asynchronous write makes no writer")
	}
}
