package fsusage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// clock prints a time of day.
func clock(ns int64) string {
	us := ns / 1000
	s := us / 1e6
	return fmt.Sprintf("%02d:%02d:%02d.%06d", s/3600%24, s/60%60, s%60, us%1e6)
}

// printCall prints a simulated call as fs_usage would. begin is the time of day
// of the machine's first tick.
func printCall(c kdsim.Call, begin int64, command string) string {
	errno, result := int64(0), c.Result
	if result < 0 {
		errno = -result
	}
	name := strings.TrimSuffix(c.Name, "_nocancel")
	middle, path, padded := pathField(errno), c.Path, true
	switch {
	case strings.HasPrefix(name, "open"):
		flags := "(RW____________) "
		if strings.Contains(c.Path, "Ext") || strings.Contains(c.Path, "Xa81kQ") {
			flags = "(_WC_T_________) "
		}
		if middle = fmt.Sprintf(" F=%-3d      ", result); errno != 0 {
			middle = fmt.Sprintf("      [%3d] ", errno)
		}
		middle, padded = middle+flags, false
		if name == "openat" {
			path = "[-2]/" + path
		}
	case name == "read" || name == "write":
		middle, path = fdField(int64(c.FD), errno), ""
		if errno == 0 {
			middle += fmt.Sprintf("  B=0x%-6x", result)
		}
	case strings.HasPrefix(name, "fcntl("):
		tag := strings.TrimSuffix(strings.TrimPrefix(name, "fcntl(F_"), ")")
		if tag == "NOCACHE" {
			tag = "CACHING OFF"
		}
		name, path = "fcntl", ""
		middle = fdField(int64(c.FD), errno) + " <" + tag + ">"
	case name == "ftruncate":
		middle, path, padded = fdField(int64(c.FD), errno)+clip("  O=", uint64(c.Requested)), "", false
	case c.FD >= 0:
		middle, path = fdField(int64(c.FD), errno), ""
	}
	elapsed := ((c.End-c.Start)*125/3 + 999) / 1000
	return printLine(clock(begin+c.End*125/3), name, middle, path, padded,
		fmt.Sprintf("%3d.%06d", elapsed/1e6, elapsed%1e6),
		false, command, uint64(c.TID))
}

