//go:build linux

package ebpf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// TestMetadataOfChangedFileSystems: what a file system writes of its own is the workload's from its first change on;
// data of files that nobody recorded used, what the recorder writes, and other disks' metadata are not.
func TestMetadataOfChangedFileSystems(t *testing.T) {
	const disk, another, worker = trace.DeviceID(9 << 20), trace.DeviceID(9<<20 | 1), 77
	d := newDecoder(newCallTable(), 0, nil, false)
	if err := d.begin(&recording{}); err != nil {
		t.Fatal(err)
	}
	check := func(what string, q trace.Request, own bool) {
		t.Helper()
		if d.judge(&q, 0); (q.Flags&trace.ReqForeign == 0) != own {
			t.Errorf("%s: flags %#x", what, q.Flags)
		}
	}
	journal := trace.Request{PID: worker, TID: worker, Device: disk, Op: trace.ReqWrite,
		Flags: trace.ReqMeta | trace.ReqSync}
	flush := journal
	flush.Op, flush.Flags = trace.ReqFlush, 0
	check("before any change", journal, false)
	d.files.changes.disks[disk] = true
	check("a flush before metadata", flush, false)
	check("after a change", journal, true)
	check("the flush of who wrote metadata", flush, true)
	data, other, file, reads, self := journal, journal, journal, journal, journal
	data.Flags = trace.ReqSync
	check("data", data, false)
	other.Device = another
	check("another disk", other, false)
	file.File = 5
	check("of a file that nobody used", file, false)
	reads.Op = trace.ReqRead
	d.files.changes.kernel = func(pid uint32) bool { return pid == worker }
	check("metadata that a thread of the kernel reads", reads, true)
	freed := reads
	freed.Op, freed.Flags = trace.ReqDiscard, 0
	check("blocks that a thread of the kernel says are free", freed, true)
	freed.PID = worker + 1
	check("blocks that a program discards", freed, false)
	reads.PID = worker + 1
	check("metadata that a program reads", reads, false)
	reads.PID, reads.Flags = worker, trace.ReqSync
	check("data that a thread of the kernel reads", reads, false)
	self.PID = d.self
	check("the recorder's own", self, false)
}

// TestChanging: what only looks changes no file system.
func TestChanging(t *testing.T) {
	for _, c := range []struct {
		call trace.Syscall
		want bool
	}{
		{trace.Syscall{Op: trace.OpOpen}, false}, {trace.Syscall{Op: trace.OpOpen, Flags: trace.FlagCreate}, true},
		{trace.Syscall{Op: trace.OpMkdir}, true}, {trace.Syscall{Op: trace.OpMkdir, Result: -17}, false},
		{trace.Syscall{Op: trace.OpUnlink}, true}, {trace.Syscall{Op: trace.OpStat}, false},
		{trace.Syscall{Op: trace.OpRead, Result: 9}, false}, {trace.Syscall{Op: trace.OpAttr}, true},
	} {
		if changing(&c.call) != c.want {
			t.Errorf("%+v", c.call)
		}
	}
}

// TestDisksOfFileSystems: that of the root of this machine, if it has one, is found by its number, and one without a
// number by what it is mounted from.
func TestDisksOfFileSystems(t *testing.T) {
	list, err := filepath.Glob("/sys/block/*/dev")
	if err != nil || len(list) == 0 {
		t.Skip("there is no block device")
	}
	id, ok := machine.DeviceNumber(list[0])
	if !ok {
		t.Fatalf("%s cannot be read", list[0])
	}
	c := newChanges()
	c.add(id, "")
	if !c.disks[id] || !c.systems[id] {
		t.Errorf("%v of %v", c, id)
	}
	node := filepath.Join("/dev", filepath.Base(filepath.Dir(list[0])))
	var st unix.Stat_t
	if unix.Stat(node, &st) != nil {
		return
	}
	c = newChanges()
	c.add(trace.MakeDeviceID(0, 99), node)
	if !c.disks[id] {
		t.Errorf("%s is not known by its name: %v", node, c)
	}
	c = newChanges()
	c.add(trace.MakeDeviceID(0, 98), os.DevNull)
	if len(c.disks) > 0 {
		t.Errorf("%v", c)
	}
}

