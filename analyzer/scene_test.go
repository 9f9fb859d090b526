package analyzer

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// scene builds a trace whose truth is known. Calls of the process that acts
// (pid) follow one another on a clock that the test moves; requests and waits
// are placed by hand. Events are written in the order of their ends, as a
// recorder does.
type scene struct {
	t      testing.TB
	header trace.Header
	end    trace.End
	cut    bool // no end frame
	batch  int  // events per batch; 0 leaves it to the writer
	now    int64
	pid    uint32
	tid    uint32
	files  []trace.File
	events []placed
	size   map[trace.FileID]int64

	options Options
}

type placed struct {
	end   int64
	event any
}

const (
	ms  = int64(time.Millisecond)
	us  = int64(time.Microsecond)
	KiB = int64(1) << 10
	MiB = int64(1) << 20
)

var (
	nvme = trace.MakeDeviceID(259, 0)
	ext4 = trace.MakeDeviceID(259, 1) // its partition
)

// newScene starts with a command that was just executed on a machine with one
// disk.
func newScene(t testing.TB, command ...string) *scene {
	s := &scene{
		t: t, pid: 100, tid: 100, size: map[trace.FileID]int64{},
		header: trace.Header{
			Tool: "iotrace test", Backend: "ebpf", OS: "linux", Kernel: "6.18", Arch: "amd64", Host: "test", CPUs: 2,
			Memory: 1 << 32, Command: command, Dir: "/", PIDs: []uint32{100}, Scope: "command",
			WallStart: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
			Calls:     []string{"read", "write", "pread64", "pwrite64", "openat", "close", "rename", "copy_file_range"},
		},
		end: trace.End{CommandEnd: -1, Durable: -1, Reason: "exit"},
	}
	s.device(trace.Device{ID: nvme, Name: "nvme0n1", Model: "Test", MaxRequest: MiB, LogicalBlock: 512, QueueDepth: 1023})
	s.device(trace.Device{ID: ext4, Name: "nvme0n1p1", Parents: []trace.DeviceID{nvme}})
	s.now = 1 * ms
	if len(command) > 0 {
		s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExec, PID: 100, TID: 100, Parent: 1,
			Command: command[0], Exe: "/bin/" + command[0], Args: joined(command)})
	}
	return s
}

func joined(args []string) string {
	b := ""
	for _, a := range args {
		b += a + "\x00"
	}
	return b
}

func (s *scene) put(end int64, event any) { s.events = append(s.events, placed{end, event}) }

func (s *scene) device(d trace.Device) { s.put(0, &d) }

// identify gives a number to a file.
func (s *scene) identify(f trace.File) trace.FileID {
	f.ID = trace.FileID(len(s.files) + 1)
	f.Time = s.now
	if f.Type == trace.FileUnknown && f.Inode != 0 {
		f.Type = trace.FileRegular
	}
	s.files = append(s.files, f)
	s.size[f.ID] = f.Size
	s.put(s.now, &f)
	return f.ID
}

// file is a regular file that was there before.
func (s *scene) file(path string, size int64) trace.FileID {
	return s.identify(trace.File{Path: path, Device: ext4, Inode: uint64(1000 + len(s.files)), Size: size, FSType: "ext4",
		Mount: "/"})
}

// again gives one more number to the inode of a file, under another name.
func (s *scene) again(id trace.FileID, path string) trace.FileID {
	f := s.files[id-1]
	f.Path = path
	f.Size = s.size[id]
	return s.identify(f)
}

// name is a path that led to no file.
func (s *scene) name(path string) trace.FileID { return s.identify(trace.File{Path: path}) }

func (s *scene) pipe(ino uint64) trace.FileID {
	return s.identify(trace.File{Path: "pipe:[1]", Device: trace.MakeDeviceID(0, 14), Inode: ino, Type: trace.FilePipe,
		FSType: "pipefs"})
}

// call is a call of the acting thread; it moves the clock to its end.
func (s *scene) call(c trace.Syscall, duration int64) *trace.Syscall {
	c.Start, c.Duration, c.PID, c.TID = s.now, duration, s.pid, s.tid
	if c.FD == 0 {
		c.FD = -1
	}
	c.FD2 = -1
	s.now += duration
	s.put(s.now, &c)
	return &c
}

func (s *scene) think(d int64) { s.now += d }

