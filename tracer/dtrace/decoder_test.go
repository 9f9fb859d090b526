package dtrace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// printed is a path of these tests as %S prints it.
var printed = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace

// line prints a simulated call of macOS as the script would.
func line(c kdsim.Call) string {
	errno, result := int64(0), c.Result
	if result < 0 {
		errno, result = -result, -1
	}
	name, flags, length, offset, fd, texts := c.Name, uint64(0), c.Requested, int64(-1), c.FD, ""
	switch {
	case strings.HasPrefix(name, "open"):
		flags, fd = 2, -1
		if strings.HasPrefix(c.Path, "/Volumes") {
			flags = 0x601
		}
		texts = "\t" + printed(c.Path) + "\t"
	case strings.HasPrefix(name, "fcntl("):
		for _, m := range macos.Commands {
			if name == macos.FcntlName(m.Name) {
				flags = m.Number
			}
		}
		name, length = "fcntl", 1
	case name == "clonefileat":
		fd, texts = macos.ATFdCwd, "\t"+printed(c.Path)+"\t"+printed(c.Path2)
		return fmt.Sprintf("C\t0\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t0\t-1\t-1\t0\t%s%s", c.Start, c.End-c.Start, c.PID, c.TID,
			result, errno, fd, macos.ATFdCwd, name, texts)
	case name == "rename" || c.FD < 0:
		texts = "\t" + printed(c.Path) + "\t" + printed(c.Path2)
	case strings.HasPrefix(name, "p"):
		offset = c.Offset
	}
	return fmt.Sprintf("C\t0\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t-1\t%d\t%d\t-1\t%x\t%s%s", c.Start, c.End-c.Start, c.PID, c.TID,
		result, errno, fd, length, offset, flags, name, texts)
}

