//go:build linux

package ebpf

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// changes are the file systems that recorded processes have changed, and the disks that these lie on. What a file
// system writes of its own there has no owner: from the first change on it counts as the workload's, whichever thread
// of the kernel writes it and whether or not somebody waits for that.
type changes struct {
	systems map[trace.DeviceID]bool
	disks   map[trace.DeviceID]bool
	writers recent[uint32, bool] // threads that wrote metadata there: they flush after it
	kernel  func(pid uint32) bool
}

func newChanges() changes {
	return changes{systems: map[trace.DeviceID]bool{}, disks: map[trace.DeviceID]bool{},
		writers: newRecent[uint32, bool](knownThreads), kernel: host.OfKernel}
}

// changing reports whether an operation that succeeds changes a file system beside the data of a file.
func changing(s *trace.Syscall) bool {
	switch s.Op {
	case trace.OpOpen:
		return s.Flags&(trace.FlagCreate|trace.FlagTrunc) != 0
	case trace.OpRename, trace.OpUnlink, trace.OpLink, trace.OpSymlink, trace.OpMkdir, trace.OpXattr, trace.OpAttr,
		trace.OpTruncate, trace.OpAllocate, trace.OpPunch, trace.OpClone, trace.OpCloneRange:
		return s.Result >= 0
	}
	return false
}

// alters notes that a recorded process changed the name, the length or the attributes of a file.
func (t *fileTable) alters(id trace.FileID) {
	if id == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if name, ok := t.names.get(id); ok {
		t.mounts.names(name.here())
	}
	t.changed(id)
}

// changed notes that a recorded process changed the file system of a file. The table is locked.
func (t *fileTable) changed(id trace.FileID) {
	name, ok := t.names.get(id)
	if !ok {
		return
	}
	system, source := name.node.device, ""
	if system == 0 { // the path led to no file
		m := host.MountOf(t.mounts.list, name.here())
		system, source = trace.MakeDeviceID(m.Major, m.Minor), m.Source
		t.mounts.use(m)
	}
	if system == 0 || t.changes.systems[system] {
		return
	}
	on := t.mounts.find(system, name.here())
	t.changes.add(system, cmp.Or(source, on.Source))
	if upper := upperOf(&on); upper != "" { // what changes is the file system below
		on = host.MountOf(t.mounts.list, upper)
		t.changes.add(trace.MakeDeviceID(on.Major, on.Minor), on.Source)
	}
}

// filled notes that a recorded process wrote the data of a file to a disk, perhaps in the middle of a call that is not
// known yet: an overlay copies a file within chmod, and syncs the copy.
func (t *fileTable) filled(q *trace.Request) {
	if t.changes.disks[q.Device] {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changed(q.File)
}

// add learns of a file system and what it is mounted from, which is asked where the system has no disk's number.
func (c *changes) add(system trace.DeviceID, source string) {
	c.systems[system] = true
	if !c.disk(system) && filepath.IsAbs(source) {
		var st unix.Stat_t
		if unix.Stat(source, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFBLK {
			c.disk(trace.MakeDeviceID(unix.Major(st.Rdev), unix.Minor(st.Rdev)))
		}
	}
}

// disk adds a block device, as the disk that a partition is of, and those that pass on its requests.
func (c *changes) disk(id trace.DeviceID) bool {
	dir, err := filepath.EvalSymlinks(fmt.Sprintf("/sys/dev/block/%d:%d", id.Major(), id.Minor()))
	if err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, "partition")); err == nil {
		dir = filepath.Dir(dir)
	}
	id, ok := machine.DeviceNumber(filepath.Join(dir, "dev"))
	if !ok || c.disks[id] {
		return ok
	}
	c.disks[id] = true
	below, _ := os.ReadDir(filepath.Join(dir, "slaves"))
	for _, s := range below {
		if b, ok := machine.DeviceNumber(filepath.Join(dir, "slaves", s.Name(), "dev")); ok {
			c.disk(b)
		}
	}
	return true
}

// serves reports whether a request is what a file system that was changed does of its own: its writes of metadata with
// their flushes, what the kernel's threads have to read for these, such as where there is room, and the blocks that
// they tell the drive are free again.
func (c *changes) serves(q *trace.Request) bool {
	switch {
	case !c.disks[q.Device] || q.File != 0:
		return false
	case q.Op == trace.ReqWrite && q.Flags&trace.ReqMeta != 0:
		c.writers.put(q.TID, true)
		return true
	case q.Op == trace.ReqRead && q.Flags&trace.ReqMeta != 0, q.Op == trace.ReqDiscard, q.Op == trace.ReqWriteZeroes:
		return c.kernel(q.PID)
	}
	_, wrote := c.writers.get(q.TID)
	return q.Op == trace.ReqFlush && wrote
}
