package formats

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/strace"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Any number can stand in a text. What is imported of it is a trace without
// damage, and what cannot be true is left out and told.
func TestImpossibleNumbers(t *testing.T) {
	const (
		call     = "70 1700000000.000000 "
		blkparse = "  8,0    0        %     0.000000000    42  "
		snoop    = "TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)\n"
	)
	table, err := os.ReadFile("../darwin/testdata/system-trace.xml")
	if err != nil {
		t.Fatal(err)
	}
	xml := string(table)
	for name, c := range map[string]struct {
		from   *convert.Importer
		text   string
		left   bool // something is left out
		events int  // calls and requests that are there
	}{
		"strace, a result": {&strace.Importer, call +
			"read(3</a>, \"\"..., 9223372036854775807) = 9223372036854775807 <0.000010>\n" +
			call + "read(3</a>, \"\"..., 10) = 10 <0.000010>\n", true, 1},
		"strace, a copy": {&strace.Importer, call + "copy_file_range(3</a>, NULL, 4</b>, NULL, 9223372035781033984, 0) = " +
			"4611686018427387904 <0.000010>\n", true, 0},
		"strace, four reads that wrap": {&strace.Importer,
			strings.Repeat(call+"read(3</a>, \"\"..., 4611686018427387904) = 4611686018427387904 <0.000010>\n", 4), true, 0},
		"strace, an offset": {&strace.Importer, call + "pread64(3</a>, \"\"..., 10, 9223372036854775807) = 10 <0.000010>\n", false,
			1},
		"strace, a length": {&strace.Importer, call +
			"read(3</a>, 0x1, 18446744073709551615) = -1 EFAULT (Bad address) <0.000010>\n", false, 1},
		"strace, a size": {&strace.Importer, call + "ftruncate(3</a>, 9223372036854775807) = 0 <0.000010>\n", false, 1},
		"strace, a time": {&strace.Importer, call +
			"close(3</a>) = 0 <0.000010>\n70 9223372036.000000 close(3</a>) = 0 <0.000010>\n", true, 1},
		"strace, a duration": {&strace.Importer, call + "close(3</a>) = 0 <9223372036.000000>\n", false, 1},
		"blkparse, a sector": {&block.Blkparse, blkparse + "D   R 18014398509481983 + 8 [dd]\n" + strings.Replace(blkparse,
			"0.000000000", "0.000000100", 1) +
			"C   R 18014398509481983 + 8 [0]\n", true, 0},
		"blkparse, a size": {&block.Blkparse, blkparse + "D   R 8 + 4294967295 [dd]\n" + blkparse + "C   R 8 + 4294967295 [0]\n",
			true, 0},
		"blkparse, a time": {&block.Blkparse, strings.Replace(blkparse, "0.000000000", "2147483647.000000000", 1) +
			"D   R 8 + 8 [dd]\n" +
			strings.Replace(blkparse, "0.000000000", "2147483647.000000001", 1) + "C   R 8 + 8 [0]\n", true, 0},
		"biosnoop, a size": {&block.Biosnoop, snoop +
			"0.000000    dd 311     sda     R   4000       1099511627775      0.250   0.500\n", true, 0},
		"biosnoop, a sector": {&block.Biosnoop, snoop +
			"0.000000    dd 311     sda     R   18014398509481983       4096      0.250   0.500\n", true, 0},
		"fs_usage, a result": {&darwin.FSUsage, "10:00:00.000400  read              F=3    B=0x7fffffffffffffff" +
			strings.Repeat(" ", 60) + "0.000100   cp.7001\n", true, 0},
		"xctrace, a result": {&darwin.Instruments, strings.ReplaceAll(xml, ">500<", ">4611686018427387904<"), true, -1},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			w, err := tracefile.NewWriter(&out, c.from.Header)
			if err != nil {
				t.Fatal(err)
			}
			counts, err := c.from.Import(strings.NewReader(c.text), w)
			if err = errors.Join(err, w.Close(trace.End{Duration: trace.MaxTime, CommandEnd: -1, Durable: -1})); err != nil {
				t.Fatal(err)
			}
			r, err := tracefile.NewReader(&out)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			var b trace.Batch
			for err = r.Next(&b); err == nil; err = r.Next(&b) {
				n += len(b.Syscalls) + len(b.Requests)
			}
			if !errors.Is(err, io.EOF) || len(r.Damage()) > 0 {
				t.Errorf("%v, %v", err, r.Damage())
			}
			if n != c.events && c.events >= 0 {
				t.Errorf("%d calls and requests, want %d", n, c.events)
			}
			told := counts.Damaged > 0 || strings.Contains(strings.Join(counts.Notes, "\n"), "cannot be true")
			if told != c.left {
				t.Errorf("%+v", counts)
			}
		})
	}
}

func TestImportersDescribeThemselves(t *testing.T) {
	for _, i := range Importers {
		if i.Whole != nil { // has a header of its own
			continue
		}
		calls := !slices.ContainsFunc(i.Header.Limits, func(l trace.Limit) bool { return l.Code == trace.LimitNoCalls })
		if i.Header.Backend != "import:"+i.From || (len(i.Header.Calls) > 0) != calls || len(i.Header.Limits) == 0 ||
			i.About == "" {
			t.Errorf("%s: %+v", i.From, i.Header)
		}
	}
}
