package tracefile

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// impossible are events that no recording has, each with a word of why.
var impossible = []struct {
	event any
	why   string
}{
	{&trace.Syscall{Op: trace.OpRead, Requested: 1 << 62, Result: 1 << 62}, "bytes"},
	{&trace.Syscall{Op: trace.OpCopyRange, Result: trace.MaxTransfer + 1}, "bytes"},
	{&trace.Syscall{Op: trace.OpRead, Result: math.MinInt64}, "result"},
	{&trace.Syscall{Start: -1, Duration: 5}, "began"},
	{&trace.Syscall{Start: 5, Duration: -1}, "began"},
	{&trace.Syscall{Start: trace.MaxTime, Duration: trace.MaxTime}, "began"},
	{&trace.Syscall{Start: math.MaxInt64, Duration: 1}, "began"},
	{&trace.Syscall{Filled: trace.MaxFilled + 1}, "memory"},
	{&trace.AsyncOp{Submit: 5, Complete: 4}, "began"},
	{&trace.AsyncOp{Op: trace.OpWrite, Result: 1 << 40}, "result"},
	{&trace.Fault{Offset: math.MaxInt64}, "offset"},
	{&trace.Request{Bytes: trace.MaxRequest + 1}, "request"},
	{&trace.Request{Bytes: 4096, Sector: 1 << 63}, "sector"},
	{&trace.Request{Queued: -2}, "queued"},
	{&trace.Request{Bytes: 4096, More: []trace.Extent{{Bytes: 4096}, {Bytes: 1}}}, "piece"},
	{&trace.Wait{Start: 1 << 62, Duration: 1 << 62}, "began"},
	{&trace.Process{CPU: math.MaxInt64}, "CPU"},
	{&trace.File{Size: -1}, "file"},
	{&trace.Device{QueueDepth: 1 << 60}, "limits"},
	{&trace.Lost{From: 5, To: 4}, "began"},
	{&trace.Lost{Count: 1 << 60}, "lost"},
}

// Every event that cannot be true is left out and reported with the place of
// its frame; the others of the frame are there.
func TestImpossibleEventsAreLeftOut(t *testing.T) {
	for _, c := range impossible {
		var file bytes.Buffer
		w := create(t, &file, trace.Header{})
		start := int64(0)
		for _, e := range []any{gatherKind(c.event), c.event, gatherKind(c.event)} {
			if err := write(w, e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(trace.End{}); err != nil {
			t.Fatal(err)
		}
		r := open(t, file.Bytes())
		start = r.Offset()
		got := join(readAll(t, r))
		d := r.Damage()
		if got.Len() != 2 || len(d) != 1 || d[0].Offset != start || !strings.Contains(d[0].Reason, c.why) ||
			!strings.Contains(d[0].Reason, "row 1") {
			t.Errorf("%+v: %d events, %v", c.event, got.Len(), d)
		}
	}
}

// gatherKind is an event of the same kind as e, all zeros.
func gatherKind(e any) any {
	for _, k := range trace.KindOrder {
		b := gather([]any{e})
		if layouts[k].count(b) > 0 {
			return newEvent(k)
		}
	}
	return nil
}

// Events that are possible one by one are not, if their sum is not.
func TestSumsAreBounded(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	for i := range 40 {
		if err := w.Wait(&trace.Wait{Start: int64(i), Duration: 1 << 55}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 * MaxRows {
		if err := w.Syscall(&trace.Syscall{Start: 1 << 55, Filled: trace.MaxFilled}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{Duration: trace.MaxTime}); err != nil {
		t.Fatal(err)
	}
	r := open(t, file.Bytes())
	var time, filled uint64
	for _, b := range readAll(t, r) {
		for _, e := range b.Waits {
			time += uint64(e.Duration)
		}
		for _, e := range b.Syscalls {
			filled += uint64(e.Filled)
		}
	}
	if time > trace.MaxTotal || filled > trace.MaxTotal || len(r.Damage()) == 0 {
		t.Errorf("%d ns, %d bytes, %v", time, filled, r.Damage())
	}
}

// A call may ask for what it does not get, in places that do not exist.
func TestVainArgumentsAreStored(t *testing.T) {
	var file bytes.Buffer
	record(t, &file, []any{&trace.Syscall{Op: trace.OpRead, Offset: math.MaxInt64, Offset2: -77, Requested: -1,
		Result: -22}})
	r := open(t, file.Bytes())
	got := join(readAll(t, r)).Syscalls
	if len(got) != 1 || got[0].Offset != trace.NoOffset || got[0].Offset2 != trace.NoOffset ||
		got[0].Requested != math.MaxInt64 || len(r.Damage()) > 0 {
		t.Errorf("%+v, %v", got, r.Damage())
	}
}

// A batch that comes again, and a frame within its batch, count once.
func TestRepeatedBatchesCountOnce(t *testing.T) {
	s := newSample(t)
	again := bytes.Join([][]byte{s.file[:s.ends[1]], s.file[s.ends[0]:]}, nil)
	r := open(t, again)
	if d := diff(s.events, join(readAll(t, r))); d != "" {
		t.Error(d)
	}
	if len(r.Damage()) != 1 {
		t.Error(r.Damage())
	}
}