func decode(t *testing.T, cfg config, lines ...string) (*trace.Log, *decoder) {
	t.Helper()
	var log trace.Log
	d := newDecoder(cfg, &log)
	if err := d.Begin(0); err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if err := d.Line(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	return &log, d
}

func TestCopyOnMacOS(t *testing.T) {
	m, launchd := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/Users/u/a\tb.mov", 5<<20+100)
	m.MakeFile("/Volumes/Ext/old", 1)
	cp := launchd.Spawn("/bin/cp")
	m.Calls = m.Calls[:0]
	cp.Copyfile("/Users/u/a\tb.mov", "/Volumes/Ext/b.mov", 1<<20)
	cp.Clonefile("/Users/u/a\tb.mov", "/Users/u/clone")
	cp.Rename("/Users/u/clone", "/Users/u/renamed")
	var lines []string
	for _, c := range m.Calls {
		lines = append(lines, line(c))
	}
	log, d := decode(t, config{Platform: Darwin, Scope: tracer.Scope{All: true}}, lines...)
	if len(log.Syscalls) != len(m.Calls) || d.Counts().Damaged != 0 {
		t.Fatalf("%d calls of %d, %+v", len(log.Syscalls), len(m.Calls), d.Counts())
	}
	names := probeNames(Darwin)
	for i := range log.Syscalls {
		e, c := &log.Syscalls[i], m.Calls[i]
		want := c.Result
		if want < 0 {
			want = -macos.Errno(-want)
		}
		if c.Name == "ftruncate" {
			c.Offset = trace.NoOffset
		}
		if names[e.Call] != c.Name || e.Result != want || log.Path(e.File) != c.Path || log.Path(e.File2) != c.Path2 ||
			e.Offset != c.Offset {
			t.Errorf("call %d: %s of %q, %q at %d = %d, want %+v", i, names[e.Call], log.Path(e.File), log.Path(e.File2),
				e.Offset, e.Result, c)
		}
	}
	var written []string
	for _, w := range d.Files().Written() {
		written = append(written, w.Path)
	}
	if fmt.Sprint(written) != "[/Volumes/Ext/b.mov /Users/u/renamed]" {
		t.Errorf("written %v", written)
	}
}

const (
	open3  = "C\t0\t100\t5\t7\t7\t3\t0\t-1\t-100\t0\t-1\t-1\t2\topenat\t/f\\0\t\\0"
	read3  = "C\t0\t200\t5\t7\t7\t10\t0\t3\t-1\t10\t-1\t-1\t0\tread"
	exec7  = "X\t0\t50\t7\tcp\\0"
	exit7  = "E\t0\t900\t7\t1\t3"
	early7 = "C\t0\t10\t5\t7\t7\t1\t0\t0\t-1\t1\t-1\t-1\t0\tread"
)

func TestTheWorkloadBeginsWithItsExec(t *testing.T) {
	log, _ := decode(t, config{Platform: Linux, CPUs: 1, Scope: tracer.Scope{Launch: 7}}, early7,
		"E\t0\t45\t7\t1\t-1", exec7, open3, read3, exit7)
	if len(log.Syscalls) != 2 || len(log.Processes) != 2 {
		t.Fatalf("calls %+v, processes %+v: what the holder did is not the workload's", log.Syscalls, log.Processes)
	}
	if log.Processes[0].Action != trace.ProcessExec || log.Processes[1].Action != trace.ProcessExit ||
		log.Processes[1].Status != 3<<8 {
		t.Errorf("processes %+v", log.Processes)
	}
}

func TestForksInheritAndShare(t *testing.T) {
	log, _ := decode(t, config{Platform: Linux, CPUs: 1, Scope: tracer.Scope{PIDs: []uint32{7}}}, open3, read3,
		"F\t0\t210\t7\t8", strings.Replace(strings.Replace(read3, "\t7\t7\t", "\t8\t8\t", 1), "200", "300", 1),
		"E\t0\t400\t8\t2\t-1", strings.Replace(read3, "200", "500", 1))
	s := log.Syscalls
	if len(s) != 4 || s[2].PID != 8 || s[2].File != s[1].File || s[2].Offset != 10 || s[3].Offset != 20 {
		t.Errorf("calls %+v: an offset is shared with a child", s)
	}
	last := log.Processes[len(log.Processes)-1]
	if last.Action != trace.ProcessExit || last.Status&0x7f == 0 {
		t.Errorf("a killed process ended as %+v", last)
	}
}

func TestALossMakesDescriptorsUnknown(t *testing.T) {
	var log trace.Log
	d := newDecoder(config{Platform: Darwin, Scope: tracer.Scope{All: true}}, &log)
	for _, l := range []string{strings.Replace(open3, "-100", "-2", 1), read3} {
		if err := d.Line(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Lost(loss{Count: 12, CPU: 3}, 1000); err != nil {
		t.Fatal(err)
	}
	if err := d.Line(read3); err != nil {
		t.Fatal(err)
	}
	if s := log.Syscalls; s[0].File == 0 || s[2].File != 0 {
		t.Errorf("calls %+v: an open may have been dropped", s)
	}
	if l := log.Losses; len(l) != 1 || l[0].Count != 12 || l[0].CPU != 3 || d.Counts().Lost[trace.KindSyscall] != 12 {
		t.Errorf("losses %+v", l)
	}
}

func TestRequestsOnMacOS(t *testing.T) {
	dev := []trace.Device{{ID: trace.MakeDeviceID(1, 5), Name: "disk3s5", LogicalBlock: 4096}}
	log, _ := decode(t, config{Platform: Darwin, Devices: dev, Scope: tracer.Scope{PIDs: []uint32{7}}},
		strings.Replace(strings.Replace(open3, "-100", "-2", 1), "/f", "/Users/u/f", 1),
		"C\t0\t200\t5\t7\t7\t10\t0\t3\t-1\t10\t-1\t-1\t0\twrite",
		"R\t0\t300\t0\t9\tb0\t1\t5\t1000\t8192\t0\t1\t??/u/f",
		"R\t0\t310\t7\t7\tb1\t1\t5\t2000\t4096\t1\t0\t<unknown (NULL v_name)>",
		"R\t0\t320\t55\t55\tb2\t1\t5\t3000\t4096\t1\t0\t??/x/y",
		"D\t0\t400\tb0\t1\t5\t1000\t8192\t0\t0", "D\t0\t420\tb1\t1\t5\t2000\t4096\t1024\t5",
		"D\t0\t430\tb2\t1\t5\t3000\t4096\t0\t0", "D\t0\t440\tb9\t1\t5\t1000\t8192\t0\t0") // began before
	q := log.Requests
	if len(q) != 3 {
		t.Fatalf("requests %+v", q)
	}
	if q[0].Sector != 8000 || log.Path(q[0].File) != "/Users/u/f" || q[0].Owner != 7 ||
		q[0].Evidence != trace.EvidenceInode || q[0].Op != trace.ReqWrite ||
		q[0].Issued != 300 || q[0].Completed != 400 || q[0].Flags != 0 {
		t.Errorf("writeback %+v", q[0])
	}
	if q[1].Bytes != 3072 || q[1].Error != 5 || q[1].Owner != 7 || q[1].Flags != trace.ReqSync {
		t.Errorf("read %+v", q[1])
	}
	if q[2].Flags&trace.ReqForeign == 0 {
		t.Errorf("somebody else's %+v", q[2])
	}
}

func TestMergedAndSplitRequestsOnLinux(t *testing.T) {
	r := func(at int, buf string, block, bytes int) string {
		return fmt.Sprintf("R\t0\t%d\t7\t7\t%s\t254\t0\t%d\t%d\t1\t0\t\\0", at, buf, block, bytes)
	}
	dn := func(at int, buf string, block, bytes int) string {
		return fmt.Sprintf("D\t0\t%d\t%s\t254\t0\t%d\t%d\t0\t0", at, buf, block, bytes)
	}
	log, d := decode(t, config{Platform: Linux, CPUs: 1, Scope: tracer.Scope{PIDs: []uint32{7}}},
		r(1, "a", 0, 4096), r(2, "b", 8, 4096), dn(10, "a", 0, 8192), // merged: one end for two
		r(20, "c", 100, 8192), dn(25, "d", 100, 4096), dn(30, "c", 108, 4096), // split: two ends for one
		r(40, "e", 200, 4096), r(45, "e", 300, 4096), dn(50, "e", 300, 4096)) // the end of the first was not told
	want := []struct {
		issued, completed int64
		sector            uint64
	}{{1, 10, 0}, {2, 10, 8}, {20, 30, 100}, {45, 50, 300}}
	if len(log.Requests) != len(want) {
		t.Fatalf("requests %+v", log.Requests)
	}
	for i, w := range want {
		if q := log.Requests[i]; q.Issued != w.issued || q.Completed != w.completed || q.Sector != w.sector {
			t.Errorf("request %d is %+v, want %+v", i, q, w)
		}
	}
	if d.Counts().Lost[trace.KindRequest] != 1 {
		t.Errorf("%v: one request is lost", d.Counts().Lost)
	}
}

func TestAnotherVersionIsAnError(t *testing.T) {
	d := newDecoder(config{Platform: Darwin}, &trace.Log{})
	if err := d.Line("V\t9\t1\t1\tdarwin\tsyscall"); err == nil {
		t.Error("lines of another version were taken")
	}
	if err := d.Line("garbage"); err != nil || d.Counts().Damaged != 1 {
		t.Errorf("a damaged line: %v, %+v", err, d.Counts())
	}
}

type failing struct{ trace.Log }

var errSink = errors.New("disk full")

func (*failing) Syscall(*trace.Syscall) error { return errSink }

func TestSinkErrorsComeBack(t *testing.T) {
	d := newDecoder(config{Platform: Darwin, Scope: tracer.Scope{All: true}}, &failing{})
	if err := d.Line(read3); !errors.Is(err, errSink) {
		t.Errorf("got %v", err)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add(strings.Join([]string{exec7, open3, read3, exit7}, "\n"), true)
	f.Add("R\t0\t1\t7\t7\ta\t254\t0\t0\t4096\t1\t0\t\nD\t0\t2\ta\t254\t0\t0\t4096\t0\t0\nT\t0\t3\t1\nZ\t4", false)
	f.Fuzz(func(t *testing.T, text string, darwin bool) {
		cfg := config{Platform: Linux, CPUs: 2, Scope: tracer.Scope{All: true}}
		if darwin {
			cfg.Platform = Darwin
		}
		var log trace.Log
		d := newDecoder(cfg, &log)
		for _, l := range strings.Split(text, "\n") {
			if err := d.Line(l); err != nil && !strings.Contains(err.Error(), "version") {
				t.Fatal(err)
			}
		}
		if err := d.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, e := range log.Syscalls {
			if e.Duration < 0 || e.Requested < 0 || e.Offset < trace.NoOffset || e.Offset2 < trace.NoOffset ||
				int(e.Call) >= len(probeNames(cfg.Platform)) {
				t.Fatalf("impossible event %+v", e)
			}
		}
		for _, e := range log.Requests {
			if e.Bytes < 0 || e.Issued < 0 {
				t.Fatalf("impossible request %+v", e)
			}
		}
	})
}

var _ tracer.Source = (*Source)(nil)

// On Linux a dropped line may have been a tick, which is no event. Their numbers
// tell, whichever way comes first: the message or the lines.
func TestDroppedTicksAreNoLostEvents(t *testing.T) {
	tick := func(d *decoder, cpu, number int) {
		t.Helper()
		if err := d.Line(fmt.Sprintf("T\t%d\t%d\t%d", cpu, 100*number, number)); err != nil {
			t.Fatal(err)
		}
	}
	for _, lost := range []int{5, 8, 30} { // before the gap, in it, after it
		var log trace.Log
		d := newDecoder(config{Platform: Linux, CPUs: 2, Scope: tracer.Scope{All: true}}, &log)
		for n := 3; n <= 40; n++ {
			tick(d, 0, n)
			if n < 6 || n > 9 { // of CPU 1, four are missing
				tick(d, 1, n)
			}
			if n == lost {
				if err := d.Lost(loss{Count: 104, CPU: 1}, int64(100*n)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := d.Flush(); err != nil {
			t.Fatal(err)
		}
		if l := log.Losses; len(l) != 1 || l[0].Count != 100 || l[0].CPU != 1 || d.Counts().Lost[trace.KindSyscall] != 100 {
			t.Errorf("message at %d: losses %+v", lost, l)
		}
	}
}

// The proc provider of Linux tells of threads as well.
func TestANewThreadIsNoProcess(t *testing.T) {
	log, _ := decode(t, config{Platform: Linux, Scope: tracer.Scope{PIDs: []uint32{7}}}, open3,
		"F\t0\t150\t7\t7", read3)
	if s := log.Syscalls; len(s) != 2 || s[1].File == 0 || s[1].File != s[0].File {
		t.Errorf("calls %+v: the thread shares the descriptors", s)
	}
	if p := log.Processes; len(p) != 1 || p[0].Action != trace.ProcessPresent {
		t.Errorf("processes %+v", p)
	}
}
