package tracefile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// Whatever the fields hold, a trace returns it.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []any
		var file bytes.Buffer
		w := create(t, &file, trace.Header{})
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			e := drawEvent(t)
			events = append(events, e)
			if err := write(w, e); err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 9).Draw(t, "flush") == 0 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		// Close overrides what it knows better.
		if err := w.Close(trace.End{ExitCode: 3, Counts: map[string]uint64{"syscall": 1 << 40}}); err != nil {
			t.Fatal(err)
		}

		want := gather(events)
		r := unchecked(open(t, file.Bytes()))
		if d := diff(want, join(readAll(t, r))); d != "" {
			t.Fatalf("events differ (-written +read):\n%s", d)
		}
		end, ok := r.End()
		if !ok || end.ExitCode != 3 {
			t.Fatalf("end is %v, %v", end, ok)
		}
		counts, lost := map[string]uint64{}, map[string]uint64{}
		for _, k := range trace.KindOrder {
			if n := layouts[k].count(want); n > 0 {
				counts[k.String()] = uint64(n)
			}
		}
		for _, l := range want.Lost {
			lost[l.Kind.String()] += l.Count
		}
		for k, n := range lost {
			if n == 0 {
				delete(lost, k)
			}
		}
		if d := cmp.Diff([]any{counts, lost}, []any{end.Counts, end.Lost}); d != "" {
			t.Fatalf("counts and losses differ (-written +read):\n%s", d)
		}
		if d := r.Damage(); len(d) > 0 {
			t.Fatal(d)
		}
	})
}

// Long traces have many batches, and columns of every width.
func TestRoundTripWorkloads(t *testing.T) {
	for _, load := range workloads() {
		t.Run(load.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			events := make([]trace.Syscall, 3*batchEvents+17)
			var file bytes.Buffer
			w := create(t, &file, trace.Header{})
			for i := range events {
				load.next(rng, i, &events[i])
				if i%10007 == 0 {
					events[i].Duration = rng.Int64() >> rng.IntN(64)
				}
				if err := w.Syscall(&events[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(trace.End{}); err != nil {
				t.Fatal(err)
			}
			got := join(readAll(t, unchecked(open(t, file.Bytes()))))
			if !slices.Equal(events, got.Syscalls) {
				t.Error("events differ")
			}
		})
	}
}

func TestHeaderRoundTrip(t *testing.T) {
	want := trace.Header{
		Version: FormatVersion, Tool: "iotrace 1.2.3", Backend: "ebpf", OS: "linux", Kernel: "6.18.0", Arch: "arm64",
		Host: "host", WallStart: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), CPUs: 2, Memory: 1 << 33,
		Command: []string{"cp", "a\nb", "\xff\xfe", "</script>", ""}, Dir: "/tmp/\xf0\x28", PIDs: []uint32{1, 2},
		Scope: "command", UID: 1000, Calls: []string{"read", "write"},
		Limits: []trace.Limit{{Code: "no_faults", Text: "why"}},
	}
	var file bytes.Buffer
	w := create(t, &file, want)
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	r := open(t, file.Bytes())
	if d := cmp.Diff(want, r.Header()); d != "" {
		t.Errorf("header differs (-written +read):\n%s", d)
	}
	if n := len(readAll(t, r)); n != 0 {
		t.Errorf("%d batches in a trace without events", n)
	}
}

func TestLongCommandIsShortened(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{Command: slices.Repeat([]string{strings.Repeat("\x01", 1000)}, 10000)})
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	command := open(t, file.Bytes()).Header().Command
	if n := len(command); n < 100 || n > 200 || command[n-1] != "…" {
		t.Errorf("%d arguments, the last is %.20q", n, command[n-1])
	}
}

func TestLongStringsAreCut(t *testing.T) {
	long := strings.Repeat("a", MaxText) + "end"
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	for range 3 * MaxFrame / MaxText { // more text than a frame holds
		if err := errors.Join(w.File(&trace.File{Path: long, Mount: long}),
			w.Process(&trace.Process{Args: long})); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	got := join(readAll(t, open(t, file.Bytes())))
	if n := len(got.Files); n != 3*MaxFrame/MaxText {
		t.Fatalf("%d files", n)
	}
	for i, f := range got.Files {
		if f.Path != long[3:] || f.Flags != trace.FileTruncated || f.Mount != long[:MaxText] {
			t.Fatalf("path …%q of %d bytes, flags %b, mount of %d bytes", f.Path[len(f.Path)-3:], len(f.Path), f.Flags,
				len(f.Mount))
		}
		if got.Processes[i].Args != long[:MaxText] {
			t.Fatal("arguments are not cut")
		}
	}
}

// The caller may reuse an event, and what it points to, at once.
func TestWriterKeepsNothing(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	r := trace.Request{More: make([]trace.Extent, 2)}
	d := trace.Device{Parents: make([]trace.DeviceID, 2)}
	want := new(trace.Batch)
	for i := range 1000 {
		r.More[0].Bytes, d.Parents[1] = int64(i), trace.DeviceID(i)
		add(want, &trace.Batch{Requests: []trace.Request{r}, Devices: []trace.Device{d}})
		if err := errors.Join(w.Request(&r), w.Device(&d)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	if d := diff(want, join(readAll(t, unchecked(open(t, file.Bytes()))))); d != "" {
		t.Error(d)
	}
}

// A batch covers about a second, so that little is lost by a kill.
func TestBatchesFollowTime(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	const second = 1e9
	for at := int64(0); at < 10*second; at += second / 10 {
		if err := w.Wait(&trace.Wait{Start: at}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	for _, b := range readAll(t, open(t, file.Bytes())) {
		if d := b.Waits[len(b.Waits)-1].Start - b.Waits[0].Start; d > second {
			t.Errorf("a batch covers %d ns", d)
		}
	}
}

func TestOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []any
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			events = append(events, drawEvent(t))
		}
		var file bytes.Buffer
		record(t, &file, events)
		all := gather(events)

		r := unchecked(open(t, file.Bytes()))
		r.Only(trace.KindFile, trace.KindRequest)
		got := join(readAll(t, r))
		want := &trace.Batch{Files: all.Files, Requests: all.Requests}
		if d := diff(want, got); d != "" {
			t.Fatal(d)
		}
		if _, ok := r.End(); !ok || len(r.Damage()) > 0 {
			t.Fatal(ok, r.Damage())
		}
	})
}
