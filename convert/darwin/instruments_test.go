package darwin_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

func TestXctraceSystemCalls(t *testing.T) {
	log, c := trial.Import(t, &darwin.Instruments, trial.File(t, "testdata/system-trace.xml"))
	trial.Calls(t, &darwin.Instruments, log, []string{
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
		log, _ := trial.Import(t, &darwin.Instruments, row(test.result, test.errno))
		if len(log.Syscalls) != 1 || log.Syscalls[0].Result != test.want {
			t.Errorf("%s with %s: %+v, want %d", test.result, test.errno, log.Syscalls, test.want)
		}
	}
}

func TestXctraceFileActivity(t *testing.T) {
	log, _ := trial.Import(t, &darwin.Instruments, trial.File(t, "testdata/file-activity.xml"))
	const path = "/Users/u/a <b> & c.mov"
	trial.Calls(t, &darwin.Instruments, log, []string{
		"123 open fd=4 " + path + " at -1 req 0 = 4, 2000000+5000",
		"123 pwrite fd=4 " + path + " at 4294967296 req 8192 = 8192, 2100000+5000",
		"123 stat64 fd=-1 " + path + " at -1 req 0 = 0, 2200000+5000",
	})
}

func TestXctraceRefusals(t *testing.T) {
	whole := trial.File(t, "testdata/system-trace.xml")
	log, c := trial.Import(t, &darwin.Instruments, whole[:strings.LastIndex(whole, "<row>")+50]) // cut
	if len(log.Syscalls) != 4 || len(c.Notes) != 2 || !strings.Contains(c.Notes[0], "ends early") {
		t.Errorf("%d calls of a cut export, %+v", len(log.Syscalls), c)
	}
	for _, text := range []string{"", "no xml", "<other/>",
		"<trace-query-result><node><schema name=\"time-profile\"/><row/></node></trace-query-result>",
		"<trace-query-result><node><schema name=\"syscall\"/><row>" + strings.Repeat("<a>", 100)} {
		if _, err := darwin.Instruments.Import(strings.NewReader(text), &trace.Log{}); err == nil {
			t.Errorf("%.60q was imported", text)
		} else if !errors.Is(err, convert.ErrFormat) && !strings.Contains(err.Error(), "nested") {
			t.Errorf("%.60q: %v", text, err)
		}
	}
}

func FuzzXctrace(f *testing.F) {
	for _, name := range []string{"system-trace", "file-activity"} {
		b, err := os.ReadFile("testdata/" + name + ".xml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(table("FsSyscall", fileActivity, values{start: 1, call: "read", ret: "7", path: "/a", fd: "3", a1: 3,
		lr: "7"}.row()))
	f.Add(table("disk", []string{"start:start-time", "duration:duration", "process:process",
		"operation:diskio-operation", "size:size-in-bytes"},
		`<row><start-time>1</start-time><duration>2</duration><process fmt="a (1)"><pid>1</pid></process>`+
			`<diskio-operation>Data Read</diskio-operation><size-in-bytes>5</size-in-bytes></row>`))
	f.Fuzz(func(t *testing.T, text string) {
		trial.Fuzz(t, &darwin.Instruments, text)
	})
}
