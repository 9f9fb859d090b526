package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/eventlog"
)

// life is what a request's event says, in one line.
func life(log *eventlog.Log, e *trace.Request) string {
	name := ""
	for _, d := range log.Devices {
		if d.ID == e.Device {
			name = d.Name
		}
	}
	s := fmt.Sprintf("%s %s %d+%d pid %d: %d %d %d, %d bios", name, e.Op, e.Sector, e.Bytes, e.PID, e.Queued, e.Issued,
		e.Completed, e.Bios)
	if e.Flags != 0 {
		s += fmt.Sprintf(", flags %b", e.Flags)
	}
	if e.Requeues+uint32(e.Error) > 0 {
		s += fmt.Sprintf(", %d requeues, error %d", e.Requeues, e.Error)
	}
	return s
}

func compareRequests(t *testing.T, log *eventlog.Log, want []string) {
	t.Helper()
	var got []string
	for i := range log.Requests {
		got = append(got, life(log, &log.Requests[i]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("requests\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each way in which a request can go, as blkparse prints it.
const blkparseText = `  8,0    1        1     0.000000100   697  A   W 1000 + 8 <- (8,1) 936
  8,0    1        2     0.000000200   697  Q   W 1000 + 8 [cp file]
  8,0    1        3     0.000000300   697  G   W 1000 + 8 [cp file]
  8,0    1        4     0.000000400   697  P   N [cp file]
  8,0    1        5     0.000000500   697  Q   W 1008 + 8 [cp file]
  8,0    1        6     0.000000600   697  M   W 1008 + 8 [cp file]
  8,0    1        7     0.000000700   697  Q   W 992 + 8 [cp file]
  8,0    1        8     0.000000800   697  F   W 992 + 8 [cp file]
  8,0    1        9     0.000000900   697  I   W 992 + 24 [cp file]
  8,0    1       10     0.000001000   697 UT   N [cp file] 1
  8,0    1       11     0.000001100   300  D   W 992 + 24 [kworker/1:1H]
  8,0    0       12     0.000002000     0  C   W 992 + 24 [0]
  8,0    1       13     0.000003000   697  Q  RA 5000 + 16 [cp file]
  8,0    1       14     0.000003100   697  X  RA 5000 / 5008 [cp file]
  8,0    1       15     0.000003200   697  D  RA 5000 + 8 [cp file]
  8,0    1       16     0.000003300   697  D  RA 5008 + 8 [cp file]
  8,0    1       17     0.000003400     0  R  RA 5008 + 8 [0]
  8,0    1       18     0.000003500   697  D  RA 5008 + 8 [cp file]
  8,0    1       19     0.000004000     0  C  RA 5000 + 8 [0]
  8,0    1       20     0.000004100     0  C  RA 5008 + 8 [65531]
  8,0    1       21     0.000005000   697  Q FWS [cp file]
  8,0    1       22     0.000005100   697  D  FN [kworker/1:1H]
  8,0    1       23     0.000005900     0  C  FN 0 [0]
  8,0    1       24     0.000006000   697  D WFSM 77 + 8 [jbd2]
  8,0    1       25     0.000006100     0  C WFSM 77 + 4 [0]
  8,0    1       26     0.000006200     0  C WFSM 81 + 4 [0]
253,2    1       27     0.000007000   697  Q   R 64 + 8 [cp file]
253,2    1       28     0.000007500   697  C   R 64 + 8 [-5]
  8,0    1       29     0.000008000   697  D   R 36 (12 00 00 00 24 00 ..) [hald]
  8,0    1       30     0.000008100     0  C   R (12 00 00 00 24 00 ..) [0]
  8,0    1       31     0.000009000     0  C   W 4242 + 8 [0]
  8,0    1       32     0.000009100   697  D   D 0 + 65536 [fstrim]
  8,0    1       33     0.0000
  8,0    0        0     0.000009200     0  m   N cfq697 insert_request
CPU0 (8,0):
 Reads Queued:           1,        8KiB	 Writes Queued:           0,        0KiB
Events (8,0): 33 entries
Skips: 2 forward (17 -   0.5%)
`

func TestBlkparse(t *testing.T) {
	log, c := importText(t, &Blkparse, blkparseText)
	w, ra, p := trace.ReqSync, trace.ReqReadahead, trace.ReqFUA|trace.ReqSync|trace.ReqMeta
	compareRequests(t, log, []string{
		"8:0 write 992+12288 pid 697: 200 1100 2000, 3 bios",
		fmt.Sprintf("8:0 read 5000+4096 pid 697: 3000 3200 4000, 1 bios, flags %b", ra),
		fmt.Sprintf("8:0 read 5008+4096 pid 697: 3000 3500 4100, 1 bios, flags %b, 1 requeues, error 5", ra),
		fmt.Sprintf("8:0 flush 0+0 pid 697: 5000 5100 5900, 1 bios, flags %b", w),
		fmt.Sprintf("8:0 write 77+2048 pid 697: -1 6000 6100, 1 bios, flags %b", p),
		fmt.Sprintf("8:0 write 81+2048 pid 697: -1 6000 6200, 1 bios, flags %b", p),
		fmt.Sprintf("253:2 read 64+4096 pid 697: 7000 7000 7500, 1 bios, flags %b, 0 requeues, error 5", trace.ReqBioBased),
	})
	if c.Damaged != 1 || c.First != 33 || len(log.Processes) != 2 || log.Processes[0].Command != "cp file" {
		t.Errorf("%+v, processes %+v", c, log.Processes)
	}
	notes := strings.Join(c.Notes, "; ")
	for _, want := range []string{"no record of 17 events", "1 requests were not complete",
		"1 completions have no beginning"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q: %s", want, notes)
		}
	}
	if len(log.Losses) != 1 || log.Losses[0].Count != 17 {
		t.Errorf("losses %+v", log.Losses)
	}
	if _, err := Blkparse.Import(strings.NewReader("no\nblkparse\n"), &eventlog.Log{}); !errors.Is(err, ErrFormat) {
		t.Errorf("another text: %v", err)
	}
}

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
	log, c := importText(t, &Biosnoop, libbpf)
	compareRequests(t, log, []string{
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
	log, c = importText(t, &Biosnoop, bcc)
	compareRequests(t, log, []string{
		"xvda1 write 13092560+4096 pid 1950: -1 0 740000, 1 bios",
		"xvda1 write 13092432+4096 pid 1950: -1 304000 914000, 1 bios",
	})
	if len(c.Notes) != 2 || !strings.Contains(c.Notes[0], "-Q") {
		t.Errorf("notes %q", c.Notes)
	}
	for _, text := range []string{"no\nbiosnoop\n", strings.SplitAfter(libbpf, "\n")[1]} {
		if _, err := Biosnoop.Import(strings.NewReader(text), &eventlog.Log{}); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A long text whose earliest request ends late: what begins before the part that
// is looked at ahead is cut, and counted.
func TestBiosnoopLooksAhead(t *testing.T) {
	var b strings.Builder
	b.WriteString("TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n")
	for i := range biosnoopAhead {
		fmt.Fprintf(&b, "%.6f dd 1 sda R %d 512 0.001\n", float64(i)/1e6, i)
	}
	b.WriteString("0.100000 dd 1 sda R 0 512 100000.000\n")
	log, c := importText(t, &Biosnoop, b.String())
	checkPossible(t, &Biosnoop, log)
	if len(log.Requests) != biosnoopAhead+1 || !strings.Contains(c.Notes[0], "1 requests began before") {
		t.Errorf("%d requests, notes %q", len(log.Requests), c.Notes)
	}
}

func FuzzBlkparse(f *testing.F) {
	f.Add(blkparseText)
	for line := range strings.Lines(blkparseText) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := &eventlog.Log{}
		_, _ = Blkparse.Import(strings.NewReader(text), log)
		checkPossible(t, &Blkparse, log)
	})
}

func FuzzBiosnoop(f *testing.F) {
	f.Add("TIME(s) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)\n0.1 a b 3 sda RA 4000 4096 0.250 0.500\n0.2 x 0 ? FF " +
		"-1 0 -1.000 1.1\n")
	f.Add("TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n9e9 a 3 sda W 18446744073709551615 1 0.500")
	f.Fuzz(func(t *testing.T, text string) {
		log := &eventlog.Log{}
		_, _ = Biosnoop.Import(strings.NewReader(text), log)
		checkPossible(t, &Biosnoop, log)
	})
}
