package path

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// stored writes a trace of calls of two threads, of which one waits for the other now and then, and a third that comes
// late: an event that began long before is written after others that ended later.
func stored(tb testing.TB, calls int) (path string, events []any, end int64) {
	path = filepath.Join(tb.TempDir(), "trace")
	out, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer out.Close()
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux"})
	if err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	write := func(e any, err error) {
		if events = append(events, e); err != nil {
			tb.Fatal(err)
		}
	}
	for at := int64(0); len(events) < calls; {
		s := call(1+uint32(rng.IntN(2)), trace.OpRead, at, at+rng.Int64N(2000))
		if s.File, s.Result = trace.FileID(50+rng.IntN(2)), 10; len(events)%6 == 0 { // is asked, and answers
			s.File, s.Op = trace.FileID(s.TID), []trace.Op{trace.OpRead, trace.OpWrite}[len(events)/6%2]
		}
		at = s.End() + rng.Int64N(500)
		s.PID = s.TID
		switch {
		case rng.IntN(50) == 0:
			e := woken(1, at, at+3000, at+3200, 2)
			e.PID, at = 1, e.End()
			write(e, w.Wait(&e))
		case rng.IntN(1000) == 0: // later than those that follow it
			late := call(3, trace.OpWrite, max(at-1_000_000, 0), at+500_000)
			late.PID = 3
			write(late, w.Syscall(&late))
		}
		write(s, w.Syscall(&s))
		end = at
	}
	if err := w.Close(trace.End{Duration: end, CommandEnd: end}); err != nil {
		tb.Fatal(err)
	}
	return path, events, end
}

func follow(tb testing.TB, path string, end int64, take func(*Segment)) {
	f, err := tracefile.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	if err := Follow(f, New(1, Span{0, end, end}, all{}, take)); err != nil {
		tb.Fatal(err)
	}
}

// A trace that is read span by span has the path that all of its events at once have.
func TestFollow(t *testing.T) {
	path, events, end := stored(t, 200_000)
	var got []Segment
	follow(t, path, end, func(s *Segment) { got = append(got, *s) })
	slices.Reverse(got)
	want := walked(end, events...)
	if len(want) < 1000 || !slices.Equal(got, want) {
		t.Errorf("%d segments, want %d", len(got), len(want))
	}
}

func BenchmarkFollow(b *testing.B) {
	path, events, end := stored(b, 1_000_000)
	for b.Loop() {
		a := NewAccount(func(*Key) timeline.Label { return timeline.CPU })
		follow(b, path, end, func(s *Segment) { a.Add(s) })
	}
	b.ReportMetric(float64(len(events))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOperations has each third call ask or answer, and each fiftieth wait.
func BenchmarkOperations(b *testing.B) {
	path, events, _ := stored(b, 1_000_000)
	var count int
	for b.Loop() {
		count = 0
		f, err := tracefile.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		x := NewOperations(all{}, lines{}, 0, func(*Operation) { count++ })
		if err := Follow(f, x); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
	b.ReportMetric(float64(count), "operations")
	b.ReportMetric(float64(len(events))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
