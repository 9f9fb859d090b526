// Package kdsim writes the kdebug records that a Mac would log while programs
// run on it, together with the truth about what those programs did. It models
// only what the records show: processes, threads, descriptors, files with a
// size, and disk requests. Record layouts are those of xnu-11417; what is
// logged at all is that of a release kernel, which is less on Apple silicon. It is a package of its own because tests
// of many packages record its Mac.
package kdsim

import (
	"path"
	"sort"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// timebases are how the machines count mach ticks: 24 million a second on Apple
// silicon, nanoseconds on Intel.
var timebases = map[macos.Model]kdebug.Timebase{macos.Intel: {Numer: 1, Denom: 1},
	macos.AppleSilicon: {Numer: 125, Denom: 3}}

// Call is the truth about one finished system call.
type Call struct {
	Name      string
	PID, TID  uint32
	Start     int64 // ticks since the machine's first
	End       int64
	FD        int32
	Path      string
	Path2     string
	Offset    int64 // -1 if it does not apply
	Requested int64
	Result    int64 // a negative one is a macOS error number
}

// Request is the truth about one disk request.
type Request struct {
	PID        uint32
	Path       string
	Device     uint64 // dev_t
	Read       bool
	Block      uint64
	Bytes      int64
	Start, End int64 // ticks
	Errno      int64
}

// Machine is a Mac under observation.
type Machine struct {
	Model    macos.Model
	Once     bool   // a file that is made is looked up once: what is logged is the vnode of its directory
	Base     uint64 // ticks at time 0
	Timebase kdebug.Timebase
	Calls    []Call
	Requests []Request
	Waits    []Wait
	Entries  []kdebug.ThreadEntry // the thread map at time 0

	records []kdebug.Record
	volumes []Volume
	files   map[string]*node
	nextTID uint64
	nextPID uint32
	nextID  uint64
	block   uint64
}

// node is a file or directory.
type node struct {
	path   string
	size   int64
	vnode  uint64
	dir    bool
	device uint64 // of a character device that the kernel takes for a disk
}

// descriptor is an open file description, shared by dup and fork.
type descriptor struct {
	node   *node
	offset int64
	append bool
}

type descr struct {
	*descriptor
	cloexec bool
}

// Process is a simulated process.
type Process struct {
	PID  uint32
	Name string
	Cwd  string
	fds  map[int32]descr
}

// New returns a machine with a root directory and the running process
// "launchd", whose main thread it returns.
func New(model macos.Model) (*Machine, *Thread) {
	m := &Machine{Model: model, Base: 5_000_000_000, Timebase: timebases[model], files: map[string]*node{},
		nextTID: 0x1000, nextPID: 100, nextID: 0xabc0}
	m.mkdir("/")
	return m, m.Running("launchd", "/")
}

// Running adds a process that runs before the recording begins.
func (m *Machine) Running(name, cwd string) *Thread {
	p := &Process{PID: m.nextPID, Name: name, Cwd: cwd, fds: map[int32]descr{}}
	m.nextPID++
	t := m.thread(p, m.Base)
	m.Entries = append(m.Entries, kdebug.ThreadEntry{TID: t.TID, PID: p.PID, Command: name})
	return t
}

// MakeFile puts a file on the disk, with its directories.
func (m *Machine) MakeFile(name string, size int64) {
	for dir := path.Dir(name); m.files[dir] == nil; dir = path.Dir(dir) {
		m.mkdir(dir)
	}
	m.files[name] = &node{path: name, size: size, vnode: m.id()}
}

func (m *Machine) mkdir(name string) { m.files[name] = &node{path: name, vnode: m.id(), dir: true} }

func (m *Machine) id() uint64 {
	m.nextID += 0x138
	return m.nextID
}

func (m *Machine) thread(p *Process, now uint64) *Thread {
	m.nextTID += 3
	return &Thread{runner{m: m, Proc: p, TID: m.nextTID, Now: now, cpu: uint32(m.nextTID % 8)}}
}

// Nanoseconds is a number of ticks in time.
func (m *Machine) Nanoseconds(ticks int64) int64 {
	return ticks * int64(m.Timebase.Numer) / int64(m.Timebase.Denom)
}

// Ticks is a time in ticks.
func (m *Machine) Ticks(d time.Duration) uint64 {
	return uint64(d) * uint64(m.Timebase.Denom) / uint64(m.Timebase.Numer)
}

// Records returns everything that was logged, in time order, as the kernel
// hands it out.
func (m *Machine) Records() []kdebug.Record {
	sort.SliceStable(m.records, func(i, j int) bool { return m.records[i].Time < m.records[j].Time })
	return m.records
}

// Bytes is the kernel's form of records.
func Bytes(records []kdebug.Record) []byte {
	b := make([]byte, 0, len(records)*kdebug.RecordSize)
	for i := range records {
		b = records[i].Append(b)
	}
	return b
}

// Lose replaces records i to j by the mark that the kernel leaves: it carries
// the time of the first record that can be trusted again.
func Lose(records []kdebug.Record, i, j int) []kdebug.Record {
	mark := kdebug.Record{Time: records[j].Time, DebugID: kdebug.LostEvents, Arg: [4]uint64{1}}
	out := append([]kdebug.Record(nil), records[:i]...)
	out = append(out, mark)
	return append(out, records[j:]...)
}
