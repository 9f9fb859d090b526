package kdebug_test

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

const mib = 1 << 20

// decode runs a machine's records through a decoder.
func decode(t *testing.T, m *kdsim.Machine, scope tracer.Scope,
	records []kdebug.Record) (*trace.Log, kdebug.Counts) {
	t.Helper()
	var log trace.Log
	d := kdebug.NewDecoder(kdebug.Config{Scope: scope, Timebase: m.Timebase, Start: m.Base, Devices: disk}, &log)
	if err := d.Seed(m.Entries); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(kdsim.Bytes(records)); err != nil {
		t.Fatal(err)
	}
	return &log, d.Counts()
}

// disk is the machine's disk.
var disk = []trace.Device{{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: kdsim.BlockSize}}

// onBothMacs runs a test on the records of both kinds of Mac.
func onBothMacs(t *testing.T, test func(t *testing.T, mac macos.Model)) {
	for _, mac := range []macos.Model{macos.Intel, macos.AppleSilicon} {
		t.Run(mac.String(), func(t *testing.T) { test(t, mac) })
	}
}

// silent are the calls that only change what is known, and cause no event.
var silent = map[string]bool{"fork": true, "posix_spawn": true, "chdir": true}

// comparable is what truth and event have in common.
type comparable struct {
	Name             string
	PID, TID         uint32
	Start, End       int64
	FD               int32
	Path, Path2      string
	Offset, Req, Res int64
}

func truths(m *kdsim.Machine) (out []comparable) {
	for _, c := range m.Calls {
		if silent[c.Name] {
			continue
		}
		e := comparable{c.Name, c.PID, c.TID, m.Nanoseconds(c.Start), m.Nanoseconds(c.End), c.FD, c.Path, c.Path2, c.Offset,
			c.Requested, c.Result}
		if e.Res < 0 {
			e.Res = -macos.Errno(-e.Res)
		}
		if c.FD == -1 && c.Path != "" && e.Res >= 3 { // an open
			e.FD = int32(e.Res)
		}
		out = append(out, e)
	}
	return out
}

func event(log *trace.Log, e *trace.Syscall) comparable {
	return comparable{kdebug.Names()[e.Call], e.PID, e.TID, e.Start, e.End(), e.FD, log.Path(e.File), log.Path(e.File2),
		e.Offset, e.Requested, e.Result}
}

// check compares every event with the truth, in order of their ends.
func check(t *testing.T, m *kdsim.Machine, log *trace.Log) {
	t.Helper()
	want := map[string]int{}
	for _, c := range truths(m) {
		want[fmt.Sprintf("%+v", c)]++
	}
	for i := range log.Syscalls {
		got := fmt.Sprintf("%+v", event(log, &log.Syscalls[i]))
		if want[got]--; want[got] < 0 {
			t.Fatalf("not what happened: %s", got)
		}
	}
	for c, n := range want {
		if n > 0 {
			t.Errorf("missing %d×: %s", n, c)
		}
	}
	for i := 1; i < len(log.Syscalls); i++ {
		if log.Syscalls[i].End() < log.Syscalls[i-1].End() {
			t.Fatalf("event %d ends before its predecessor", i)
		}
	}
}

func TestCpIsDecodedExactly(t *testing.T) { onBothMacs(t, cpIsDecodedExactly) }

