package fio

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// logs reads logs by their names and texts, in turns.
func logs(pairs ...string) (*trace.Log, convert.Counts, error) {
	var inputs []convert.Input
	for i := 0; i < len(pairs); i += 2 {
		inputs = append(inputs, convert.Input{Name: pairs[i], Reader: strings.NewReader(pairs[i+1])})
	}
	log := &trace.Log{}
	c, err := Log.Merge(inputs, log)
	return log, c, err
}

// total sums up what a log tells of an operation.
func total(log *trace.Log, op trace.Op) (n int, bytes, least, most int64, mean float64) {
	least = math.MaxInt64
	for _, e := range log.AsyncOps {
		if e.Op != op {
			continue
		}
		n++
		bytes += e.Result
		took := e.Complete - e.Submit
		least, most, mean = min(least, took), max(most, took), mean+float64(took)
	}
	return n, bytes, least, most, mean / float64(n)
}

// A job's log comes to what fio 3.33 itself said of that job.
func TestLog(t *testing.T) {
	log, c, err := logs("j_clat.1.log", trial.File(t, "testdata/j_clat.1.log"))
	if err != nil || c.Damaged != 0 || c.Lines != 60 {
		t.Fatalf("%+v, %v", c, err)
	}
	for op, want := range map[trace.Op]string{
		trace.OpRead: "28 159744 3957 6207285 602618.036", trace.OpWrite: "32 192512 21890 6283305 464791.250"} {
		n, bytes, least, most, mean := total(log, op)
		if got := fmt.Sprintf("%d %d %d %d %.3f", n, bytes, least, most, mean); got != want {
			t.Errorf("%s: %s, want %s", op, got, want)
		}
	}
	if e := log.AsyncOps[0]; e.Offset != 61440 || e.Complete != 2_000_000 ||
		log.Path(e.File) != "files of job 1, j_clat.1.log" {
		t.Errorf("%+v of %s", e, log.Path(e.File))
	}
}

// What fio writes here, of two jobs, comes to what its results say.
func TestRealFio(t *testing.T) {
	testenv.NeedTools(t, "fio")
	dir := t.TempDir()
	cmd := exec.Command("fio", "--name=j", "--directory="+dir, "--size=256k", "--rw=randrw", "--bs=4k", "--numjobs=2",
		"--write_lat_log=j", "--log_offset=1", "--write_iolog=iolog", "--output-format=json", "--output=out.json", "--thread")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		testenv.Missing(t, "fio does not run: %v: %s", err, out)
	}
	var results struct {
		Jobs []struct {
			Read, Write struct {
				IOs   int   `json:"total_ios"`
				Bytes int64 `json:"io_bytes"`
			}
		}
	}
	text := trial.File(t, dir+"/out.json")
	if err := json.Unmarshal([]byte(text), &results); err != nil {
		t.Fatal(err)
	}
	if why := Log.Refuse([]byte(text)); !strings.Contains(why, "write_lat_log") {
		t.Errorf("results are refused with %q", why)
	}
	names, err := filepath.Glob(dir + "/j_clat.*.log")
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	log, c, err := logs(names[0], trial.File(t, names[0]), names[1], trial.File(t, names[1]))
	if err != nil || c.Damaged != 0 {
		t.Fatalf("%+v, %v", c, err)
	}
	for i := 1; i < len(log.AsyncOps); i++ {
		if log.AsyncOps[i].Complete < log.AsyncOps[i-1].Complete-1e6 {
			t.Fatalf("operation %d ended before the one in front of it", i)
		}
	}
	reads, writes, read, written := 0, 0, int64(0), int64(0)
	for _, j := range results.Jobs {
		reads, writes, read, written = reads+j.Read.IOs, writes+j.Write.IOs, read+j.Read.Bytes, written+j.Write.Bytes
	}
	n, bytes, _, _, _ := total(log, trace.OpRead)
	m, moved, _, _, _ := total(log, trace.OpWrite)
	if n != reads || m != writes || bytes != read || moved != written {
		t.Errorf("%d reads of %d bytes, %d writes of %d; fio says %d, %d, %d, %d", n, bytes, m, moved, reads, read, writes,
			written)
	}
}

