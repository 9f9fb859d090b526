// Package machine answers what a recording backend asks about the running system, apart from its events: what a file, a
// process or a disk is. Answers may come too late (the file or process is gone); then they are empty.
//
// It also asks what events do not tell. Who held the locks and had the other ends of pipes and sockets that recorded
// processes waited for? What did the kernel count meanwhile of drives, processors and the command? What do control
// groups allow, and which are those of containers?
package machine

import (
	"path/filepath"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// System is a running machine. Live returns the one this program runs on.
type System interface {
	// Identify completes the identity of a file from its path.
	Identify(*trace.File)
	// Resolve follows the symbolic links of a path; "" if it leads nowhere.
	Resolve(path string) string
	// Inspect tells what a process is and what it has open.
	Inspect(pid uint32) (Process, bool)
	// Processes lists the running processes, without what they have open.
	Processes() []Process
	// Threads lists the threads of a process.
	Threads(pid uint32) []uint64
	// Devices lists the block devices.
	Devices() []trace.Device
}

// Process is a snapshot of a running process.
type Process struct {
	PID    uint32
	Parent uint32
	UID    uint32
	Name   string
	Exe    string
	Args   string // joined by NUL
	Dir    string // working directory
	Files  []OpenFile
	Before bool // looked at when the recording began: it was so for all of its events
}

// OpenFile is a descriptor of a running process that refers to a named file.
type OpenFile struct {
	FD          int32
	Path        string
	Offset      int64
	Flags       trace.IOFlags
	CloseOnExec bool
}

// Inherit enters what a process has open into a table that knows nothing of it.
// at is the time of the snapshot, ns on the trace's clock: records of calls that
// ended before may still be on their way.
func (p *Process) Inherit(fds *fdtable.Table, files *fdtable.Files, at int64) error {
	if p.Before {
		at = 0
	}
	for _, f := range p.Files {
		id, err := files.ID([]byte(f.Path), at, 0)
		if err != nil {
			return err
		}
		fds.Set(p.PID, f.FD, &fdtable.Open{File: id, Flags: f.Flags, Offset: f.Offset, Dir: f.Path, Stream: files.Stream(id),
			Since: at}, f.CloseOnExec)
	}
	return nil
}

// Remember looks at processes now, and returns a System that answers the first
// question about each of them from what was seen. Events are read with a delay;
// by then a process may have closed files, or ended.
func Remember(sys System, pids ...uint32) System {
	r := &remembering{System: sys, seen: map[uint32]Process{}}
	for _, pid := range pids {
		if pid == 0 { // nothing is launched
			continue
		}
		if p, ok := sys.Inspect(pid); ok {
			p.Before = true
			r.seen[pid] = p
		}
	}
	return r
}

// remembering is used by one goroutine.
type remembering struct {
	System
	seen map[uint32]Process
}

func (r *remembering) Inspect(pid uint32) (Process, bool) {
	if p, ok := r.seen[pid]; ok {
		delete(r.seen, pid)
		return p, true
	}
	return r.System.Inspect(pid)
}

// Chosen are the running processes with some numbers or names, and all that they have started.
func Chosen(sys System, pids []uint32, names []string) map[uint32]bool {
	set := map[uint32]bool{}
	for _, pid := range pids {
		set[pid] = true
	}
	if len(pids)+len(names) == 0 {
		return set
	}
	Choose(set, names, sys.Processes())
	return set
}

// Choose adds to a set of processes those with some names, and then all that the processes of the set have started.
func Choose(set map[uint32]bool, names []string, running []Process) {
	for _, p := range running {
		for _, n := range names {
			if trace.Comm(p.Name) == trace.Comm(n) {
				set[p.PID] = true
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range running {
			if !set[p.PID] && set[p.Parent] {
				set[p.PID] = true
				grown = true
			}
		}
	}
}

// resolve is Resolve for every system.
func resolve(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return real
}

// fileType translates the S_IFMT bits of a mode; they are the same on Linux
// and macOS.
func fileType(mode uint32) trace.FileType {
	switch mode & 0o170000 {
	case 0o100000:
		return trace.FileRegular
	case 0o040000:
		return trace.FileDirectory
	case 0o120000:
		return trace.FileSymlink
	case 0o010000:
		return trace.FilePipe
	case 0o140000:
		return trace.FileSocket
	case 0o060000:
		return trace.FileBlock
	case 0o020000:
		return trace.FileChar
	}
	return trace.FileUnknown
}
