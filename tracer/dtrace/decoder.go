package dtrace

import (
	"errors"
	"runtime"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/machine"
)

// config is what a Decoder must know beside the lines.
type config struct {
	Platform Platform
	Scope    tracer.Scope
	CPUs     int    // of the system, for the order of lines on Linux
	Self     uint32 // the recorder's process
	// Machine answers questions about the running system. Nil when a stored
	// text is decoded.
	Machine machine.System
	Now     func() int64 // time on the trace's clock; needed with Machine
	Devices []trace.Device
}

// decoder turns the lines of a script into events.
type decoder struct {
	cfg      config
	sink     trace.Sink
	order    *orderer
	base     int64 // DTrace's clock at time 0
	begun    bool
	calls    map[string]known
	fds      *fdtable.Table
	files    *fdtable.Files
	procs    map[uint32]*process
	requests *requests
	links    map[string]string // where paths lead that go through symbolic links
	last     int64             // ns: newest line passed on
	losses   losses
	count    counts
}

// counts says what the decoder met.
type counts struct {
	Damaged uint64
	Lost    map[trace.Kind]uint64
}

// known is what a probe's name stands for.
type known struct {
	index uint16
	call
}

// process is what is known of a process.
type process struct {
	name   string
	cwd    string
	parent uint32
	in     bool
	held   bool // the workload before its exec
	asked  bool
	maps   []mapping
}

// mapping is a mapped piece of a file, for msync.
type mapping struct {
	addr, size uint64
	file       trace.FileID
	offset     int64
}

// Bounds of what is kept.
const (
	maxProcs    = 1 << 16
	maxRequests = 1 << 14
	maxMappings = 256
	maxSuffixes = 1 << 18
)

// newDecoder returns a decoder that writes to sink.
func newDecoder(cfg config, sink trace.Sink) *decoder {
	d := &decoder{cfg: cfg, sink: sink, calls: map[string]known{}, fds: fdtable.NewTable(), procs: map[uint32]*process{},
		links: map[string]string{}}
	d.losses = losses{d, map[int32]*drops{}}
	d.requests = newRequests(d, cfg.Devices)
	d.count.Lost = map[trace.Kind]uint64{}
	var identify fdtable.Identify
	if cfg.Machine != nil {
		identify = cfg.Machine.Identify
	}
	d.files = fdtable.NewFiles(sink.File, identify)
	for i, c := range table(cfg.Platform) {
		d.calls[c.probe] = known{uint16(i), c}
	}
	for _, pid := range cfg.Scope.PIDs {
		d.process(pid).in = true
	}
	if cfg.Scope.Launch != 0 {
		p := d.process(cfg.Scope.Launch)
		p.in, p.held = true, true
	}
	d.order = newOrderer(cfg.CPUs, cfg.Platform == Darwin, d.record)
	return d
}

func table(p Platform) []call {
	if p == Darwin {
		return darwinCalls
	}
	return linuxCalls
}

// probeNames returns the names of a platform's system calls, by trace.Syscall.Call.
// The fcntl commands of macOS follow them.
func probeNames(p Platform) []string {
	var names []string
	for _, c := range table(p) {
		if names = append(names, c.probe); c.name != "" {
			names[len(names)-1] = c.name
		}
	}
	if p == Darwin {
		for _, c := range macos.Commands {
			names = append(names, macos.FcntlName(c.Name))
		}
	}
	return names
}

// Counts returns what was met so far.
func (d *decoder) Counts() counts { return d.count }

// Files is the register of files.
func (d *decoder) Files() *fdtable.Files { return d.files }

// Begin gives time 0 on DTrace's clock and announces the processes that are
// there. Called before the first line.
func (d *decoder) Begin(base int64) error {
	d.base, d.begun = base, true
	for pid, p := range d.procs {
		if p.held {
			if err := d.inspect(pid, p, nil); err != nil {
				return err
			}
			continue
		}
		e := trace.Process{Action: trace.ProcessPresent, PID: pid, TID: pid}
		if err := d.inspect(pid, p, &e); err != nil {
			return err
		}
		if err := d.sink.Process(&e); err != nil {
			return err
		}
	}
	return nil
}

// Line takes the next line. A line that cannot be read is counted; only an
// error of the sink, or a line of another version, is an error.
func (d *decoder) Line(line string) error {
	r, err := parseRecord(line)
	if r.Kind == KindVersion && err != nil && !errors.Is(err, errLine) {
		return err
	}
	if err != nil {
		d.count.Damaged++
		return nil
	}
	switch r.Kind {
	case KindVersion:
		if !d.begun {
			return d.Begin(r.Time)
		}
		return nil
	case KindEnd:
		return d.order.Flush()
	case KindTick:
		if err := d.losses.tick(&r); err != nil {
			return err
		}
	}
	return d.order.Add(&r)
}

// Flush passes on what still waits: for lines of other CPUs, or to be counted.
func (d *decoder) Flush() error { return errors.Join(d.order.Flush(), d.losses.flush()) }

// Lost records that DTrace dropped lines. Where in the text they are missing is
// not known, only that they were dropped since it last looked; descriptors may
// stand for other files now.
func (d *decoder) Lost(l loss, now int64) error {
	d.fds.Clear()
	d.files.ForgetSizes()
	for _, p := range d.procs {
		p.asked = false
		p.maps = nil
	}
	return d.losses.lost(l, now)
}