// TestFirstWriteChangesAFileSystem: the first write of a recorded process to a file says which disk its file system
// changes.
func TestFirstWriteChangesAFileSystem(t *testing.T) {
	list, err := filepath.Glob("/sys/block/*/dev")
	if err != nil || len(list) == 0 {
		t.Skip("there is no block device")
	}
	id, ok := machine.DeviceNumber(list[0])
	if !ok {
		t.Fatalf("%s cannot be read", list[0])
	}
	files := newFileTable()
	name := []byte("f\x00")
	f, _ := files.announce(&iotraceIdent{File: 1, Dev: uint32(id), Ino: 7, Mode: unix.S_IFREG, Len: uint32(len(name))},
		name, 0)
	files.touched(f.ID)
	if len(files.changes.disks) > 0 {
		t.Errorf("a file that was looked at changed %v", files.changes.disks)
	}
	files.wrote(f.ID, 5)
	if !files.changes.disks[id] {
		t.Errorf("a file on %v was written, and %v changed", id, files.changes)
	}
}

// TestStamped: reading changes a file system from when a file got the time at which it was read, and not before.
func TestStamped(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Lstat(name, &st); err != nil {
		t.Fatal(err)
	}
	disk := trace.MakeDeviceID(unix.Major(st.Dev), unix.Minor(st.Dev))
	files := newFileTable()
	if !slices.Contains(attributed, files.mounts.find(disk, name).FSType) || !files.changes.disk(disk) {
		t.Skip("temporary files are on no disk")
	}
	for id := range files.changes.disks {
		disk = id
	}
	files.changes = newChanges()
	path := []byte(name + "\x00")
	f, _ := files.announce(&iotraceIdent{File: 1, Dev: unix.Major(st.Dev)<<20 | unix.Minor(st.Dev), Ino: st.Ino,
		Mode: unix.S_IFREG, Len: uint32(len(path))}, path, 0)
	files.touched(f.ID)
	q := trace.Request{PID: 77, TID: 77, Device: disk, Op: trace.ReqWrite, Flags: trace.ReqMeta, Completed: 5}
	for i, c := range []struct {
		at   time.Time
		want bool
	}{{time.Now().Add(-time.Hour), false}, {time.Now(), true}, {time.Now().Add(-time.Hour), true}} {
		if err := os.Chtimes(name, c.at, time.Now()); err != nil {
			t.Fatal(err)
		}
		q.Completed += 2 * askEvery
		if got := files.serves(&q); got != c.want {
			t.Errorf("%d: read last at %v: metadata is the workload's: %v", i, c.at, got)
		}
	}
}

// TestUpperOf: an overlay changes the file system that it writes to.
func TestUpperOf(t *testing.T) {
	for _, c := range []struct{ fsType, options, want string }{
		{"overlay", "rw,lowerdir=/a:/b,upperdir=/up,workdir=/w", "/up"}, {"overlay", "ro,lowerdir=/a:/b", ""},
		{"overlay", "rw,lowerdir=a,upperdir=up,workdir=w", ""}, {"ext4", "rw,upperdir=/up", ""},
	} {
		if got := upperOf(&host.Mount{FSType: c.fsType, Options: c.options}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestDataWrittenWithinACall: a file system is changed as soon as a recorded process writes data to its disk, also if
// the call that does so is not over.
func TestDataWrittenWithinACall(t *testing.T) {
	list, err := filepath.Glob("/sys/block/*/dev")
	if err != nil || len(list) == 0 {
		t.Skip("there is no block device")
	}
	id, ok := machine.DeviceNumber(list[0])
	if !ok {
		t.Fatalf("%s cannot be read", list[0])
	}
	d := newDecoder(newCallTable(), 0, nil, false)
	if err := d.begin(&recording{}); err != nil {
		t.Fatal(err)
	}
	name := []byte("f\x00")
	f, _ := d.files.announce(&iotraceIdent{File: 1, Dev: uint32(id), Ino: 7, Mode: unix.S_IFREG, Len: uint32(len(name))},
		name, 0)
	q := trace.Request{PID: 5, TID: 5, Device: id, Op: trace.ReqRead, File: f.ID}
	for _, op := range []trace.ReqOp{trace.ReqRead, trace.ReqWrite} {
		q.Op = op
		d.judge(&q, uint8(iotraceReqMarksMARK_TRACED))
		if d.files.changes.disks[id] != (op == trace.ReqWrite) {
			t.Errorf("%v: %v changed", op, d.files.changes.disks)
		}
	}
}
