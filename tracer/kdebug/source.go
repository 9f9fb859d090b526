package kdebug

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// Options configure a Source.
type Options struct {
	// Buffer is the size of the kernel's trace buffer in bytes. 0 means
	// DefaultBuffer. The kernel limits it to half of its memory.
	Buffer int64
}

// DefaultBuffer is the size of the kernel's buffer: 2 M records. A call takes
// two records, and one or two more with a path.
const DefaultBuffer = 128 << 20

const (
	// The reader looks at the buffer at least this often; the kernel wakes it
	// earlier when the buffer is half full.
	pollMilliseconds = 40
	// readRecords is how many records are taken at once: the kernel copies at
	// most 8192 at a time internally.
	readRecords = 64 << 10
	// silentDrains is after how many looks without a record of our own calls
	// tracing is taken for dead. Each look makes two such records.
	silentDrains = 3
)

// Source is a tracer.Source that records through kdebug.
type Source struct {
	opts    Options
	sys     machine.System
	tick    Timebase
	self    uint32
	model   macos.Model
	clock   func() time.Time
	session session

	scope   tracer.Scope
	devices []trace.Device
	begun   time.Time
	first   []byte // records that were read while attaching
	start   uint64 // ticks at time 0
	threads []ThreadEntry
	names   map[uint64]string // of vnodes

	mu      sync.Mutex // of what follows
	decoder *Decoder
	peak    int64
}

// newSource returns a source on a kernel.
func newSource(o Options, k kernel, sys machine.System, tick Timebase, self uint32, model macos.Model) *Source {
	if o.Buffer <= 0 {
		o.Buffer = DefaultBuffer
	}
	s := &Source{opts: o, sys: sys, tick: tick, self: self, model: model, clock: time.Now}
	s.session = session{k: k, name: func(pid uint32) string {
		p, _ := sys.Inspect(pid)
		return p.Name
	}}
	return s
}

// Name implements tracer.Source.
func (s *Source) Name() string { return "kdebug" }

// Calls implements tracer.Source.
func (s *Source) Calls() []string { return Names() }

// Now implements tracer.Source.
func (s *Source) Now() int64 { return s.clock().Sub(s.begun).Nanoseconds() }

// Attach implements tracer.Source.
func (s *Source) Attach(scope tracer.Scope) error {
	if err := scope.Unsupported(); err != nil {
		return err
	}
	s.scope = scope
	s.devices = s.sys.Devices()
	if err := s.session.open(int(s.opts.Buffer / RecordSize)); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return errors.Join(err, s.session.close())
	}
	s.sys = machine.Remember(s.sys, append(slices.Clone(s.scope.PIDs), scope.Launch)...)
	return nil
}

// begin starts tracing and finds time 0 in the records of the recorder's own
// calls: they show that records arrive at all, and tie the kernel's clock to
// ours to within some microseconds.
func (s *Source) begin() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := s.session.start(); err != nil {
		return err
	}
	list, err := s.session.threads()
	if err != nil {
		return err
	}
	s.threads = list
	b := make([]byte, readRecords*RecordSize)
	if s.names, err = s.vnodeNames(b); err != nil {
		return err
	}
	for try := range silentDrains {
		if try > 0 { // so many names may have filled the buffer while it was read
			if err := s.session.start(); err != nil {
				return err
			}
		}
		s.begun = s.clock()
		n, err := s.session.read(b)
		if err != nil {
			return err
		}
		s.first = append(s.first, b[:n]...)
		if at, ok := lastOwn(s.first, s.self); ok {
			s.start = at
			s.pids()
			return nil
		}
	}
	return fmt.Errorf("starting to trace: %w: the kernel accepted everything but logs no system calls; "+
		"try --backend fs_usage", tracer.ErrUnsupported)
}

// maxNames bounds the vnodes whose path is kept: kernels have about a quarter of
// a million of them.
const maxNames = 1 << 18

// vnodeNames has the kernel log the path of every vnode of its local volumes, and
// reads them. Disk requests name their file by its vnode, and what was opened or
// mapped before the recording is not looked up again. What else is in the buffer
// is older than the recording and dropped. No names are no error: kernels before
// macOS 15.4 do not log paths in full, and others may refuse.
func (s *Source) vnodeNames(b []byte) (map[uint64]string, error) {
	if s.session.k.tracePaths() != nil {
		return nil, nil
	}
	own := map[uint64]bool{}
	for _, t := range s.threads {
		own[t.TID] = own[t.TID] || t.PID == s.self
	}
	names := map[uint64]string{}
	var l lookup
	for {
		n, err := s.session.read(b)
		if err != nil {
			return nil, err
		}
		var r Record
		for at := 0; at < n; at += RecordSize {
			r.get(b[at:])
			if r.DebugID&idMask != Lookup || !own[r.Thread] {
				continue
			}
			l.add(&r)
			if l.n > 0 && l.path[0][0] == '/' && len(names) < maxNames {
				names[l.vnode[0]] = string(l.path[0])
			}
			l.n = 0
		}
		if n < len(b) {
			return names, nil
		}
	}
}

