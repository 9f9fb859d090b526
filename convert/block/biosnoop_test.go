package block

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// The columns of both tools, a command with blanks, junk, and requests that
// began before the first one had ended.
func TestBiosnoop(t *testing.T) {
	const libbpf = `TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)
0.000000    Chrome IOThrea 311     sda     RA   4000       4096      0.250   0.500
0.000100    jbd2/nvme0n1-8 174     nvme0n1 FF   -1         0        -1.000   1.100
0.000200    dd             500     nvme0n1 WS   8          65536     0.000   0.100
0.000300                   501     nvme0n1 R    8          512       0.000   0.100
lost 12 events on CPU #0
0.000400    dd             500     nvme0n1 W    8          junk      0.000   0.100
`
	log, c := trial.Import(t, &Biosnoop, libbpf)
	trial.Requests(t, log, []string{
		fmt.Sprintf("sda read 4000+4096 pid 311: 250000 500000 1000000, 1 bios, flags %b", trace.ReqReadahead),
		fmt.Sprintf("nvme0n1 flush 0+0 pid 174: 0 0 1100000, 1 bios, flags %b", trace.ReqSync),
		fmt.Sprintf("nvme0n1 write 8+65536 pid 500: 1100000 1100000 1200000, 1 bios, flags %b", trace.ReqSync),
		"nvme0n1 read 8+512 pid 501: 1200000 1200000 1300000, 1 bios",
	})
	if c.Damaged != 2 || len(log.Processes) != 3 || log.Processes[0].Command != "Chrome IOThrea" || len(c.Notes) != 1 {
		t.Errorf("%+v, %+v", c, log.Processes)
	}
	const bcc = `TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)
0.000004    supervise      1950    xvda1     W 13092560   4096      0.74
0.000178    supervise      1950    xvda1     W 13092432   4096      0.61
`
	log, c = trial.Import(t, &Biosnoop, bcc)
	trial.Requests(t, log, []string{
		"xvda1 write 13092560+4096 pid 1950: -1 0 740000, 1 bios",
		"xvda1 write 13092432+4096 pid 1950: -1 304000 914000, 1 bios",
	})
	if len(c.Notes) != 3 || !strings.Contains(c.Notes[0], "-Q") {
		t.Errorf("notes %q", c.Notes)
	}
	for _, text := range []string{"no\nbiosnoop\n", strings.SplitAfter(libbpf, "\n")[1]} {
		if _, err := Biosnoop.Import(strings.NewReader(text), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What bpftrace prints has no sizes and no places: by the columns of biosnoop.bt of today, of before and of long ago.
func TestBpftrace(t *testing.T) {
	text := trial.File(t, "testdata/bpftrace.txt")
	log, c := trial.Import(t, &Biosnoop, text)
	if len(log.Requests) != 825 || !strings.Contains(text, "@n: 825\n") || c.Damaged != 1 { // as bpftrace counted
		t.Errorf("%d requests: %+v", len(log.Requests), c)
	}
	limits := Biosnoop.Limits([]byte(text))
	if len(limits) == 0 || limits[0].Code != trace.LimitNoPlaces || len(Biosnoop.Limits([]byte("TIME(s) COMM\n"))) > 0 {
		t.Errorf("limits %v", limits)
	}
	for text, want := range map[string]string{
		"TIME(ms)     DISK    COMM             PID    LAT(ms)\n611          nvme0n1 Chrome IOThrea   4179        10\n": "nvme0n1 other 0+0 pid 4179: -1 0 10000000, 1 bios",
		"TIME(ms)     COMM             PID    LAT(ms)\n611          bash             4179        10\n":                 " other 0+0 pid 4179: -1 0 10000000, 1 bios",
	} {
		log, _ := trial.Import(t, &Biosnoop, "Attaching 4 probes...\n"+text)
		trial.Requests(t, log, []string{want})
	}
}

// A long text whose earliest request ends late: what begins before the part that
// is looked at ahead is cut, and counted.
func TestBiosnoopLooksAhead(t *testing.T) {
	var b strings.Builder
	b.WriteString("TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n")
	const ahead = 4096 // requests
	for i := range ahead {
		fmt.Fprintf(&b, "%.6f dd 1 sda R %d 512 0.001\n", float64(i)/1e6, i)
	}
	b.WriteString("0.100000 dd 1 sda R 0 512 100000.000\n")
	log, c := trial.Import(t, &Biosnoop, b.String())
	trial.CheckPossible(t, &Biosnoop, log)
	if len(log.Requests) != ahead+1 || !strings.Contains(c.Notes[0], "1 requests began before") {
		t.Errorf("%d requests, notes %q", len(log.Requests), c.Notes)
	}
}

func FuzzBiosnoop(f *testing.F) {
	f.Add("TIME(s) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)\n0.1 a b 3 sda RA 4000 4096 0.250 0.500\n0.2 x 0 ? FF " +
		"-1 0 -1.000 1.1\n")
	f.Add("TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n9e9 a 3 sda W 18446744073709551615 1 0.500")
	f.Add("TIME(s) COMM PID DISK T SECTOR BYTES P QUE(ms) LAT(ms)\n-0.1 a b 3 sda R 8 1048576S 0.25 0.5\n" +
		"18446744073.709 a 3 sda W 8 10485761234.56 2000.00\n")
	f.Add("TIME(ms) DISK ID COMM PID LAT(ms)\n MAJOR MINOR\n1 254 0 a b 3 1\nTIME(ms) COMM PID LAT(ms)\n5 a 3 9\n")
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &Biosnoop, text) })
}

func BenchmarkBiosnoop(b *testing.B) {
	text := "TIME(s) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)\n" +
		strings.Repeat("0.000100    jbd2/nvme0n1-8 174     nvme0n1 WS   4096       65536    0.010   1.100\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		trial.Import(b, &Biosnoop, text)
	}
}
