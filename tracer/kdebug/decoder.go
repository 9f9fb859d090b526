// Package kdebug records on macOS through the kernel's own trace facility, the
// one fs_usage and Instruments use. It needs root and no other tracer, and
// works with System Integrity Protection on.
//
// The package has two halves. Decoder turns the kernel's 64-byte records into
// events; it works on byte slices and is the same on every system. Source sets
// the kernel up by sysctl(3) and feeds a Decoder. It exists on macOS only, but
// all of its logic is above the small kernel interface and tested everywhere.
//
// Trace points, layouts and numbers are those of xnu-11417 (macOS 15.4), from
// bsd/sys/kdebug.h, bsd/kern/kdebug.c and bsd/kern/trace_codes. The places that
// log are bsd/dev/{arm,i386}/systemcalls.c, bsd/vfs/vfs_lookup.c,
// bsd/miscfs/specfs/spec_vnops.c, bsd/vfs/vfs_bio.c, osfmk/kern/thread.c.
package kdebug

import (
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// Config is what a Decoder must know beside the records.
type Config struct {
	Scope    tracer.Scope
	Timebase Timebase
	Start    uint64 // mach ticks at time 0
	Self     uint32 // the recorder's process: never recorded, its requests are marked
	// Machine answers questions about the running system. Nil when a stored
	// stream is decoded.
	Machine machine.System
	// Now is the time on the trace's clock; needed with Machine.
	Now func() int64
	// Devices are the disks that the trace tells of already.
	Devices []trace.Device
	// Names are the paths of vnodes when the recording began. The decoder takes
	// them over.
	Names map[uint64]string
}

// Decoder turns kdebug records into events. It is not safe for concurrent use.
type Decoder struct {
	sink  trace.Sink
	scope tracer.Scope
	tick  Timebase
	start uint64
	self  uint32
	sys   machine.System
	clock func() int64

	threads    map[uint64]*thread
	last       *thread
	procs      map[uint32]*process
	names      map[string]bool
	vnodes     map[uint64]trace.FileID
	vnodePaths map[uint64]string // of vnodes that nothing recorded has looked up yet
	disk       map[uint64]request
	devices    *machine.Disks
	volumes    *volumes
	helpers    int
	aio        map[aioKey]aioOp
	fds        *fdtable.Table
	files      *fdtable.Files

	parents   map[uint32]uint32 // of the processes that ran after a loss
	parentsAt uint64            // number of losses then

	now     int64 // time of the newest record, ns
	stats   Counts
	ownSeen bool
	err     error
	path    []byte   // scratch for absolute paths
	fin     finished // scratch for the call being finished
}

// Counts says what the decoder met.
type Counts struct {
	Lost    uint64 // loss records: gaps, not events
	Orphans uint64 // ends of calls whose beginning was not seen
}

// NewDecoder returns a decoder that writes to sink.
func NewDecoder(cfg Config, sink trace.Sink) *Decoder {
	if cfg.Timebase.Denom == 0 || cfg.Timebase.Numer == 0 {
		cfg.Timebase = Timebase{1, 1}
	}
	d := &Decoder{
		sink: sink, scope: cfg.Scope, tick: cfg.Timebase, start: cfg.Start, self: cfg.Self, sys: cfg.Machine, clock: cfg.Now,
		threads: map[uint64]*thread{}, procs: map[uint32]*process{}, names: map[string]bool{},
		vnodes: map[uint64]trace.FileID{}, disk: map[uint64]request{},
		devices: machine.NewDisks(cfg.Machine, cfg.Devices, sink.Device),
		aio:     map[aioKey]aioOp{}, fds: fdtable.NewTable(), vnodePaths: cfg.Names,
	}
	var identify fdtable.Identify
	if cfg.Machine != nil {
		identify = cfg.Machine.Identify
	}
	d.volumes = newVolumes(d)
	d.files = fdtable.NewFiles(d.volumes.file, identify)
	for _, n := range cfg.Scope.Names {
		d.names[trace.Comm(n)] = true
	}
	for _, pid := range cfg.Scope.PIDs {
		d.process(pid).in = true
	}
	if pid := cfg.Scope.Launch; pid != 0 {
		p := d.process(pid)
		p.in, p.held = true, true
	}
	return d
}

// Counts returns what was met so far.
func (d *Decoder) Counts() Counts { return d.stats }

// Files is the register of files, for the list of written ones.
func (d *Decoder) Files() *fdtable.Files { return d.files }

// Told takes from a table, which names the file of each call, which file a descriptor is.
func (d *Decoder) Told(pid uint32, fd int32, path string, at int64) error {
	if o := d.fds.Get(pid, fd); fd < 0 || o != nil && d.files.Path(o.File) == path {
		return d.err
	}
	id, err := d.files.Named(path, max(at, 0), 0)
	if d.keep(err); id != 0 {
		d.fds.Set(pid, fd, &fdtable.Open{File: id, Offset: trace.NoOffset, Dir: path, Stream: d.files.Stream(id)}, false)
	}
	return d.err
}

// TakeOwn reports whether a record of the recorder's own was met since the last
// call: its sysctl calls are traced, so tracing is alive.
func (d *Decoder) TakeOwn() bool {
	seen := d.ownSeen
	d.ownSeen = false
	return seen
}

func (d *Decoder) at(ticks uint64) int64 { return d.tick.ns(int64(ticks - d.start)) }

// keep remembers the first error of the sink; decoding ends with it.
func (d *Decoder) keep(err error) {
	if err != nil && d.err == nil {
		d.err = err
	}
}

// vnode remembers which file a vnode is, to name the file of disk requests.
func (d *Decoder) vnode(v uint64, id trace.FileID) {
	if v == 0 || id == 0 {
		return
	}
	if len(d.vnodes) >= fdtable.MaxFiles {
		clear(d.vnodes)
	}
	d.vnodes[v] = id
}

// lost forgets everything that a missing record may have changed: calls and
// requests in flight, descriptors, mappings. The kernel says that records were
// lost before a time, never how many.
func (d *Decoder) lost(until int64) {
	d.stats.Lost++
	for _, t := range d.threads {
		t.call.active, t.exec = false, false
		t.look.reset()
		t.disk = pendingIoctl{}
		t.inside, t.issued, t.wait, t.completed = 0, 0, waiting{}, completion{}
	}
	clear(d.disk)
	clear(d.aio)
	d.volumes.lost()
	d.fds.Clear()
	d.files.ForgetSizes()
	for _, p := range d.procs {
		p.asked = false // what it has open now is worth asking again
		p.maps = nil
	}
	from := min(d.now, until)
	d.keep(d.sink.Lost(&trace.Lost{From: from, To: until, Count: 1, Kind: trace.KindSyscall, CPU: -1}))
}

// Restarted is called when tracing had stopped and was started again: what
// happened between is lost.
func (d *Decoder) Restarted(at int64) error {
	d.lost(max(at, d.now))
	return d.err
}

// thread returns the state of a thread, making room if there are too many: the
// kernel has at most a few thousand, so more are those of damaged input.
func (d *Decoder) thread(tid uint64) *thread {
	if t := d.last; t != nil && t.tid == tid {
		return t
	}
	t := d.threads[tid]
	if t == nil {
		if len(d.threads) >= maxThreads {
			for id := range d.threads {
				delete(d.threads, id)
				break
			}
		}
		t = &thread{tid: tid}
		d.threads[tid] = t
	}
	d.last = t
	return t
}

// process returns the state of a process.
func (d *Decoder) process(pid uint32) *process {
	p := d.procs[pid]
	if p == nil {
		if len(d.procs) >= maxProcs {
			for id := range d.procs {
				delete(d.procs, id)
				break
			}
		}
		p = &process{pid: pid, in: d.scope.All && pid != d.self && pid != 0}
		d.procs[pid] = p
	}
	return p
}
