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
	log, c := trial.Import(t, &Blkparse, blkparseText)
	w, ra, p := trace.ReqSync, trace.ReqReadahead, trace.ReqFUA|trace.ReqSync|trace.ReqMeta
	trial.Requests(t, log, []string{
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
	for _, want := range []string{"no record of 17 events", "not complete when the input ended, left out: 1",
		"without a beginning in the input, left out: 1",
		"no request is made of: 9, of A (1), F (1), G (1), I (1), M (1), P (1), UT (1), X (1), m (1)",
		"passed through to the device, left out: 2"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q: %s", want, notes)
		}
	}
	if strings.Contains(notes, "neither events nor") {
		t.Error(notes)
	}
	if len(log.Losses) != 1 || log.Losses[0].Count != 17 {
		t.Errorf("losses %+v", log.Losses)
	}
	if _, err := Blkparse.Import(strings.NewReader("no\nblkparse\n"), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Errorf("another text: %v", err)
	}
}

// Lines of nothing, bios that nothing became of and requests that came back are counted, in the text of any tool.
func TestLinesLeftOut(t *testing.T) {
	_, c := trial.Import(t, &Blkparse, "$ blkparse -i sda\nInput file sda.blktrace.0 added\n"+
		"  8,0    1        1     0.000000200   697  Q   W 1000 + 8 [cp]\n"+
		"  8,0    1        2     0.000000300   697  Q   W 2000 + 8 [cp]\n"+
		"  8,0    1        3     0.000000400   697  D   W 2000 + 8 [cp]\n"+
		"  8,0    1        4     0.000000500     0  R   W 2000 + 8 [0]\n"+
		"(some lines are missing here)\nTotal (8,0):\n Reads Queued:           1,        8KiB\n")
	notes := strings.Join(c.Notes, "; ")
	for _, want := range []string{"neither issued nor complete when the input ended, left out: 1",
		"given back and not issued again, left out: 1", "neither events nor blkparse's summary, left out: 2"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q: %s", want, notes)
		}
	}
}

// backInTime is a request that was given back, and issued again before it had been queued.
const backInTime = `
  8,0    0        1     0.000004900   697  Q   R 64 + 8 [cp]
  8,0    0        2     0.000005000   697  D   R 64 + 8 [cp]
  8,0    0        3     0.000005100     0  R   R 64 + 8 [0]
  8,0    0        4     0.000003500   697  D   R 64 + 8 [cp]
  8,0    0        5     0.000005900     0  C   R 64 + 8 [0]
`

func FuzzBlkparse(f *testing.F) {
	f.Add(blkparseText)
	for line := range strings.Lines(blkparseText) {
		f.Add(line)
	}
	f.Add(backInTime)
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &Blkparse, text) })
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat(blkparseText, 500)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		trial.Import(b, &Blkparse, text)
	}
}

// TestCompletionsAlone: lines of completions, as grep finds them, are blkparse's, and no trace.
func TestCompletionsAlone(t *testing.T) {
	var log strings.Builder
	for i := range 40 {
		fmt.Fprintf(&log, "  8,0    1 %8d     0.%09d     0  C   R %d + 8 [0]\n", 12+3*i, 301000*(i+1), 2048+8*i)
	}
	if why := Blkparse.Refuse([]byte(log.String())); !strings.Contains(why, "completions alone") {
		t.Errorf("%q", why)
	}
	if _, err := importText(strings.NewReader(log.String()), nothing{}); !errors.Is(err, errOneEnd) {
		t.Error(err)
	}
	begun := strings.Replace(log.String(), " C ", " D ", 1)
	if why := Blkparse.Refuse([]byte(begun)); why != "" {
		t.Errorf("%q", why)
	}
}
