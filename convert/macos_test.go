package convert_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/eventlog"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
	"github.com/iotrace/iotrace/tracer/macos"
)

func TestXctraceSystemCalls(t *testing.T) {
	log, c := trial.Import(t, &convert.Xctrace, trial.File(t, "testdata/macos/system-trace.xml"))
	trial.Calls(t, &convert.Xctrace, log, []string{
		"123 open fd=3  at -1 req 0 = 3, 1000000+12000",
		"123 read fd=3  at 0 req 1048576 = 1048576, 1100000+12000",
		"123 read fd=3  at 1048576 req 1048576 = 500, 1200000+12000",
		"500 write_nocancel fd=9  at -1 req 4096 = -28, 1250000+1000000",
	})
	if c.Lines != 6 || c.Skipped != 1 || c.Damaged != 1 {
		t.Errorf("%+v", c)
	}
	if len(log.Processes) != 2 || log.Processes[0].Command != "cp" || log.Processes[1].Command != "Finder" {
		t.Errorf("processes %+v", log.Processes)
	}
}

// Some columns of errors hold texts that are none; a call that returned -1 failed
// whatever they say.
func TestXctraceErrorsThatAreNone(t *testing.T) {
	row := func(result, errno string) string {
		return `<trace-query-result><node><schema name="syscall"/><row><start-time>1000</start-time><duration>5</duration>
			<thread><tid>7</tid></thread><process fmt="cp (123)"><pid>123</pid></process><syscall fmt="read"/>
			<syscall-arg>3</syscall-arg><syscall-arg>1</syscall-arg><syscall-arg>100</syscall-arg>
			<syscall-return>` + result + `</syscall-return>` + errno + `</row></node></trace-query-result>`
	}
	for _, test := range []struct {
		result, errno string
		want          int64
	}{
		{"100", `<errno fmt="success (1)">1</errno>`, 100},
		{"100", `<errno fmt="Unknown error code (1000)">1000</errno>`, 100},
		{"100", `<narrative><errno fmt="reachable">3</errno></narrative>`, 100},
		{"100", `<errno fmt="Operation not supported (45)">45</errno>`, 100},
		{"-1", `<errno fmt="Operation not supported (45)">45</errno>`, -95},
		{"-1", `<errno fmt="No space left on device (28)">28</errno>`, -28},
	} {
		log, _ := trial.Import(t, &convert.Xctrace, row(test.result, test.errno))
		if len(log.Syscalls) != 1 || log.Syscalls[0].Result != test.want {
			t.Errorf("%s with %s: %+v, want %d", test.result, test.errno, log.Syscalls, test.want)
		}
	}
}

func TestXctraceFileActivity(t *testing.T) {
	log, _ := trial.Import(t, &convert.Xctrace, trial.File(t, "testdata/macos/file-activity.xml"))
	const path = "/Users/u/a <b> & c.mov"
	trial.Calls(t, &convert.Xctrace, log, []string{
		"123 open fd=4 " + path + " at -1 req 0 = 4, 2000000+5000",
		"123 pwrite fd=4 " + path + " at 4294967296 req 8192 = 8192, 2100000+5000",
		"123 stat64 fd=-1 " + path + " at -1 req 0 = 0, 2200000+5000",
	})
}

func TestXctraceRefusals(t *testing.T) {
	whole := trial.File(t, "testdata/macos/system-trace.xml")
	log, c := trial.Import(t, &convert.Xctrace, whole[:strings.LastIndex(whole, "<row>")+50]) // cut
	if len(log.Syscalls) != 4 || len(c.Notes) != 2 || !strings.Contains(c.Notes[0], "ends early") {
		t.Errorf("%d calls of a cut export, %+v", len(log.Syscalls), c)
	}
	for _, text := range []string{"", "no xml", "<other/>",
		"<trace-query-result><node><schema name=\"time-profile\"/><row/></node></trace-query-result>",
		"<trace-query-result><node><schema name=\"syscall\"/><row>" + strings.Repeat("<a>", 100)} {
		if _, err := convert.Xctrace.Import(strings.NewReader(text), &eventlog.Log{}); err == nil {
			t.Errorf("%.60q was imported", text)
		} else if !errors.Is(err, convert.ErrFormat) && !strings.Contains(err.Error(), "nested") {
			t.Errorf("%.60q: %v", text, err)
		}
	}
}

func FuzzXctrace(f *testing.F) {
	for _, name := range []string{"system-trace", "file-activity"} {
		b, err := os.ReadFile("testdata/macos/" + name + ".xml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		trial.Fuzz(t, &convert.Xctrace, text)
	})
}

// printed is what ktrace prints of records.
func printed(m *kdsim.Machine, names map[uint64]string) string {
	var b strings.Builder
	b.WriteString("walltime delta(us)(duration) debug-id arg1 arg2 arg3 arg4 thread-id cpu process-name(pid)\n")
	for _, r := range m.Records() {
		ns := m.Nanoseconds(int64(r.Time-m.Base)) + (23*3600+59*60+59)*1e9 + 999_000_000
		s := ns / 1e9
		fmt.Fprintf(&b, "2026-11-20 %02d:%02d:%02d.%09d PST 0.0(0.0) %x %x %x %x %x %x %d %s\n", s/3600%24, s/60%60, s%60,
			ns%1e9, r.DebugID,
			r.Arg[0], r.Arg[1], r.Arg[2], r.Arg[3], r.Thread, r.CPU, names[r.Thread])
	}
	return b.String()
}

