package calls

import (
	"errors"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

const table = `Tracing ext4 operations slower than 10 ms
TIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME
23:59:59 cron           16464  R 1249    4          16.05 common-auth
23:59:59 Web Content    70     W 65536   640        20.00 a file, b
00:00:01 cron           16464  S 0       0        1010.00 common-auth
00:00:01 cron           16464  R 4294967291 0       10.50 bad
00:00:01 b'yum'         77     O 0       0          10.07 b'packages.db'
00:00:02 nfs            78     C 5       0          10.07 x
Possibly lost 3 samples
00:00:02 cut off
`

// The first operation began 20 ms before 23:59:59, which is time 0; each ends in its second.
func TestTable(t *testing.T) {
	log, c := trial.Import(t, &FSSlower, table)
	trial.Calls(t, &FSSlower, log, []string{
		"16464 read fd=-1 common-auth at 4096 req 1249 = 1249, 3950000+16050000",
		"70 write fd=-1 a file, b at 655360 req 65536 = 65536, 0+20000000",
		"16464 fsync fd=-1 common-auth at -1 req 0 = 0, 1010000000+1010000000",
		"16464 read fd=-1 bad at 0 req 0 = -5, 2009500000+10500000",
		"77 openat fd=-1 packages.db at -1 req 0 = 0, 2009930000+10070000",
	})
	if c.Damaged != 1 || c.First != 10 || c.Skipped != 4 || len(log.Processes) != 3 || log.Processes[1].Command != "Web Content" {
		t.Errorf("%+v %+v", c, log.Processes)
	}
	notes := strings.Join(c.Notes, "; ")
	for _, want := range []string{"only operations slower than 10 ms", "within one is not known", "does not hold: 1, of C (1)",
		"lost 3 operations"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
}

// The columns of -j: the second operation began first, at 1,000,000 us, which is time 0.
func TestExact(t *testing.T) {
	const text = `ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE
1000300,dd,7,W,4096,8192,100,out,put
1000500,a,b,8,R,100,1,500,in
1000600,dd,7,S,0,0,20,out,put
1000700,dd,7,S,0,0
`
	log, c := trial.Import(t, &FSSlower, text)
	trial.Calls(t, &FSSlower, log, []string{
		"7 write fd=-1 out,put at 8192 req 4096 = 4096, 200000+100000",
		"8 read fd=-1 in at 1 req 100 = 100, 0+500000",
		"7 fsync fd=-1 out,put at -1 req 0 = 0, 580000+20000",
	})
	notes := strings.Join(c.Notes, "; ")
	if c.Damaged != 1 || c.First != 5 || !strings.Contains(notes, "the fastest took 20µs") || strings.Contains(notes, "rounded") {
		t.Errorf("%+v", c)
	}
	if log.Processes[1].Command != "a,b" {
		t.Errorf("%+v", log.Processes)
	}
}

// A table of all operations has no threshold; that of libbpf-tools says F of fsync, and LL_MAX.
func TestLibbpf(t *testing.T) {
	log, c := trial.Import(t, &FSSlower, "Tracing xfs operations... Hit Ctrl-C to end.\n"+
		"TIME     COMM             PID     T BYTES   OFF_KB   LAT(ms) FILENAME\n"+
		"10:00:00 dd               7       F LL_MAX  0           1.25 out\n")
	trial.Calls(t, &FSSlower, log, []string{"7 fsync fd=-1 out at -1 req 0 = 0, 0+1250000"})
	if notes := strings.Join(c.Notes, "; "); strings.Contains(notes, "slower than") || strings.Contains(notes, "fastest") {
		t.Error(notes)
	}
	if _, err := FSSlower.Import(strings.NewReader("no\ntable\n"), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Error(err)
	}
}

func FuzzSlower(f *testing.F) {
	f.Add(table)
	f.Add("1000300,dd,7,W,4096,8192,100,out,put\n1000500,a,b,8,R,100,1,500,in\n")
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &FSSlower, text) })
}