func cpIsDecodedExactly(t *testing.T, mac macos.Model) {
	m, shell := kdsim.New(mac)
	m.MakeFile("/Users/u/a rather long name, of more than 24 bytes.mov", 7*mib+123)
	m.MakeFile("/Volumes/Ext/old", 1)
	shell.Proc.Cwd = "/Users/u"
	cp := shell.Spawn("/bin/cp")
	cp.Copyfile("a rather long name, of more than 24 bytes.mov", "/Volumes/Ext/b.mov", mib)
	cp.Open("/no/such/file", kdsim.ORdonly)
	cp.Exit(1 << 8)
	log, counts := decode(t, m, tracer.Scope{PIDs: []uint32{shell.Proc.PID}}, m.Records())
	// The working directory was not known to the decoder: tell the truth so.
	for i, f := range log.Files {
		if f.Path == "a rather long name, of more than 24 bytes.mov" {
			log.Files[i].Path = "/Users/u/" + f.Path
		}
	}
	check(t, m, log)
	if counts.Orphans != 0 || counts.Lost != 0 {
		t.Errorf("counts %+v of an intact stream", counts)
	}
	var actions []trace.ProcessAction
	for _, p := range log.Processes {
		actions = append(actions, p.Action)
	}
	want := []trace.ProcessAction{trace.ProcessPresent, trace.ProcessFork, trace.ProcessExec, trace.ProcessExit}
	if fmt.Sprint(actions) != fmt.Sprint(want) {
		t.Errorf("process events %v, want %v", actions, want)
	}
	exec, exit := log.Processes[2], log.Processes[3]
	if exec.Exe != "/bin/cp" || exec.Command != "cp" || exec.Parent != shell.Proc.PID || exit.Status != 1<<8 {
		t.Errorf("exec %+v, exit %+v", exec, exit)
	}
}

func TestFinderCopyByItsHelper(t *testing.T) { onBothMacs(t, finderCopyByItsHelper) }

func finderCopyByItsHelper(t *testing.T, mac macos.Model) {
	m, _ := kdsim.New(mac)
	m.MakeFile("/Users/u/movie.mov", 20*mib)
	finder := m.Running("Finder", "/")
	helper := m.Running("DesktopServicesHelper", "/")
	other := m.Running("mds_stores", "/")
	m.MakeFile("/index", 4096)
	fd := other.Open("/index", kdsim.ORdonly)
	other.Read(fd, 4096)
	hidden := len(m.Calls)
	m.Calls = m.Calls[:0]
	finder.OnPath("getattrlist", "/Users/u/movie.mov")
	helper.FinderCopy("/Users/u/movie.mov", "/Volumes/Ext/movie.mov", 8*mib)
	log, _ := decode(t, m, tracer.Scope{Names: []string{"Finder", "DesktopServicesHelper"}}, m.Records())
	check(t, m, log)
	if hidden == 0 || len(log.Processes) != 2 {
		t.Errorf("%d processes announced, want Finder and its helper", len(log.Processes))
	}
	nocache, full := 0, 0
	for _, e := range log.Syscalls {
		if e.Op.MovesData() && e.Flags&trace.FlagNoCache != 0 {
			nocache++
		}
		if e.Op == trace.OpSync && e.Flags&trace.FlagFull != 0 {
			full++
		}
	}
	if nocache != 7 || full != 1 { // 3 blocks read and written and the read at the end
		t.Errorf("%d uncached data calls and %d full syncs, want 7 and 1", nocache, full)
	}
	checkRequests(t, m, log, 1)
}

// checkRequests compares the disk requests, flushes apart, of which only an
// Intel Mac logs any.
func checkRequests(t *testing.T, m *kdsim.Machine, log *trace.Log, flushes int) {
	t.Helper()
	if m.Model == macos.AppleSilicon {
		flushes = 0
	}
	want := map[string]int{}
	for _, q := range m.Requests {
		op := trace.ReqWrite
		if q.Read {
			op = trace.ReqRead
		}
		want[fmt.Sprint(q.PID, q.Path, op, q.Block*kdsim.BlockSize, q.Bytes, m.Nanoseconds(q.Start), m.Nanoseconds(q.End),
			macos.Errno(q.Errno))]++
	}
	for i := range log.Requests {
		q := &log.Requests[i]
		if q.Op == trace.ReqFlush {
			flushes--
			continue
		}
		if q.Device != trace.MakeDeviceID(1, 5) {
			t.Errorf("device %d:%d", q.Device.Major(), q.Device.Minor())
		}
		got := fmt.Sprint(q.PID, log.Path(q.File), q.Op, q.Sector*512, q.Bytes, q.Issued, q.Completed, q.Error)
		if want[got]--; want[got] < 0 {
			t.Errorf("no such request: %s", got)
		}
	}
	for q, n := range want {
		if n > 0 {
			t.Errorf("missing %d×: %s", n, q)
		}
	}
	if flushes != 0 {
		t.Errorf("%d flushes missing", flushes)
	}
}

