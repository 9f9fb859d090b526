package block

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// captures are tables that the tools printed in virtual machines while a program with known work ran
// (docs/verification.md), with what /proc/diskstats counted of the disk meanwhile. It counts a flush that nothing
// follows as a write of no bytes as well, which is left out here.
var captures = []struct {
	file, made string
	counted    string // by /proc/diskstats
	others     string // not of the disk, or before it was looked at
	notes      int
}{
	{"libbpf.txt", "libbpf-tools 0.37, Linux 7.3.4",
		"13 reads of 544768, 27 writes of 2252800", "5 flushes", 2},
	{"libbpf-queued.txt", "libbpf-tools 0.37 -Q, Linux 5.10.0-46, mq-deadline",
		"20 reads of 573440, 26 writes of 2220032, 5 discards of 192753664", "4 flushes", 1},
	{"bcc-queued.txt", "bcc 0.26 -Q, Linux 5.10.0-46, mq-deadline",
		"8 reads of 524288, 25 writes of 2211840", "6 flushes", 2},
	{"bcc-pattern.txt", "bcc 0.26 -P, Linux 5.10.0-46, mq-deadline",
		"8 reads of 524288, 25 writes of 2211840", "6 flushes", 3},
	// This version shows none of the 24 writes, and the five discards as reads. It was stopped while the program ran, so
	// that what it prints first is not what ended first.
	{"bcc-stopped.txt", "bcc 0.31 -Q, Linux 6.12.117",
		fmt.Sprintf("%d reads of %d", 21+5, 577536+192888832), "", 3},
}

func TestCaptures(t *testing.T) {
	for _, c := range captures {
		text := trial.File(t, "testdata/"+c.file)
		log, counts := trial.Import(t, &Biosnoop, text)
		trial.CheckPossible(t, &Biosnoop, log)
		if counts.Damaged > 0 || len(log.Requests) != strings.Count(text, "\n")-1 || len(counts.Notes) != c.notes {
			t.Errorf("%s: %+v, %d requests", c.made, counts, len(log.Requests))
		}
		want := c.counted
		if c.others != "" {
			want += ", " + c.others
		}
		if got := summed(log); got != want {
			t.Errorf("%s: %s, want %s", c.made, got, want)
		}
	}
}

// summed says how many requests of each operation there are, and of how many bytes.
func summed(log *trace.Log) string {
	var parts []string
	for _, op := range []trace.ReqOp{trace.ReqRead, trace.ReqWrite, trace.ReqDiscard, trace.ReqFlush} {
		n, bytes := 0, int64(0)
		for i := range log.Requests {
			if log.Requests[i].Op == op {
				n, bytes = n+1, bytes+log.Requests[i].Bytes
			}
		}
		switch {
		case op == trace.ReqFlush && n > 0:
			parts = append(parts, fmt.Sprintf("%d flushes", n))
		case n > 0:
			parts = append(parts, fmt.Sprintf("%d %ss of %d", n, op, bytes))
		}
	}
	return strings.Join(parts, ", ")
}

// Where bcc's columns are too narrow nothing stands between them.
func TestColumnsThatTouch(t *testing.T) {
	const heading = "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  "
	const row = "5.182008    a b            162     vda       W 307200     "
	for _, c := range []struct{ columns, row, times string }{
		{"P LAT(ms)", "1040384R    2.95", "1040384 pid 162: -1 0 2950000"},
		{"P QUE(ms) LAT(ms)", "113246208?    0.26    2.95", "113246208 pid 162: 0 260000 3210000"},
		{"LAT(ms)", "10403841234.56", "1040384 pid 162: -1 0 1234560000"},
		{"LAT(ms)", "11324620812345.60", "113246208 pid 162: -1 0 12345600000"},
		{"QUE(ms) LAT(ms)", "10403841000.50 2000.00", "1040384 pid 162: 0 1000500000 3000500000"},
	} {
		log, counts := trial.Import(t, &Biosnoop, heading+c.columns+"\n"+row+c.row+"\n")
		if trial.Requests(t, log, []string{"vda write 307200+" + c.times + ", 1 bios"}); counts.Damaged > 0 {
			t.Errorf("%+v", counts)
		}
	}
}

// The first that is printed, which is at time 0, may have ended after others: their times are negative, which
// libbpf-tools print as a number without a sign.
func TestBeforeTheFirst(t *testing.T) {
	const bcc = "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n0.000000 a 1 vda R 8 512 0.10\n" +
		"-0.001500 b 2 vda R 16 512 0.50\n"
	want := []string{"vda read 8+512 pid 1: -1 1900000 2000000, 1 bios", "vda read 16+512 pid 2: -1 0 500000, 1 bios"}
	log, _ := trial.Import(t, &Biosnoop, bcc)
	trial.Requests(t, log, want)
	// 2^64 ns less 1.5 ms, as far as a number of type double holds it.
	unsigned := fmt.Sprintf("%.6f", float64(1<<64-1500000)/1e9)
	log, _ = trial.Import(t, &Biosnoop, strings.Replace(bcc, "-0.001500", unsigned, 1))
	if len(log.Requests) != 2 || !slices.ContainsFunc(log.Requests, func(r trace.Request) bool {
		return r.PID == 2 && r.Issued == 0 && r.Completed == 500000
	}) || log.Requests[0].Completed < 1_990_000 || log.Requests[0].Completed > 2_010_000 {
		t.Errorf("%+v", log.Requests)
	}
	for _, impossible := range []string{"-9999999.0", "99999999999999.0"} {
		if _, c := trial.Import(t, &Biosnoop, strings.Replace(bcc, "-0.001500", impossible, 1)); c.Damaged != 1 {
			t.Errorf("%s: %+v", impossible, c)
		}
	}
}
