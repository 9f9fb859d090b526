package kdebug

import (
	"encoding/binary"
	"sync"
	"syscall"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// fakeKernel behaves as bsd/kern/kdebug.c of xnu-11417 does, as far as a
// session can tell: one owner, operations in their order, a filter, a ring that
// overwrites its oldest records and says so, and system calls of the session
// itself that are traced like any other.
type fakeKernel struct {
	t  *testing.T
	mu sync.Mutex

	model   macos.Model
	root    bool
	owner   uint32 // foreign owner, 0 if none
	self    uint32
	limit   int // most records a buffer may have
	least   int // fewest: half a MiB for each processor, coprocessor, and 16 more
	fail    map[int32]error
	onWait  func()
	onRead  func()
	dead    bool // accepts being enabled but logs nothing
	noPaths bool // does not log the paths of vnodes
	history []int32

	owned, ready, enabled bool
	size, want            int
	filter                []byte
	ring                  []Record
	wrapped               bool
	now                   uint64
}

func newFake(t *testing.T) *fakeKernel {
	return &fakeKernel{t: t, root: true, self: 4242, limit: 1 << 20, now: 1_000_000, fail: map[int32]error{}}
}

const (
	ownThread  = 777
	sysctlCall = 202
)

func (k *fakeKernel) sysctl(mib []int32, old []byte, length uintptr) (uintptr, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(mib) < 3 || mib[0] != 1 || mib[1] != 24 {
		k.t.Errorf("mib %v is not kern.kdebug", mib)
		return 0, syscall.ENOENT
	}
	k.log(Record{DebugID: CallID(sysctlCall) | FuncStart, Thread: ownThread})
	n, err := k.do(mib[2], mib[3:], old, length)
	k.log(Record{DebugID: CallID(sysctlCall) | FuncEnd, Thread: ownThread, Arg: [4]uint64{0, 0, 0, uint64(k.self)}})
	return n, err
}

func (k *fakeKernel) do(op int32, value []int32, old []byte, length uintptr) (uintptr, error) {
	k.history = append(k.history, op)
	if !k.root {
		return 0, syscall.EPERM
	}
	if readOnly := op == 5 || op == 21; !readOnly {
		if k.owner != 0 {
			return 0, syscall.EBUSY
		}
		k.owned = true
	}
	if err := k.fail[op]; err != nil {
		return 0, err
	}
	switch op {
	case 3:
		if len(value) != 1 || value[0] == 1 && !k.ready {
			return 0, syscall.EINVAL
		}
		k.enabled = value[0] == 1
	case 4:
		if len(value) != 1 {
			return 0, syscall.EINVAL
		}
		k.want = max(min(int(value[0]), k.limit), k.least)
	case 5:
		binary.LittleEndian.PutUint32(old, uint32(k.size))
		if k.ready {
			binary.LittleEndian.PutUint32(old[8:], 0x80000000)
		}
		owner := k.owner
		if owner == 0 && k.owned {
			owner = k.self
		}
		binary.LittleEndian.PutUint32(old[16:], owner)
	case 6:
		k.size, k.ready, k.enabled, k.ring = k.want, k.want > 0, false, nil
	case 7:
		k.owned, k.ready, k.enabled, k.ring, k.filter = false, false, false, nil, nil
	case 10:
		return k.read(old, length)
	case 21:
		return uintptr(k.threadMap(old)), nil
	case 22:
		if length != 8192 {
			return 0, syscall.EINVAL
		}
		k.filter = append([]byte(nil), old...)
	case 23:
		if k.onWait != nil {
			k.onWait()
		}
		k.now += 24_000
	default:
		return 0, syscall.ENOTSUP
	}
	return length, nil
}

// tracePaths logs which paths vnodes have, as sysctl_vfs_trace_paths does, among
// what others look up.
func (k *fakeKernel) tracePaths() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.noPaths {
		return syscall.ENOENT
	}
	look := func(thread, vnode uint64, path string) {
		for _, r := range LookupRecords(Record{Thread: thread}, path) {
			if r.DebugID&FuncStart != 0 {
				r.Arg[0] = vnode
			}
			k.log(r)
		}
	}
	look(ownThread, 0xf000, "/Library/Application Support/mapped before the recording.dat")
	look(9000, 0xf000, "relative/to/nothing/that/is/known")
	look(ownThread, 0xf100, "/x")
	look(ownThread, 0xf200, "cut by an older kernel")
	return nil
}