func TestRsyncRenamesIntoPlace(t *testing.T) { onBothMacs(t, rsyncRenamesIntoPlace) }

func rsyncRenamesIntoPlace(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/src/data.bin", 300_000)
	m.MakeFile("/dst/data.bin", 10) // replaced
	rsync := launchd.Spawn("/usr/bin/rsync")
	rsync.Rsync("/src/data.bin", "/dst/data.bin")
	fd := rsync.Open("/dst/data.bin", kdsim.ORdonly)
	rsync.Read(fd, 4096)
	var log trace.Log
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Base}, &log)
	if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
		t.Fatal(err)
	}
	for i := range m.Calls { // calls on the hidden file keep the name they were made under
		if c := &m.Calls[i]; c.Path == "/dst/data.bin" && (c.Name == "write" || c.Name == "fchmod") {
			c.Path = "/dst/.data.bin.Xa81kQ"
		}
	}
	check(t, m, &log)
	var written []string
	for _, w := range d.Files().Written() {
		written = append(written, w.Path)
	}
	if fmt.Sprint(written) != "[/dst/data.bin]" {
		t.Errorf("written files %v: the renamed one must be found under its new name", written)
	}
}

func TestDatabaseOffsets(t *testing.T) { onBothMacs(t, databaseOffsets) }

func databaseOffsets(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/db", 1<<34)
	p := launchd.Spawn("/usr/bin/sqlite3")
	p.Database("/db", 5)
	log, _ := decode(t, m, tracer.Scope{All: true}, m.Records())
	check(t, m, log)
}

func TestClonesMoveNoData(t *testing.T) { onBothMacs(t, clonesMoveNoData) }

func clonesMoveNoData(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/a/file", 5*mib)
	cp := launchd.Spawn("/bin/cp")
	cp.Clonefile("/a/file", "/a/clone")
	fd := cp.Open("/a/file", kdsim.ORdonly)
	cp.Fclonefile(fd, "/a/clone 2")
	cp.Disk("/a/clone", false, 8192, 100, 0) // later writeback names the clone's vnode
	log, _ := decode(t, m, tracer.Scope{All: true}, m.Records())
	check(t, m, log)
	checkRequests(t, m, log, 0)
	for _, e := range log.Syscalls {
		if e.Bytes() != 0 {
			t.Errorf("%s moved %d bytes", kdebug.Names()[e.Call], e.Bytes())
		}
	}
}

// The lookup of a name that is being made logs the vnode of its directory: a
// request of the directory is not one of the file.
func TestADirectoryIsNotTheFileMadeInIt(t *testing.T) { onBothMacs(t, aDirectoryIsNotTheFileMadeInIt) }

func aDirectoryIsNotTheFileMadeInIt(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.Once = true
	m.MakeFile("/dir/old", 100)
	m.MakeFile("/a/b/old", 100)
	p := launchd.Spawn("/bin/cp")
	p.OnFD("fstat64", p.Open("/dir", kdsim.ORdonly))
	p.OnFD("fstat64", p.Open("/a/b", kdsim.ORdonly))
	fd := p.Open("/dir/new", kdsim.OWronly|kdsim.OCreat|kdsim.OExcl)
	p.Disk("/dir", false, 4096, 100, 0)
	p.Clonefile("/dir/old", "/dir/clone")
	p.Disk("/dir", false, 4096, 100, 0)
	p.Rename("/dir/old", "/dir/older")
	p.Disk("/dir", false, 4096, 100, 0)
	p.Chdir("/a/b")
	p.Open("b", kdsim.OWronly|kdsim.OCreat) // /a/b/b: its directory's path ends like it
	p.OnPath("stat64", "/dir/new")
	p.Write(fd, 4096)
	p.Disk("/dir/new", false, 4096, 100, 0) // by now it is known
	log, _ := decode(t, m, tracer.Scope{All: true}, m.Records())
	check(t, m, log)
	checkRequests(t, m, log, 0)
}