func decode(t *testing.T, cfg Config, lines ...string) (*trace.Log, *Decoder) {
	t.Helper()
	var log trace.Log
	d := NewDecoder(cfg, &log)
	for _, l := range lines {
		if err := d.Line([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	return &log, d
}

// A copy as cp makes it, printed across midnight, has its calls, files, offsets
// and bytes back.
func TestCopyFromText(t *testing.T) {
	m, launchd := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/Users/u/movie (final).mov", 5<<20+100)
	m.MakeFile("/Volumes/Ext/old", 1)
	cp := launchd.Spawn("/bin/cp")
	m.Calls = m.Calls[:0]
	cp.Copyfile("/Users/u/movie (final).mov", "/Volumes/Ext/b.mov", 1<<20)
	begin := day - 2_000_000 // 2 ms before midnight
	var lines []string
	for _, c := range m.Calls {
		lines = append(lines, printCall(c, begin, "cp"))
	}
	log, d := decode(t, Config{Start: begin}, lines...)
	if c := d.Counts(); c.Damaged != 0 || c.Steps != 0 || c.Skipped != 0 {
		t.Errorf("counts %+v", c)
	}
	if len(log.Syscalls) != len(m.Calls) {
		t.Fatalf("%d calls of %d", len(log.Syscalls), len(m.Calls))
	}
	for i := range log.Syscalls {
		e, c := &log.Syscalls[i], m.Calls[i]
		want := c.Result
		if want < 0 {
			want = -macos.Errno(-want)
		}
		if c.Name == "ftruncate" || strings.HasPrefix(c.Name, "fcntl(") {
			c.Offset = trace.NoOffset
		}
		if e.Result != want || log.Path(e.File) != c.Path || e.Offset != c.Offset {
			t.Errorf("call %d: %s of %q at %d = %d, want %+v", i, Names()[e.Call], log.Path(e.File), e.Offset, e.Result, c)
		}
		if e.Op.MovesData() && e.Flags&trace.FlagPartial == 0 {
			t.Errorf("%s claims to know what was asked for", Names()[e.Call])
		}
		if diff := e.End() - c.End*125/3; diff < -1000 || diff > 1000 {
			t.Errorf("call %d ended at %d, want %d", i, e.End(), c.End*125/3)
		}
	}
	var written []string
	for _, w := range d.Files().Written() {
		written = append(written, w.Path)
	}
	if fmt.Sprint(written) != "[/Volumes/Ext/b.mov]" {
		t.Errorf("written %v", written)
	}
}

func diskLine(at, label string, block uint64, bytes int64, device, path string) string {
	return printLine(at, "  "+label, fmt.Sprintf(" D=0x%08x  B=0x%-6x /dev/%s ", block, bytes, device), path, false,
		"0.000150", true, "dd", 9)
}

func TestDiskRequestsFromText(t *testing.T) {
	log, d := decode(t, Config{Start: -1},
		diskLine("10:00:00.000150", "WrData[A]", 1000, 1<<20, "disk3s5", "/big.bin"),
		diskLine("10:00:00.000350", "WrData[ANT1]", 1256, 1<<20, "disk3s5", "/big.bin"),
		diskLine("10:00:00.000450", "RdMeta[S]", 5, 4096, "disk3", "/dev/disk3"),
		diskLine("10:00:00.000550", "PgIn[ST2]", 5, 16384, "disk3s1s1", "/usr/lib/x"),
		diskLine("10:00:00.000650", "WrData[S]", 77, 65536, "NOTFOUND", "/dev/null"),
		printLine("10:00:00.000750", "  RdData[S]", " D=0x00000001  [ 16]", "/dev/disk9", false, "5.001018", true, "dd", 9),
		printLine("10:00:00.000850", "IOCTL", " <DKIOCSYNCHRONIZECACHE>  /dev/disk3", "", true, "0.000050", false, "dd", 9),
		printLine("10:00:00.000950", "  TrimExtent", " D=0x00000010  B=0x2000   /dev/disk3", "", true, "0.000001", false,
			"dd", 9),
	)
	if len(log.Requests) != 7 || d.Counts().Skipped != 1 {
		t.Fatalf("%d requests, %+v", len(log.Requests), d.Counts())
	}
	q := log.Requests
	if q[0].Sector != 8000 || q[1].Sector != q[0].Sector+uint64(q[0].Bytes/512) {
		t.Errorf("sectors %d, %d: the second request follows the first", q[0].Sector, q[1].Sector)
	}
	for i, want := range []struct {
		op    trace.ReqOp
		flags trace.ReqFlags
	}{{trace.ReqWrite, 0}, {trace.ReqWrite, trace.ReqDirect | trace.ReqBackground},
		{trace.ReqRead, trace.ReqMeta | trace.ReqSync},
		{trace.ReqRead, trace.ReqSync | trace.ReqBackground}, {trace.ReqRead, trace.ReqSync}, {trace.ReqFlush, trace.ReqSync},
		{trace.ReqDiscard, trace.ReqSync}} {
		if q[i].Op != want.op || q[i].Flags != want.flags {
			t.Errorf("request %d: %s with flags %b, want %s %b", i, q[i].Op, q[i].Flags, want.op, want.flags)
		}
	}
	if q[4].Error != 16 || q[4].Bytes != 0 || log.Path(q[0].File) != "/big.bin" || q[0].Evidence != trace.EvidenceInode ||
		q[2].File != 0 {
		t.Errorf("requests %+v", q)
	}
	if q[0].Issued != 0 || q[0].Completed != 150_000 || q[4].Issued != 0 {
		t.Errorf("times %d…%d, %d", q[0].Issued, q[0].Completed, q[4].Issued)
	}
	names := ""
	for _, e := range log.Devices {
		names += e.Name + " "
	}
	if names != "disk3s5 disk3 disk3s1s1 disk9 " {
		t.Errorf("devices %s", names)
	}
}

func TestBlockSizeIsInferred(t *testing.T) {
	log, _ := decode(t, Config{Start: -1},
		diskLine("10:00:00.000150", "RdData[S]", 0, 4096, "disk1", "/a"),
		diskLine("10:00:00.000250", "RdData[S]", 8, 4096, "disk1", "/a"),
		diskLine("10:00:00.000350", "RdData[S]", 16, 4096, "disk1", "/a"))
	if got := log.Requests[2].Sector; got != 16 {
		t.Errorf("sector %d, want 16: blocks of this disk are 512 bytes", got)
	}
}

func TestClock(t *testing.T) {
	at := func(s string) string { return printLine(s, "sync", pathField(0), "", true, "0.000001", false, "x", 1) }
	log, d := decode(t, Config{Start: -1}, at("23:59:59.999999"), at("00:00:00.500000"), at("00:00:00.400000"),
		at("01:00:00.000000"),
		at("00:10:00.000000"), at("00:10:01.000000"))
	want := []int64{1000, 500_002_000, 400_002_000, 3_600_000_002_000, 3_600_000_002_000, 3_601_000_002_000}
	for i, e := range log.Syscalls {
		if e.End() != want[i] {
			t.Errorf("line %d ended at %d, want %d", i, e.End(), want[i])
		}
	}
	if d.Counts().Steps != 1 {
		t.Errorf("%d steps of the clock, want 1", d.Counts().Steps)
	}
}

func TestProcessesOfText(t *testing.T) {
	line := func(name, middle, path string, command string, tid uint64) string {
		return printLine("10:00:00.000001", name, middle, path, true, "0.000001", false, command, tid)
	}
	log, d := decode(t, Config{Start: -1},
		line("open", " F=3        (RW____________) ", "/a", "Finder", 5),
		line("read", fdField(3, 0)+"  B=0x10    ", "", "Finder", 6), // another thread of it
		line("chdir", pathField(0), "/Users/u", "Finder", 6),
		line("stat64", pathField(0), "rel", "Finder", 6),
		line("read", fdField(3, 0)+"  B=0x10    ", "", "cp", 7), // another process: its 3 is another file
		line("exit", "      [  2]       ", "", "cp", 7),
		"damaged",
		line("THROTTLED", pathField(0), "", "cp", 7),
		line("PAGE_IN_FILE", clip(" A=", 4096), "", "cp", 7),
	)
	if d.Counts().Damaged != 1 || len(log.Waits) != 1 || len(log.Faults) != 1 {
		t.Errorf("counts %+v, %d waits, %d faults", d.Counts(), len(log.Waits), len(log.Faults))
	}
	s := log.Syscalls
	if s[0].PID != s[1].PID || s[1].File != s[0].File || s[3].PID == s[0].PID || s[3].File != 0 {
		t.Errorf("calls %+v", s)
	}
	if got := log.Path(s[2].File); got != "/Users/u/rel" {
		t.Errorf("relative path became %q", got)
	}
	last := log.Processes[len(log.Processes)-1]
	if last.Action != trace.ProcessExit || last.Status != 2<<8 {
		t.Errorf("exit %+v", last)
	}
}

func TestALossMakesDescriptorsUnknown(t *testing.T) {
	line := func(name, middle, path string) string {
		return printLine("10:00:00.000001", name, middle, path, true, "0.000001", false, "cp", 5)
	}
	log, d := decode(t, Config{Start: -1}, line("open", " F=3        (RW____________) ", "/a"),
		line("read", fdField(3, 0)+"  B=0x10    ", ""))
	if err := d.Lost(5, 9); err != nil {
		t.Fatal(err)
	}
	if err := d.Line([]byte(line("read", fdField(3, 0)+"  B=0x10    ", ""))); err != nil {
		t.Fatal(err)
	}
	if s := log.Syscalls; s[1].File == 0 || s[2].File != 0 || s[2].Offset != trace.NoOffset || len(log.Losses) != 1 {
		t.Errorf("calls %+v, losses %+v: an open may be missing", s, log.Losses)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add(diskLine("10:00:00.000150", "WrData[A]", 1000, 1<<20, "disk3s5", "/big.bin") + "\n" +
		printLine("10:00:00.000001", "open", " F=3        (RW____________) ", "/a", true, "0.000001", false, "Finder", 5) +
		"\n" +
		printLine("09:00:00.000001", "read", fdField(3, 0)+"  B=0x10    ", "", true, "0.000001", false, "Finder", 5))
	f.Fuzz(func(t *testing.T, text string) {
		var log trace.Log
		d := NewDecoder(Config{Start: -1}, &log)
		for _, l := range strings.Split(text, "\n") {
			if err := d.Line([]byte(l)); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range log.Syscalls {
			if e.Start < 0 || e.Duration < 0 || e.Requested < 0 || e.Offset < -1 || int(e.Call) >= len(Names()) {
				t.Fatalf("impossible event %+v", e)
			}
		}
		for _, e := range log.Requests {
			if e.Issued < 0 || e.Completed < e.Issued || e.Bytes < 0 {
				t.Fatalf("impossible request %+v", e)
			}
		}
	})
}
