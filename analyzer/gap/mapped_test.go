package gap

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// faults is a recording of a program that waits 2 ms for each of some pages of a mapped file.
func faults(t *testing.T, offsets []int64, fetched int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mapped.iotrace")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Calls: []string{"x"}})
	for _, f := range []trace.File{file(1, "/data/model", 1<<30), file(2, "/data/settings", 100)} {
		err = errors.Join(err, w.File(&f))
	}
	err = errors.Join(err, w.Syscall(&trace.Syscall{PID: 1, TID: 1, Op: trace.OpRead, File: 2, Start: 0, Duration: 1000,
		Offset: 0, Offset2: trace.NoOffset, Requested: 100, Result: 100}))
	for i, at := range offsets {
		f := trace.Fault{PID: 1, TID: 1, File: 1, Start: 1e6 + int64(i)*3e6, Duration: 2e6, Offset: at, Filled: fetched}
		err = errors.Join(err, w.Fault(&f))
	}
	if err := errors.Join(err, w.Close(trace.End{}), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// What came into memory for mapped pages is what was read: its bytes, order, rate and waits.
func TestMappedReadsAreTheWorkload(t *testing.T) {
	var forth, jumps []int64
	for i := range int64(100) {
		forth, jumps = append(forth, i<<17), append(jumps, i*37%100<<23)
	}
	for _, c := range []struct {
		offsets []int64
		fetched int64
		random  bool
		factors []string
	}{{forth, 1 << 17, false, []string{"QC"}}, {jumps, 4096, true, []string{"P", "QC"}}} {
		w, err := Survey(faults(t, c.offsets, c.fetched))
		if err != nil {
			t.Fatal(err)
		}
		if !w.Mapped || !w.Reading() || w.Bytes != 100*c.fetched || w.Block != c.fetched || w.Random != c.random || w.Warm ||
			!w.Buffered || w.Files != 1 || w.Latency < 0.0019 || w.Latency > 0.0021 {
			t.Errorf("%+v", w)
		}
		bench := Setting{Read: true, Depth: 8, Block: 1 << 20}
		var ids []string
		factors := Factors(w, bench)
		for _, f := range factors {
			if f.ID != "T" {
				ids = append(ids, f.ID)
			}
		}
		if !slices.Equal(ids, c.factors) {
			t.Errorf("factors %v, want %v", ids, c.factors)
		}
		if s := Corner(bench, factors, 1<<len(factors)-1); !s.Mapped || s.Block != c.fetched || s.Depth != 1 {
			t.Errorf("%+v", s)
		}
	}
}