// lastOwn finds the newest end of a call of a process.
func lastOwn(b []byte, pid uint32) (ticks uint64, ok bool) {
	var r Record
	for ; len(b) >= RecordSize; b = b[RecordSize:] {
		r.get(b)
		if r.DebugID&groupMask == GroupCall && r.DebugID&funcMask == FuncEnd && uint32(r.Arg[3]) == pid {
			ticks, ok = r.Time, true
		}
	}
	return ticks, ok
}

// pids adds the descendants of the chosen processes to the scope.
func (s *Source) pids() {
	if s.scope.All || len(s.scope.PIDs)+len(s.scope.Names) == 0 {
		return
	}
	set := machine.Chosen(s.sys, s.scope.PIDs, s.scope.Names)
	delete(set, s.self)
	delete(set, 0)
	s.scope.PIDs = slices.Sorted(maps.Keys(set))
}

// Record implements tracer.Source.
func (s *Source) Record(ctx context.Context, sink trace.Sink) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := s.prepare(sink); err != nil {
		return err
	}
	b := make([]byte, readRecords*RecordSize)
	silent := 0
	for ctx.Err() == nil {
		if err := s.session.wait(pollMilliseconds); err != nil {
			return err
		}
		if err := s.drain(b); err != nil {
			return err
		}
		if s.alive() {
			silent = 0
		} else if silent++; silent >= silentDrains {
			if err := s.restart(); err != nil {
				return err
			}
			silent = 0
		}
	}
	return errors.Join(s.session.stop(), s.drain(b), s.session.close())
}

// prepare makes the decoder and gives it what is known before the first record.
func (s *Source) prepare(sink trace.Sink) error {
	if err := tracer.SendDevices(sink, s.devices); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decoder = NewDecoder(Config{Scope: s.scope, Timebase: s.tick, Start: s.start, Self: s.self, Machine: s.sys,
		Now: s.Now, Devices: s.devices, Names: s.names}, sink)
	if err := s.decoder.Seed(s.threads); err != nil {
		return err
	}
	s.nameVnodes()
	return s.decoder.Decode(s.first)
}

// nameVnodes looks up the files that were open before the recording began. The
// kernel logs each lookup with the vnode it led to, by which disk requests name
// their file.
func (s *Source) nameVnodes() {
	var f trace.File
	for _, path := range s.decoder.files.Paths() {
		f.Path = path
		s.sys.Identify(&f)
	}
}

// drain takes what is in the buffer. Our own calls are traced, so it is never
// quite empty: a read that was not filled is the last.
func (s *Source) drain(b []byte) error {
	total := int64(0)
	for {
		n, err := s.session.read(b)
		if err != nil {
			return err
		}
		s.mu.Lock()
		total += int64(n)
		s.peak = max(s.peak, total)
		err = s.decoder.Decode(b[:n])
		s.mu.Unlock()
		if err != nil || n < len(b) {
			return err
		}
	}
}

func (s *Source) alive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decoder.TakeOwn()
}

// restart turns tracing on again. The kernel turns it off by itself when the
// buffer fills up while it is being read.
func (s *Source) restart() error {
	if err := s.session.start(); err != nil {
		return fmt.Errorf("tracing stopped and could not be started again: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decoder.Restarted(s.Now())
}

// Written implements tracer.Source.
func (s *Source) Written() []trace.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.decoder == nil {
		return nil
	}
	return s.decoder.Files().Written()
}

// Stats implements tracer.Source. The kernel says that records were lost, never
// how many: each gap counts as one lost call.
func (s *Source) Stats() tracer.Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := tracer.Stats{Lost: map[trace.Kind]uint64{}}
	st.Cost.BufferSize = int64(s.session.buffer) * RecordSize
	st.Cost.BufferPeak = min(s.peak, st.Cost.BufferSize)
	if s.decoder == nil {
		return st
	}
	if c := s.decoder.Counts(); c.Lost > 0 {
		st.Lost[trace.KindSyscall] = c.Lost
	}
	return st
}

// Close implements tracer.Source.
func (s *Source) Close() error { return s.session.close() }