func TestDescriptorsAreInheritedAndShared(t *testing.T) {
	onBothMacs(t, descriptorsAreInheritedAndShared)
}

func descriptorsAreInheritedAndShared(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/in", 100_000)
	sh := launchd.Spawn("/bin/sh")
	shared := sh.Open("/in", kdsim.ORdonly)
	private := sh.Open("/in", kdsim.ORdonly|kdsim.OCloexec)
	sh.Read(shared, 1000)
	child := sh.Fork()
	child.Read(shared, 1000) // at 1000: the offset is the parent's
	sh.Now = child.Now
	sh.Read(shared, 1000) // at 2000
	child.Now = sh.Now
	child.Dup2(shared, 0)
	child = child.Exec("/bin/cat")
	child.Read(0, 500)       // at 3000, by the duplicate
	child.Read(private, 500) // closed by exec
	child.Exit(0)
	log, _ := decode(t, m, tracer.Scope{PIDs: []uint32{sh.Proc.PID, launchd.Proc.PID}}, m.Records())
	check(t, m, log)
}

func TestThreadsOverlap(t *testing.T) { onBothMacs(t, threadsOverlap) }

func threadsOverlap(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	p := launchd.Spawn("/usr/local/bin/pool")
	var threads []*kdsim.Thread
	for range 8 {
		threads = append(threads, p.NewThread())
	}
	var fds []int32
	var files []string
	for i, w := range threads {
		files = append(files, fmt.Sprintf("/data/part-%d-with-a-name-that-takes-several-records-to-log.bin", i))
		m.MakeFile(files[i], 3*mib)
		fds = append(fds, w.Open(files[i], kdsim.ORdwr))
	}
	for i, w := range threads {
		file, fd := files[i], fds[i]
		for j := range 20 {
			w.Read(fd, 64<<10)
			w.Pwrite("pwrite", fd, 4096, int64(j)*4096)
			w.Pread("preadv", fd, 8192, int64(j)<<32)
			w.Disk(file, true, 16<<10, 5000, 0)
		}
		w.Disk(file, false, 4096, 100, 5)
		w.Mmap(fd, 1<<20, 3<<32)
		w.MmapMemory(1<<20, 1) // malloc's
	}
	for i, w := range threads {
		w.Close(fds[i])
		w.EndThread()
	}
	log, _ := decode(t, m, tracer.Scope{All: true}, m.Records())
	check(t, m, log)
	checkRequests(t, m, log, 0)
}

func TestRelativePaths(t *testing.T) { onBothMacs(t, relativePaths) }

func relativePaths(t *testing.T, mac macos.Model) {
	m, launchd := kdsim.New(mac)
	m.MakeFile("/Users/u/dir/x", 10)
	m.MakeFile("/private/tmp/y", 10)
	p := launchd.Spawn("/bin/zsh")
	p.Chdir("/Users/u")
	p.Chdir("dir")
	p.OnPath("stat64", "x")
	p.OnPath("stat64", "./x")
	p.OnPath("stat64", "../dir//x")
	p.OnPath("stat64", "/private/tmp/y")
	log, _ := decode(t, m, tracer.Scope{All: true}, m.Records())
	check(t, m, log)
	// What the kernel logs for /tmp/y, /tmp being a link to private/tmp.
	got := string(macos.AppendAbsolute(nil, "/Users/u", []byte("private/tmp/y")))
	if got != "/private/tmp/y" {
		t.Errorf("a path behind /tmp became %q", got)
	}
}
