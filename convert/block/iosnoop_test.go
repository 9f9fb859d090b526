package block

import (
	"errors"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// What iosnoop of perf-tools printed of a dd that wrote 64 KiB at a time, and their journal, and read them again, among
// others: as many requests and bytes as its lines have.
func TestPerfTools(t *testing.T) {
	text := trial.File(t, "testdata/perf-tools.txt")
	log, c := trial.Import(t, &Iosnoop, text)
	want := strings.Count(text, " 254,0 ")
	if c.Damaged != 0 || len(log.Requests) != want {
		t.Fatalf("%+v, %d requests, want %d", c, len(log.Requests), want)
	}
	written, read := int64(0), int64(0)
	for _, e := range log.Requests {
		switch {
		case commandOf(log, e.PID) != "dd":
		case e.Op == trace.ReqWrite:
			written += e.Bytes
		case e.Op == trace.ReqRead:
			read += e.Bytes
		}
	}
	if written != 1880064 || read != 1769472 { // as awk adds the lines up
		t.Errorf("dd wrote %d bytes and read %d", written, read)
	}
	if got := trial.Life(log, &log.Requests[0]); got != "254:0 read 20505960+4096 pid 27792: -1 0 260000, 1 bios, "+
		"flags 10000" {
		t.Error(got)
	}
	checkLimits(t, &Iosnoop, text, nil)
}

func commandOf(log *trace.Log, pid uint32) string {
	for _, p := range log.Processes {
		if p.PID == pid {
			return p.Command
		}
	}
	return ""
}

func checkLimits(t *testing.T, i *convert.Importer, text string, want []trace.LimitCode) {
	t.Helper()
	got := i.Limits([]byte(text))
	if len(got) != len(want) {
		t.Fatalf("limits %v, want %v", got, want)
	}
	for k := range want {
		if got[k].Code != want[k] {
			t.Errorf("limits %v, want %v", got, want)
		}
	}
}

// Without -s and -t requests stand one after the other, with the times they took.
func TestPerfToolsWithoutTimes(t *testing.T) {
	text := trial.File(t, "testdata/perf-tools-without-times.txt")
	log, c := trial.Import(t, &Iosnoop, text)
	if c.Damaged != 0 || len(log.Requests) != strings.Count(text, " 254,0 ") {
		t.Fatalf("%+v, %d requests", c, len(log.Requests))
	}
	for i := 1; i < len(log.Requests); i++ {
		if log.Requests[i].Issued < log.Requests[i-1].Completed {
			t.Fatalf("request %d begins at %d, before the one in front of it ended", i, log.Requests[i].Issued)
		}
	}
	checkLimits(t, &Iosnoop, text, []trace.LimitCode{trace.LimitNoTimes})
}

// iosnoop reads the wrong columns of kernels whose events say a priority, as 6.18 does; this is what it prints there.
func TestNewKernel(t *testing.T) {
	const heading = "COMM         PID    TYPE DEV      BLOCK        BYTES     LATms\n"
	const shifted = "go           25224  RM   254,0    +            0          0.15\n"
	_, err := Iosnoop.Import(strings.NewReader(heading+shifted), &trace.Log{})
	if !errors.Is(err, convert.ErrFormat) || !strings.Contains(err.Error(), `BLOCK is "+"`) {
		t.Error(err)
	}
	whole := strings.Replace(shifted, "+            0", "8         4096", 1)
	_, c := trial.Import(t, &Iosnoop, heading+whole+shifted+"junk\n")
	if c.Damaged != 2 || c.First != 3 {
		t.Errorf("%+v", c)
	}
}

// The columns of the DTraceToolkit's, by its manual: which are there depends on the flags.
func TestToolkit(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		limits []trace.LimitCode
		want   []string
	}{
		"default": {"  UID   PID D    BLOCK   SIZE       COMM PATHNAME\n" +
			"  501   300 R   180224   4096         ls ??/bin/ls\n    0     0 W       16      0 kernel_task <none>\n",
			[]trace.LimitCode{trace.LimitNoTimes, trace.LimitNoDurations},
			[]string{" read 180224+4096 pid 300: -1 0 0, 1 bios", " write 16+0 pid 0: -1 1000 1000, 1 bios"}},
		"-stD": {"STIME(us)      TIME(us)       DELTA(us)    UID   PID D    BLOCK   SIZE       COMM PATHNAME\n" +
			"1000250        1000500               250   501   300 W        8   8192 Google Chrome /Users/u/a b.txt\n" +
			"1000300        1000400               100   501   300 R        9    512 Google Chrome /Users/u/a b.txt\n", nil,
			[]string{" write 8+8192 pid 300: -1 0 250000, 1 bios", " read 9+512 pid 300: -1 50000 150000, 1 bios"}},
		"-t": {"TIME(us)         UID   PID D    BLOCK   SIZE       COMM PATHNAME\n" +
			"1000500          501   300 W        8   8192         cp /a\n", []trace.LimitCode{trace.LimitNoDurations},
			[]string{" write 8+8192 pid 300: -1 0 0, 1 bios"}},
		"-v with the device": {"STRTIME                UID   PID D    BLOCK   SIZE DEVICE       COMM PATHNAME\n" +
			"2005 Jul 24 22:52:15     0   300 W        8   8192 disk0        cp /a\n",
			[]trace.LimitCode{trace.LimitNoTimes, trace.LimitNoDurations},
			[]string{"disk0 write 8+8192 pid 300: -1 0 0, 1 bios"}},
	} {
		log, counts := trial.Import(t, &IosnoopDTrace, c.text)
		t.Run(name, func(t *testing.T) {
			trial.Requests(t, log, c.want)
			checkLimits(t, &IosnoopDTrace, c.text, c.limits)
			if counts.Damaged != 0 || strings.Contains(c.text, "a b.txt") &&
				(log.Path(log.Requests[1].File) != "/Users/u/a b.txt" || log.Processes[0].Command != "Google Chrome") {
				t.Errorf("%+v, file %q, %+v", counts, log.Path(log.Requests[0].File), log.Processes)
			}
		})
	}
	for _, text := range []string{"no\niosnoop\n", "  501   300 R   180224   4096         ls ??/bin/ls\n"} {
		if _, err := IosnoopDTrace.Import(strings.NewReader(text), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzIosnoop(f *testing.F) {
	f.Add("STARTs ENDs COMM PID TYPE DEV BLOCK BYTES LATms\n1.5 1.6 dd 3 WS 254,0 8 4096 0.1\n1 2 a b 3 4 5\n")
	f.Add("STIME(us) TIME(us) DELTA(us) UID PID D BLOCK SIZE COMM PATHNAME\n1 2 1 0 5 W 8 512 a b /c d\n")
	f.Add("STRTIME UID PID D BLOCK SIZE DEVICE PATHNAME ARGS\n2005 Jul 24 22:52:15 0 3 R -1 0 d /a b\n")
	f.Fuzz(func(t *testing.T, text string) {
		trial.Fuzz(t, &Iosnoop, text)
		trial.Fuzz(t, &IosnoopDTrace, text)
	})
}

func BenchmarkIosnoop(b *testing.B) {
	text := "STARTs          ENDs            COMM         PID    TYPE DEV      BLOCK        BYTES     LATms\n" +
		strings.Repeat("4548.687146     4548.687265     bash         17280  W    254,0    381703568    4096       0.12\n",
			10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		trial.Import(b, &Iosnoop, text)
	}
}