// Lines of all versions: without offsets, without priorities, with the time of issue.
func TestEntries(t *testing.T) {
	for line, want := range map[string]string{
		"5, 100, 0, 4096":                          "5 100 0 4096 -1 -1",
		"5, 100, 1, 4096, 0":                       "5 100 1 4096 -1 -1",
		"5, 100, 1, 4096, 0x0000":                  "5 100 1 4096 -1 -1",
		"5, 100, 2, 4096, 8192":                    "5 100 2 4096 8192 -1",
		"5, 100, 1, 4096, 0, 0x2004":               "5 100 1 4096 0 -1",
		"5, 100, 1, 4096, 512, 0, 4900000":         "5 100 1 4096 512 4900000",
		"5,100,1,4096,512":                         "",
		"5, 100, 1":                                "",
		"5, 100, 1, 4096, x, 0":                    "",
		"5, -100, 1, 4096":                         "",
		"5, 100, 1, 4096, 512, 0, 1, 1":            "",
		"5, 100, 1, 4096, 512, 0, 1, 1, 1":         "",
		"5, 99999999999999999999, 1, 4096, 512, 0": "",
	} {
		var e entry
		got := ""
		if e.parse([]byte(line + "\r\n")) {
			got = fmt.Sprint(e.time, e.latency, e.direction, e.size, e.offset, e.issue)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Rates, averages and logs that tell the same twice are no lists of I/Os.
func TestOtherLogs(t *testing.T) {
	const line = "5, 100, 1, 4096, 0, 0\n"
	for why, pairs := range map[string][]string{
		"log of rates":    {"a_bw.1.log", line},
		"parts of":        {"x/a_slat.1.log", line},
		"the same I/O":    {"a_lat.1.log", line, "a_clat.1.log", line},
		"are averages":    {"a_lat.1.log", "0, 4690, 1, 0, 0\n"},
		"write_iops_log":  {"a.log", strings.Repeat("5, 1, 1, 4096, 0, 0\n", 9)},
		"none of 1 lines": {"a.log", "no log\n"},
	} {
		if _, _, err := logs(pairs...); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v: %v, want %s", pairs, err, why)
		}
	}
	_, c, err := logs("a.log", line+"junk\n"+line)
	if err != nil || c.Damaged != 1 || c.First != 2 || c.Lines != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A log of rates is refused by what stands in it, too: averaged (log_avg_msec), and of each I/O. One of latencies is not.
func TestRates(t *testing.T) {
	for text, want := range map[string]bool{
		"500, 18012, 0, 0, 0\n1000, 17987, 1, 0, 0\n1500, 1":     true, // write_iops_log, the last line cut
		strings.Repeat("5, 1, 1, 4096, 0, 0\r\n", 9):             true,
		"5, 100, 1, 4096, 0, 0\n6, 1, 1, 0, 0, 0\n":              false,
		strings.Repeat("5, 1, 1, 4096, 0, 0\n", 3):               false,
		"500, 18012, 0, 0, 0\nsomething else\n500, 1, 0, 0, 0\n": false,
		"": false,
	} {
		if why := Log.Refuse([]byte(text)); strings.Contains(why, "--write_lat_log=X") != want {
			t.Errorf("%q: %s", text, why)
		}
	}
}

// An iolog that fio 3.33 wrote has the calls of its actions.
func TestIolog(t *testing.T) {
	text := trial.File(t, "testdata/j.iolog")
	log, c := trial.Import(t, &Iolog, text)
	counts, moved := map[string]int{}, map[string]int64{}
	for _, e := range log.Syscalls {
		name := Iolog.Header.Calls[e.Call]
		counts[name]++
		moved[name] += e.Bytes()
	}
	if c.Damaged != 0 || counts["pread64"] != 28 || counts["pwrite64"] != 32 || counts["fsync"] != 2 ||
		counts["openat"] != 1 || counts["close"] != 1 || moved["pread64"] != 159744 || moved["pwrite64"] != 192512 {
		t.Errorf("%+v: %v, %v bytes", c, counts, moved)
	}
	if got := trial.Told(&Iolog, log,
		&log.Syscalls[1]); got != "1 pread64 fd=3 /data/file at 61440 req 4096 = 4096, 155000+0" {
		t.Error(got)
	}
	log, c = trial.Import(t, &Iolog,
		"fio version 2 iolog\r\n/a add\r\n/a open\r\n/a wait 500 0\r\n/a trim 0 4096\r\n/a read 1\r\n/a dance\r\n")
	trial.Calls(t, &Iolog, log, []string{"1 openat fd=3 /a at -1 req 0 = 3, 2000+0",
		"1 ioctl fd=3 /a at 0 req 4096 = 0, 4000+0"})
	if c.Damaged != 2 || c.First != 6 || len(c.Notes) != 1 {
		t.Errorf("%+v", c)
	}
	log, c = trial.Import(t, &Iolog, "fio version 3 iolog\n0 /a add\n0 /a open\n7 /a read 0 4096\nfio version 3 iolog\n"+
		"0 /b add\n0 /b open\n5 /b write 0 512\n")
	if n := len(log.Syscalls); n != 4 || c.Damaged != 0 || !slices.ContainsFunc(c.Notes, func(n string) bool {
		return strings.Contains(n, "2 iologs")
	}) || log.Syscalls[3].Start != log.Syscalls[2].Start+5000 || log.Syscalls[2].Start <= log.Syscalls[1].Start {
		t.Errorf("two logs in a file: %+v, %+v", c, log.Syscalls)
	}
	if l := Iolog.Limits([]byte("fio version 2 iolog\n")); len(l) != 1 || l[0].Code != trace.LimitNoTimes {
		t.Errorf("limits %v", l)
	}
	if _, err := Iolog.Import(strings.NewReader("read, 0, 4096\n"), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Error(err)
	}
}

func FuzzIolog(f *testing.F) {
	f.Add("fio version 3 iolog\n3 /d add\n147 /d open\n155 /d read 61440 4096\n160 /d sync 0 0\n170 /d close\n")
	f.Add("fio version 2 iolog\n/d add\n/d open\n/d wait 5 0\n/d write 0 4294967295\n/d trim 1 2\n")
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &Iolog, text) })
}

func FuzzLog(f *testing.F) {
	f.Add("2, 355678, 0, 4096, 61440, 0x0000\n", "2, 1, 1, 512\n")
	f.Add("5, 100, 1, 4096, 512, 0, 4900000\n9, 1, 2, 0, 0, 0\n", "5, 4611686018427387903, 0, 1099511627776, 5\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		log, c, err := logs("a", a, "b", b)
		if err == nil && uint64(len(log.AsyncOps))+c.Damaged+c.Skipped > c.Lines {
			t.Fatalf("%d operations of %+v", len(log.AsyncOps), c)
		}
		for _, e := range log.AsyncOps {
			if e.Submit < 0 || e.Complete < e.Submit || e.Offset < trace.NoOffset || e.Requested < 0 {
				t.Fatalf("impossible operation %+v", e)
			}
		}
	})
}

func BenchmarkLog(b *testing.B) {
	text := strings.Repeat("2355, 355678, 0, 4096, 61440, 0x0000\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := logs("a", text); err != nil {
			b.Fatal(err)
		}
	}
}
