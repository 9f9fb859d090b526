package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// A program that says that it reads at random, and reads in order, has turned readahead off; the kernel calls what it
// reads then read ahead all the same. What it said of another file, or took back, is no reason.
func TestAdvisedAtRandom(t *testing.T) {
	for advice, want := range map[string]string{
		"random": "file was read in order, but the program had advised that it would be read at random", "": "",
		"sequential": "", "random normal": "",
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		readInOrder(p, 16<<10, 1)
		d := &p.Devices[0]
		d.ReadAhead, d.Readahead = 1<<20, d.Read.Bytes
		p.Files[0].Advice = map[string]int64{}
		for _, word := range strings.Fields(advice) {
			p.Files[0].Advice[word] = 1
		}
		r := verdict.Judge(p).Causes[0]
		if told := r.Code == cause.Readahead; told != (want != "") || !strings.HasPrefix(r.Text, want) ||
			told && !strings.HasPrefix(r.Remedy, "leave out POSIX_FADV_RANDOM") {
			t.Errorf("%q: %+v", advice, r)
		}
	}
}

// Calls that all fail are a loop for nothing: what the program computes between them is theirs, if it is little.
func TestCallsInVainHaveTheirLoop(t *testing.T) {
	for count, want := range map[int64]string{
		400_000: cause.Names, 20_000: cause.OwnCPU, // 1.5 and 30 µs between two
	} {
		p := spent(map[string]int64{"cpu": second * 6 / 10, "metadata": second * 4 / 10},
			map[string]int64{"running": second * 6 / 10, "metadata_calls": second * 4 / 10})
		p.Calls = []profile.Call{{Op: trace.OpClose, Name: "close", Count: count, Errors: count - 10,
			Errno: map[trace.Errno]int64{trace.ErrNotOpen: count - 10}, TimeNS: second * 4 / 10}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != want || r.Code == cause.Names && !strings.HasPrefix(r.Remedy, "close what is open (close_range") {
			t.Errorf("%d: %+v", count, r)
		}
	}
}

// A packed file system unpacks a whole block for each small piece. Smaller blocks help, unless all of them is wanted.
func TestUnpackedForLittle(t *testing.T) {
	for asked, want := range map[int64]string{1 << 20: "smaller blocks", 64 << 20: "a compression that is faster"} {
		p := spent(map[string]int64{"page_cache": second}, map[string]int64{"data_calls": second})
		p.Files = []profile.File{{Path: "/app/a.js", Type: trace.FileRegular, FSType: "squashfs", Mount: "/app",
			Cache: &profile.Cache{FilledBytes: 64 << 20},
			Ops:   []profile.OpCount{{Op: trace.OpRead, Count: 100, TimeNS: second}}}}
		p.Amounts.Filesystems = []profile.Amount{{Name: "/app", FSType: "squashfs",
			Read: profile.Moved{Asked: asked, Device: 20 << 20}}}
		r := verdict.Judge(p).Causes[0]
		whole := fmt.Sprintf("%.2f MB", float64(asked)/1e6)
		if r.Code != cause.Compression || !strings.HasPrefix(r.Remedy, want) ||
			strings.Contains(r.Text, whole) != (want == "smaller blocks") {
			t.Errorf("%d: %+v", asked, r)
		}
	}
}

// A larger piece of what is read at random holds what is not wanted.
func TestSmallCallsAtRandom(t *testing.T) {
	for class, want := range map[string]string{"random": "mapped files copy less", "sequential": "larger calls"} {
		p := spent(map[string]int64{"page_cache": second}, map[string]int64{"data_calls": second})
		p.Pattern.ReadClass = class
		p.Layers = []profile.Layer{{Name: "calls", Read: &profile.Flow{Count: 1000, Bytes: 4096 * 1000,
			Size: profile.Dist{P50: 4096, ByBytes: 4096}}}}
		if r := verdict.Judge(p).Causes[0]; r.Code != cause.PageCache || !strings.HasPrefix(r.Remedy, want) {
			t.Errorf("%s: %+v", class, r)
		}
	}
}
