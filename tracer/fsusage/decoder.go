package fsusage

import (
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// Config is what a Decoder must know beside the lines.
type Config struct {
	// Start is the time of day of time 0, ns since midnight; negative means the
	// beginning of the first line's call.
	Start int64
	// Process tells which process a thread belongs to, and whether it is
	// recorded. Nil puts all threads with one command name into one process and
	// records them all: a text names no processes.
	Process func(tid uint64, command string) (pid uint32, recorded bool)
	// Identify completes files of the running machine; nil for a text.
	Identify fdtable.Identify
	// Devices are the disks of the running machine; nil for a text.
	Devices []trace.Device
	// Model is the running machine; a text tells it by itself.
	Model macos.Model
}

// Decoder turns lines into events.
type Decoder struct {
	sink  trace.Sink
	cfg   Config
	fds   *fdtable.Table
	files *fdtable.Files
	disks *disks

	silicon bool // lines are known to be of Apple silicon

	cuts    *cuts
	threads *threads // when a text is read
	cwds    map[uint32]string
	held    bounded.Held // bytes of cwds
	last    int64        // time of day of the newest line, without steps of the clock
	shift   int64        // added to times of day: midnights and steps of the clock
	begun   bool
	count   Counts
	err     error
}

// Counts says what the decoder met.
type Counts struct {
	Damaged uint64 // lines that could not be taken apart
	Skipped uint64 // lines of calls that no event stands for, and requests of no disk
	Steps   uint64 // times the wall clock was set back
}

// NewDecoder returns a decoder that writes to sink.
func NewDecoder(cfg Config, sink trace.Sink) *Decoder {
	d := &Decoder{sink: sink, cfg: cfg, silicon: cfg.Model == macos.AppleSilicon, fds: fdtable.NewTable(),
		files: fdtable.NewFiles(sink.File, cfg.Identify), disks: newDisks(sink, cfg.Devices), cwds: map[uint32]string{}}
	d.cuts, d.threads = newCuts(d.files), newThreads(d)
	return d
}

// Counts returns what was met so far.
func (d *Decoder) Counts() Counts { return d.count }

// Files is the register of files.
func (d *Decoder) Files() *fdtable.Files { return d.files }

// FDs is the table of descriptors.
func (d *Decoder) FDs() *fdtable.Table { return d.fds }

// Line takes the next line. Only an error of the sink is an error: a damaged
// line is counted and left out.
func (d *Decoder) Line(b []byte) error {
	if len(b) == 0 {
		return d.err
	}
	l, err := Parse(b)
	if err != nil {
		d.count.Damaged++
		return d.err
	}
	d.event(&l)
	return d.err
}

// Flush is called after the last line.
func (d *Decoder) Flush() error {
	d.threads.flush()
	return d.err
}

const day = int64(24 * time.Hour)

// end is when a line's call ended, ns since time 0. Times of day fall back at
// midnight, and when the clock is set back; both are made up for. What ended on
// two CPUs within a second may be printed in either order.
func (d *Decoder) end(l *Line) int64 {
	if !d.begun {
		d.begun = true
		if d.cfg.Start < 0 {
			d.cfg.Start = l.TimeOfDay - l.Elapsed
		}
		d.last = l.TimeOfDay
		if l.TimeOfDay < d.cfg.Start-day/2 {
			d.shift = day
		}
	}
	back := d.last - l.TimeOfDay
	switch {
	case back > day/2:
		d.shift += day
	case back > int64(time.Second):
		d.shift += back
		d.count.Steps++
	case back > 0:
		return l.TimeOfDay + d.shift - d.cfg.Start
	}
	d.last = l.TimeOfDay
	return l.TimeOfDay + d.shift - d.cfg.Start
}

// Lost records that fs_usage itself was overrun: it forgets the calls in
// flight, and descriptors may stand for other files now.
func (d *Decoder) Lost(from, to int64) error {
	d.fds.Clear()
	d.files.ForgetSizes()
	return d.sink.Lost(&trace.Lost{From: from, To: to, Count: 1, Kind: trace.KindSyscall, CPU: -1})
}

func (d *Decoder) event(l *Line) {
	end := d.end(l)
	start, flags := end-l.Elapsed, trace.IOFlags(0)
	if start < 0 { // it began before the recording
		start, flags = 0, trace.FlagPartial
	}
	if l.Disk {
		d.request(l, start, end)
		return
	}
	pid, recorded := d.process(l, start)
	if !recorded {
		d.count.Skipped++
		return
	}
	duration := max(end-start, 0)
	if d.special(l, pid, start, end) {
		return
	}
	k, ok := lookup(l)
	if !ok || k.op == trace.OpOther {
		d.count.Skipped++
		return
	}
	e := trace.Syscall{Start: start, Duration: duration, PID: pid, TID: uint32(l.TID), Op: k.op, Call: k.index,
		Flags: k.flags | flags, FD: l.FD, FD2: l.FD2, Offset: trace.NoOffset, Offset2: trace.NoOffset}
	if l.Errno != 0 {
		e.Result = -macos.Errno(l.Errno)
	}
	if !d.syscall(l, &e, k.shape, end) {
		d.count.Skipped++
		return
	}
	d.keep(d.sink.Syscall(&e))
}

// special takes what becomes no call, reports whether that is all, and remembers where processes are.
func (d *Decoder) special(l *Line, pid uint32, start, end int64) (done bool) {
	duration := max(end-start, 0)
	switch l.Call {
	case "THROTTLED":
		d.keep(d.sink.Wait(&trace.Wait{Start: start, Duration: duration, PID: pid, TID: uint32(l.TID),
			Cause: trace.WaitThrottle}))
		return true
	case "PAGE_IN", "PAGE_IN_FILE":
		d.keep(d.sink.Fault(&trace.Fault{Start: start, Duration: duration, PID: pid, TID: uint32(l.TID),
			File:   d.file(l, pid, end),
			Offset: trace.NoOffset}))
		return true
	case "IOCTL", "TrimExtent":
		if l.Device != "" {
			d.request(l, start, end)
			return true
		}
	case "exit":
		d.threads.exit(l, &trace.Process{Time: end, Action: trace.ProcessExit, PID: pid, TID: pid,
			Status: int32(l.Errno) << 8, Command: l.Command})
		return true
	case "chdir", "pthread_chdir":
		if l.Errno == 0 && strings.HasPrefix(l.Path, "/") {
			d.in(pid, l.Path)
		}
	case "fchdir", "pthread_fchdir":
		if o := d.fds.Get(pid, l.FD); o != nil && l.Errno == 0 {
			d.in(pid, o.Dir)
		}
	}
	return false
}

// process is the process of a line.
func (d *Decoder) process(l *Line, now int64) (pid uint32, recorded bool) {
	if d.cfg.Process != nil {
		return d.cfg.Process(l.TID, l.Command)
	}
	return d.threads.of(l, now).pid, true
}

// in says where the relative paths of a process begin.
func (d *Decoder) in(pid uint32, dir string) {
	d.held.Drop(len(d.cwds[pid]))
	if d.held.Add(len(dir)) {
		d.cwds[pid] = dir
	} else {
		delete(d.cwds, pid)
	}
}

// keep remembers the first error of the sink.
func (d *Decoder) keep(err error) {
	if err != nil && d.err == nil {
		d.err = err
	}
}

// file is the file a line names by path. A path is printed as it was looked up,
// or as the kernel has it; what begins elsewhere than at the root is relative.
func (d *Decoder) file(l *Line, pid uint32, now int64) trace.FileID {
	if l.Path == "" {
		return 0
	}
	base, flags := d.cwds[pid], trace.FileFlags(0)
	if l.DirFD >= 0 {
		base = ""
		if o := d.fds.Get(pid, l.DirFD); o != nil {
			base = o.Dir
		}
	}
	path := []byte(l.Path)
	if l.Cut {
		flags = trace.FileTruncated
	} else {
		path = macos.AppendAbsolute(nil, base, path)
	}
	id, err := d.cuts.file(path, max(now, 0), flags)
	d.keep(err)
	return id
}