func (d *decoder) at(t int64) int64 { return t - d.base }

// record takes a line in its order.
func (d *decoder) record(r *Record) error {
	d.last = max(d.last, d.at(r.Time))
	switch r.Kind {
	case KindCall:
		return d.call(r)
	case KindFork:
		return d.fork(r)
	case KindExec:
		return d.exec(r)
	case KindExit:
		return d.exit(r)
	case KindStart:
		return d.requests.start(r)
	case KindDone:
		return d.requests.done(r)
	}
	return nil
}

func (d *decoder) process(pid uint32) *process {
	p := d.procs[pid]
	if p == nil {
		if len(d.procs) >= maxProcs {
			for id := range d.procs {
				delete(d.procs, id)
				break
			}
		}
		p = &process{}
		d.procs[pid] = p
	}
	return p
}

// inspect asks the machine what a process is, and completes its event. What it
// has open is taken over only if that was not known.
func (d *decoder) inspect(pid uint32, p *process, e *trace.Process) error {
	if d.cfg.Machine == nil || p.asked && e == nil {
		return nil
	}
	known := p.asked
	p.asked = true
	in, ok := d.cfg.Machine.Inspect(pid)
	if !ok {
		return nil
	}
	if p.name == "" {
		p.name = in.Name
	}
	if e != nil {
		e.Args, e.Exe, e.UID = in.Args, in.Exe, in.UID
		if e.Parent == 0 {
			e.Parent = in.Parent
		}
		if e.Command == "" {
			e.Command = trace.Comm(in.Name)
		}
	}
	if known {
		return nil
	}
	if p.cwd == "" {
		p.cwd = in.Dir
	}
	return in.Inherit(d.fds, d.files, max(d.cfg.Now(), 0))
}

// known returns the process of a line, announcing it if a name brought it in.
func (d *decoder) known(r *Record) (*process, error) {
	p := d.process(r.PID)
	if p.in {
		return p, d.inspect(r.PID, p, nil)
	}
	p.in = true
	e := trace.Process{Time: max(d.at(r.Time), 0), Action: trace.ProcessPresent, PID: r.PID, TID: r.PID}
	if err := d.inspect(r.PID, p, &e); err != nil {
		return p, err
	}
	return p, d.sink.Process(&e)
}

func (d *decoder) fork(r *Record) error {
	if r.Other == r.PID { // a thread, on Linux
		return nil
	}
	parent := d.process(r.PID)
	if !parent.in && !d.cfg.Scope.All || d.procs[r.Other] != nil && d.procs[r.Other].parent == r.PID && r.PID != 0 &&
		d.procs[r.Other].in {
		return nil
	}
	delete(d.procs, r.Other)
	c := d.process(r.Other)
	*c = process{name: parent.name, cwd: parent.cwd, parent: r.PID, in: true, held: parent.held, asked: true}
	d.fds.Fork(r.PID, r.Other)
	if c.held {
		return nil
	}
	return d.sink.Process(&trace.Process{Time: max(d.at(r.Time), 0), Action: trace.ProcessFork, PID: r.Other, TID: r.Other,
		Parent: r.PID, Command: trace.Comm(parent.name)})
}

func (d *decoder) exec(r *Record) error {
	p := d.process(r.PID)
	p.in, p.held, p.name, p.maps = true, false, r.Path, nil
	d.fds.Exec(r.PID)
	e := trace.Process{Time: max(d.at(r.Time), 0), Action: trace.ProcessExec, PID: r.PID, TID: r.PID, Parent: p.parent,
		Command: trace.Comm(r.Path)}
	if err := d.inspect(r.PID, p, &e); err != nil {
		return err
	}
	return d.sink.Process(&e)
}

func (d *decoder) exit(r *Record) error {
	p := d.procs[r.PID]
	const exited = 1
	if p == nil || !p.in || p.held || r.Cause == exited && r.Status < 0 {
		return nil // the last one: a thread, not the process
	}
	delete(d.procs, r.PID)
	d.fds.Exit(r.PID)
	status := int32(r.Status&0xff) << 8
	if r.Cause != exited {
		status = 9 // killed: by which signal is not told
	}
	return d.sink.Process(&trace.Process{Time: max(d.at(r.Time), 0), Action: trace.ProcessExit, PID: r.PID, TID: r.PID,
		Parent: p.parent, Status: status, Command: trace.Comm(p.name)})
}

// cwdFD is the number that stands for the working directory in *at calls.
func (d *decoder) cwdFD() int32 {
	if d.cfg.Platform == Darwin {
		return macos.ATFdCwd
	}
	return -100
}

func (d *decoder) wrote(write bool, file trace.FileID, pid uint32, off, n int64) {
	switch {
	case !write || n <= 0:
	case file == 0:
		d.files.ForgetSizes()
	default:
		d.files.Wrote(file, pid, off, n)
	}
}

func (d *decoder) openFlags(o uint64) (f trace.IOFlags, cloexec bool) {
	if d.cfg.Platform == Darwin {
		return macos.OpenFlags(o), o&macos.OCloexec != 0
	}
	return linux.OpenFlags(o, runtime.GOARCH), o&linux.Cloexec != 0
}