// read copies records out: the size goes in as bytes and comes out as records.
func (k *fakeKernel) read(old []byte, length uintptr) (uintptr, error) {
	if !k.ready || length < RecordSize || int(length) > len(old) {
		return 0, syscall.EINVAL
	}
	if k.onRead != nil {
		k.onRead()
	}
	if k.wrapped {
		k.wrapped = false
		k.ring = append([]Record{{Time: k.ring[0].Time, DebugID: LostEvents, Arg: [4]uint64{1}}}, k.ring...)
	}
	n := min(len(k.ring), int(length)/RecordSize)
	b := old[:0]
	for i := range n {
		b = k.ring[i].Append(b)
	}
	k.ring = k.ring[n:]
	return uintptr(n), nil
}

func (k *fakeKernel) threadMap(b []byte) int {
	entries := []ThreadEntry{{ownThread, k.self, "iotrace"}, {9000, 500, "Finder"}, {1, 1, "kernel_task"}}
	for i, e := range entries {
		binary.LittleEndian.PutUint64(b[i*32:], e.TID)
		binary.LittleEndian.PutUint32(b[i*32+8:], e.PID)
		copy(b[i*32+12:i*32+32], e.Command)
	}
	return len(entries) * 32
}

// log adds a record if tracing is on and the filter lets it pass.
func (k *fakeKernel) log(r Record) {
	k.now += 10
	if !k.enabled || k.dead {
		return
	}
	if bit := r.DebugID >> 16; r.DebugID>>24 != 7 && (k.filter == nil || k.filter[bit/8]>>(bit%8)&1 == 0) {
		return
	}
	r.Time = k.now
	if len(k.ring) >= k.size {
		k.ring = k.ring[1:]
		k.wrapped = true
	}
	k.ring = append(k.ring, r)
}

// someCall is a read(2) of Finder.
func (k *fakeKernel) someCall() {
	k.log(Record{DebugID: CallID(3) | FuncStart, Thread: 9000, Arg: [4]uint64{5, 0, 4096}})
	k.log(Record{DebugID: CallID(3) | FuncEnd, Thread: 9000, Arg: [4]uint64{0, 4096, 0, 500}})
}

// fakeMachine knows two processes and one disk.
type fakeMachine struct {
	identified []string
	late       []machine.Process // that have begun meanwhile
}

func (m *fakeMachine) Identify(f *trace.File) { m.identified = append(m.identified, f.Path) }

func (m *fakeMachine) Resolve(path string) string { return path }

func (m *fakeMachine) Processes() []machine.Process {
	return append([]machine.Process{{PID: 500, Name: "Finder"}, {PID: 501, Parent: 500, Name: "child"},
		{PID: 99, Name: "fs_usage"}}, m.late...)
}

func (m *fakeMachine) Inspect(pid uint32) (machine.Process, bool) {
	for _, p := range m.Processes() {
		if p.PID == pid {
			if pid == 500 {
				p.Files = []machine.OpenFile{{FD: 5, Path: "/Users/u/movie.mov", Offset: 8192}}
			}
			return p, true
		}
	}
	return machine.Process{}, false
}

func (m *fakeMachine) Threads(uint32) []uint64 { return nil }

func (m *fakeMachine) Devices() []trace.Device {
	return []trace.Device{{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: 4096}}
}