// A text across midnight gives the events that the records themselves give.
func TestKtraceText(t *testing.T) {
	m, launchd := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/Users/u/movie.mov", 3<<20)
	m.MakeFile("/Volumes/Ext/old", 1)
	cp := launchd.Spawn("/bin/cp")
	cp.Copyfile("/Users/u/movie.mov", "/Volumes/Ext/movie.mov", 1<<20)
	cp.Disk("/Volumes/Ext/movie.mov", false, 4096, 100, 0)
	cp.Exit(0)
	text := printed(m, map[uint64]string{launchd.TID: "launchd(100)", cp.TID: "a name (101)"})
	log, c := trial.Import(t, &convert.Ktrace, text+"2026-11-21 00:00:01.0 PST 0.0 BSC_read 1 2 3 4 5 0 x(1)\nshort line\n")
	if c.Damaged != 2 || c.Skipped != 1 { // the heading and the short line; the name
		t.Errorf("%+v", c)
	}
	want := &eventlog.Log{}
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Records()[0].Time},
		want)
	if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
		t.Fatal(err)
	}
	if len(log.Syscalls) == 0 || len(log.Syscalls) != len(want.Syscalls) || len(log.Requests) != len(want.Requests) {
		t.Fatalf("%d calls and %d requests, want %d and %d", len(log.Syscalls), len(log.Requests), len(want.Syscalls),
			len(want.Requests))
	}
	for i := range log.Syscalls {
		a, b := log.Syscalls[i], want.Syscalls[i]
		if diff := a.Start - b.Start; diff < -1 || diff > 1 || a.Offset != b.Offset || a.Result != b.Result ||
			log.Path(a.File) != want.Path(b.File) {
			t.Errorf("call %d: %+v, want %+v", i, a, b)
		}
	}
	if _, err := convert.Ktrace.Import(strings.NewReader("this is\nno ktrace\n"), &eventlog.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Errorf("another text: %v", err)
	}
}

// The command that the importer advises records what the backend does.
func TestKtraceIsToldWhatToRecord(t *testing.T) {
	doc, err := os.ReadFile("../docs/import.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"S0x040C", "S0x0301", "S0x0302", "S0x0306", "S0x0401", "C0x07"} {
		if !strings.Contains(convert.Ktrace.About, part) {
			t.Errorf("%s does not ask for %s", convert.Ktrace.About, part)
		}
	}
	if !strings.Contains(string(doc), strings.ReplaceAll(convert.Ktrace.About, "\\\n  ", "")) {
		t.Errorf("docs/import.md does not say %s", convert.Ktrace.About)
	}
}

func FuzzKtrace(f *testing.F) {
	m, launchd := kdsim.New(macos.Intel) // a whole copy, with requests
	m.MakeFile("/a", 1<<20)
	m.MakeFile("/Volumes/Ext/old", 1)
	cp := launchd.Spawn("/bin/cp")
	cp.Copyfile("/a", "/Volumes/Ext/b", 1<<20)
	cp.Disk("/Volumes/Ext/b", false, 4096, 100, 5)
	f.Add(printed(m, map[uint64]string{launchd.TID: "launchd(100)", cp.TID: "cp(101)"}))
	f.Add("2026-11-21 00:00:01.0 PST 0.0(0.0) 40c000d 3 2 3 4 5 0 x(1)\n2026-11-21 00:00:01.1 PST 0.0 40c000e 0 2 0 1 5 " +
		"0 x(1)")
	f.Fuzz(func(t *testing.T, text string) {
		trial.Fuzz(t, &convert.Ktrace, text)
	})
}

func TestFSUsageText(t *testing.T) {
	log, c := trial.Import(t, &convert.FSUsage, trial.File(t, "testdata/macos/fs_usage.txt"))
	if c.Damaged != 1 || len(c.Notes) == 0 {
		t.Errorf("%+v", c)
	}
	if len(log.Syscalls) != 6 || len(log.Requests) != 2 {
		t.Errorf("%d calls and %d requests", len(log.Syscalls), len(log.Requests))
	}
	if got := trial.Told(&convert.FSUsage, log, &log.Syscalls[3]); got != "7001 read fd=3 /Users/u/a [b].mov at 1048576 req 500 = "+
		"500, 500000+90000" {
		t.Error(got)
	}
	for _, text := range []string{"not\nfs_usage\n", "13:02:55  read   0.000012   cp\n"} {
		if _, err := convert.FSUsage.Import(strings.NewReader(text), &eventlog.Log{}); !errors.Is(err, convert.ErrFormat) ||
			!strings.Contains(err.Error(), "-w") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := convert.FSUsage.Import(strings.NewReader(""), &eventlog.Log{}); err != nil {
		t.Errorf("an empty text: %v", err)
	}
}