func (s *scene) open(f trace.FileID, flags trace.IOFlags) {
	s.call(trace.Syscall{Op: trace.OpOpen, Call: 4, File: f, Flags: flags, Result: 3, Offset: trace.NoOffset}, 5*us)
}

// create opens a file that was not there.
func (s *scene) create(path string) trace.FileID {
	f := s.file(path, 0)
	s.open(f, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc|trace.FlagExcl)
	return f
}

func (s *scene) close(f trace.FileID) {
	s.call(trace.Syscall{Op: trace.OpClose, Call: 5, File: f, Offset: trace.NoOffset}, 1*us)
}

func (s *scene) read(f trace.FileID, at, n, duration int64) {
	s.call(trace.Syscall{Op: trace.OpRead, File: f, Offset: at, Requested: n, Result: n, Flags: trace.FlagRead}, duration)
}

func (s *scene) write(f trace.FileID, at, n, duration int64) {
	s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, File: f, Offset: at, Requested: n, Result: n, Flags: trace.FlagWrite},
		duration)
	s.size[f] = max(s.size[f], at+n)
}

func (s *scene) rename(from, to trace.FileID) {
	s.call(trace.Syscall{Op: trace.OpRename, Call: 6, File: from, File2: to, Offset: trace.NoOffset}, 8*us)
}

// request is a block request of the workload.
func (s *scene) request(op trace.ReqOp, f trace.FileID, at, n, issued, completed int64) *trace.Request {
	r := &trace.Request{
		Queued: issued - 2*us, Issued: issued, Completed: completed, Device: nvme,
		Sector: uint64(f)<<24 + uint64(max(at, 0))/512,
		Bytes:  n, Op: op, File: f, Offset: at, Evidence: trace.EvidenceInode, PID: s.pid, TID: s.tid, Owner: s.pid, Bios: 1,
	}
	s.put(completed, r)
	return r
}

func (s *scene) wait(cause trace.WaitCause, start, end int64) {
	s.put(end, &trace.Wait{Start: start, Duration: end - start, PID: s.pid, TID: s.tid, Cause: cause})
}

// act makes another process act, from now on.
func (s *scene) act(pid uint32) { s.pid, s.tid = pid, pid }

func (s *scene) fork(child uint32, command string) {
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessFork, PID: child, TID: child, Parent: s.pid,
		Command: command})
}

func (s *scene) exit(status int32) {
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExit, PID: s.pid, TID: s.pid, Status: status << 8,
		CPU: s.now})
}

// returns ends the command now; what follows is draining.
func (s *scene) returns() {
	s.exit(0)
	s.end.CommandEnd = s.now
	s.end.Duration = s.now
	s.end.Durable = s.now
}

// durable ends the recording at a time at which all data was written back.
func (s *scene) durable(at int64) { s.end.Duration, s.end.Durable = at, at }

// save writes the trace to a file.
func (s *scene) save() string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "test.iotrace")
	f, err := os.Create(path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	w, err := tracefile.NewWriter(f, s.header)
	if err != nil {
		s.t.Fatal(err)
	}
	slices.SortStableFunc(s.events, func(a, b placed) int { return cmp.Compare(a.end, b.end) })
	for i, e := range s.events {
		if err := write(w, e.event); err != nil {
			s.t.Fatal(err)
		}
		if s.batch > 0 && i%s.batch == s.batch-1 {
			if err := w.Flush(); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	if s.cut {
		err = w.Flush()
	} else {
		if s.end.Duration == 0 {
			s.end.Duration = s.now
		}
		err = w.Close(s.end)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return path
}

func write(w *tracefile.Writer, event any) error {
	switch e := event.(type) {
	case *trace.Syscall:
		return w.Syscall(e)
	case *trace.AsyncOp:
		return w.AsyncOp(e)
	case *trace.Fault:
		return w.Fault(e)
	case *trace.Request:
		return w.Request(e)
	case *trace.Wait:
		return w.Wait(e)
	case *trace.Process:
		return w.Process(e)
	case *trace.File:
		return w.File(e)
	case *trace.Device:
		return w.Device(e)
	case *trace.Lost:
		return w.Lost(e)
	case *trace.RPC:
		return w.RPC(e)
	}
	panic("no event")
}

// profile analyses the trace.
func (s *scene) profile() *profile.Profile {
	s.t.Helper()
	s.options.Charts = true
	p, err := Analyze(s.save(), s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}
