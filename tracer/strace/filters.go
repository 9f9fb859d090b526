//go:build linux

package strace

import (
	"io/fs"
	"os"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// pending keeps back what a process does before it becomes the command: waiting, and finding it.
type pending struct {
	trace.Sink
	pid       uint32   // 0 once it is the command
	powerless []string // programs that ran without the rights that they have otherwise
}

// maxPowerless bounds them.
const maxPowerless = 8

func (h *pending) Syscall(e *trace.Syscall) error {
	if h.pid != 0 && e.PID == h.pid {
		return nil
	}
	return h.Sink.Syscall(e)
}

func (h *pending) Process(e *trace.Process) error {
	if h.pid != 0 && e.PID == h.pid {
		if e.Action == trace.ProcessFork || e.Action == trace.ProcessPresent {
			return nil
		}
		h.pid = 0
	}
	if e.Action == trace.ProcessExec && len(h.powerless) < maxPowerless && losesRights(e.Exe) {
		h.powerless = append(h.powerless, e.Exe)
	}
	return h.Sink.Process(e)
}

// losesRights reports whether a program has rights of its owner that it does not get while a user traces it, as
// execve(2) says.
func losesRights(program string) bool {
	info, err := os.Stat(program)
	return err == nil && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 && os.Geteuid() != 0
}

// used keeps the regular files that calls refer to.
type used struct {
	trace.Sink
	files []tracer.UsedFile
}

// maxUsed bounds them.
const maxUsed = 1 << 16

func (u *used) File(f *trace.File) error {
	if f.Type == trace.FileRegular && len(u.files) < maxUsed {
		u.files = append(u.files, tracer.UsedFile{ID: f.ID, Path: f.Path, Inode: f.Inode, Size: f.Size})
	}
	return u.Sink.File(f)
}

// list is what is known of them in the end: those that still have a name.
func (u *used) list(files *fdtable.Files) (list []tracer.UsedFile) {
	for _, f := range u.files {
		if f.Path = files.Path(f.ID); f.Path == "" {
			continue
		}
		writer, _ := files.Writer(f.ID)
		f.Written = writer != 0
		list = append(list, f)
	}
	return list
}
