package dtrace

import (
	"errors"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/fdtable"
	"github.com/iotrace/iotrace/tracer/machine"
	"github.com/iotrace/iotrace/tracer/macos"
)

// Config is what a Decoder must know beside the lines.
type Config struct {
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

// Decoder turns the lines of a script into events.
type Decoder struct {
	cfg    Config
	sink   tracer.Sink
	order  *orderer
	base   int64 // DTrace's clock at time 0
	begun  bool
	calls  map[string]known
	fds    *fdtable.Table
	files  *fdtable.Files
	procs  map[uint32]*process
	blocks map[trace.DeviceID]int64
	open   []request               // disk requests under way
	suffix map[string]trace.FileID // by the last two parts of a path
	links  map[string]string       // where paths lead that go through symbolic links
	last   int64                   // ns: newest line passed on
	drops  map[int32]*drops        // by CPU
	count  Counts
}

// Counts says what the decoder met.
type Counts struct {
	Lines   uint64
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

// NewDecoder returns a decoder that writes to sink.
func NewDecoder(cfg Config, sink tracer.Sink) *Decoder {
	d := &Decoder{cfg: cfg, sink: sink, calls: map[string]known{}, fds: fdtable.NewTable(), procs: map[uint32]*process{},
		blocks: map[trace.DeviceID]int64{}, suffix: map[string]trace.FileID{}, links: map[string]string{}, drops: map[int32]*drops{}}
	d.count.Lost = map[trace.Kind]uint64{}
	var identify fdtable.Identify
	if cfg.Machine != nil {
		identify = cfg.Machine.Identify
	}
	d.files = fdtable.NewFiles(sink.File, identify)
	for i, c := range table(cfg.Platform) {
		d.calls[c.probe] = known{uint16(i), c}
	}
	for _, e := range cfg.Devices {
		d.blocks[e.ID] = e.LogicalBlock
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

// Names returns the names of a platform's system calls, by trace.Syscall.Call.
// The fcntl commands of macOS follow them.
func Names(p Platform) []string {
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
func (d *Decoder) Counts() Counts { return d.count }

// Files is the register of files.
func (d *Decoder) Files() *fdtable.Files { return d.files }

// Begin gives time 0 on DTrace's clock and announces the processes that are
// there. Called before the first line.
func (d *Decoder) Begin(base int64) error {
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
func (d *Decoder) Line(line string) error {
	d.count.Lines++
	r, err := parse(line)
	if r.kind == kindVersion && err != nil && !errors.Is(err, errLine) {
		return err
	}
	if err != nil {
		d.count.Damaged++
		return nil
	}
	switch r.kind {
	case kindVersion:
		if !d.begun {
			return d.Begin(r.time)
		}
		return nil
	case kindEnd:
		return d.order.flush()
	case kindTick:
		if err := d.tick(&r); err != nil {
			return err
		}
	}
	return d.order.add(&r)
}

// Flush passes on what still waits: for lines of other CPUs, or to be counted.
func (d *Decoder) Flush() error {
	err := d.order.flush()
	for cpu, p := range d.drops {
		err = errors.Join(err, d.settle(cpu, p))
	}
	return err
}

func (d *Decoder) at(t int64) int64 { return t - d.base }

// record takes a line in its order.
func (d *Decoder) record(r *record) error {
	d.last = max(d.last, d.at(r.time))
	switch r.kind {
	case kindCall:
		return d.call(r)
	case kindFork:
		return d.fork(r)
	case kindExec:
		return d.exec(r)
	case kindExit:
		return d.exit(r)
	case kindStart:
		return d.start(r)
	case kindDone:
		return d.done(r)
	}
	return nil
}

func (d *Decoder) process(pid uint32) *process {
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
func (d *Decoder) inspect(pid uint32, p *process, e *trace.Process) error {
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
			e.Command = machine.Comm(in.Name)
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
func (d *Decoder) known(r *record) (*process, error) {
	p := d.process(r.pid)
	if p.in {
		return p, d.inspect(r.pid, p, nil)
	}
	p.in = true
	e := trace.Process{Time: max(d.at(r.time), 0), Action: trace.ProcessPresent, PID: r.pid, TID: r.pid}
	if err := d.inspect(r.pid, p, &e); err != nil {
		return p, err
	}
	return p, d.sink.Process(&e)
}

func (d *Decoder) fork(r *record) error {
	if r.other == r.pid { // a thread, on Linux
		return nil
	}
	parent := d.process(r.pid)
	if !parent.in && !d.cfg.Scope.All || d.procs[r.other] != nil && d.procs[r.other].parent == r.pid && r.pid != 0 && d.procs[r.other].in {
		return nil
	}
	delete(d.procs, r.other)
	c := d.process(r.other)
	*c = process{name: parent.name, cwd: parent.cwd, parent: r.pid, in: true, held: parent.held, asked: true}
	d.fds.Fork(r.pid, r.other)
	if c.held {
		return nil
	}
	return d.sink.Process(&trace.Process{Time: max(d.at(r.time), 0), Action: trace.ProcessFork, PID: r.other, TID: r.other,
		Parent: r.pid, Command: machine.Comm(parent.name)})
}

func (d *Decoder) exec(r *record) error {
	p := d.process(r.pid)
	p.in, p.held, p.name, p.maps = true, false, r.path, nil
	d.fds.Exec(r.pid)
	e := trace.Process{Time: max(d.at(r.time), 0), Action: trace.ProcessExec, PID: r.pid, TID: r.pid, Parent: p.parent,
		Command: machine.Comm(r.path)}
	if err := d.inspect(r.pid, p, &e); err != nil {
		return err
	}
	return d.sink.Process(&e)
}

func (d *Decoder) exit(r *record) error {
	p := d.procs[r.pid]
	const exited = 1
	if p == nil || !p.in || p.held || r.cause == exited && r.status < 0 {
		return nil // the last one: a thread, not the process
	}
	delete(d.procs, r.pid)
	d.fds.Exit(r.pid)
	status := int32(r.status&0xff) << 8
	if r.cause != exited {
		status = 9 // killed: by which signal is not told
	}
	return d.sink.Process(&trace.Process{Time: max(d.at(r.time), 0), Action: trace.ProcessExit, PID: r.pid, TID: r.pid,
		Parent: p.parent, Status: status, Command: machine.Comm(p.name)})
}

// remember makes a file findable by the last two parts of its path, which is
// what macOS says of the file of a request.
func (d *Decoder) remember(path string, id trace.FileID) {
	if d.cfg.Platform != Darwin || id == 0 {
		return
	}
	if len(d.suffix) >= maxSuffixes {
		clear(d.suffix)
	}
	d.suffix[lastTwo(path)] = id
}

func lastTwo(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return path
	}
	return path[strings.LastIndexByte(path[:i], '/')+1:]
}
