package tracefile

import (
	"math"
	"reflect"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestTrigger: the trigger of a flight recorder comes back, and one that cannot be is refused.
func TestTrigger(t *testing.T) {
	good := trace.Trigger{Condition: "request.latency > 100ms", Time: 60e9, Repeats: 3, Kind: "request", Start: 59e9,
		Latency: 1e9, Op: "read", Bytes: 4096, PID: 7, Command: "db", File: "/data/a\n", Device: "sda"}
	for _, x := range []struct {
		change func(*trace.Trigger)
		ok     bool
	}{
		{func(*trace.Trigger) {}, true},
		{func(t *trace.Trigger) { t.Time = -1 }, false},
		{func(t *trace.Trigger) { t.Start = math.MinInt64 }, false},
		{func(t *trace.Trigger) { t.Latency = math.MaxInt64 }, false},
		{func(t *trace.Trigger) { t.Bytes = -5 }, false},
	} {
		want := good
		x.change(&want)
		text, err := MarshalHeader(trace.Header{Trigger: &want})
		if err != nil {
			t.Fatal(err)
		}
		got, err := UnmarshalHeader(text)
		if (err == nil) != x.ok || x.ok && !reflect.DeepEqual(got.Trigger, &want) {
			t.Errorf("%+v: %+v, %v", want, got.Trigger, err)
		}
	}
}

// TestPack: what is packed is unpacked, whatever was packed before.
func TestPack(t *testing.T) {
	p, err := NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	u, err := NewUnpacker()
	if err != nil {
		t.Fatal(err)
	}
	if p.Pack() != nil {
		t.Error("nothing was packed, and something came back")
	}
	var packed [][]byte
	for n := range 3 {
		for i := range 50_000 * n {
			if err := p.Syscall(&trace.Syscall{Start: int64(i), TID: uint32(n), Offset: -1, Offset2: -1}); err != nil {
				t.Fatal(err)
			}
		}
		packed = append(packed, p.Pack())
	}
	for n, bytes := range packed {
		next := int64(0)
		err := u.Each(bytes, new(trace.Batch), func(b *trace.Batch) error {
			for i := range b.Syscalls {
				if c := &b.Syscalls[i]; c.Start != next || c.TID != uint32(n) {
					t.Fatalf("%+v, want number %d of thread %d", c, next, n)
				}
				next++
			}
			return nil
		})
		if err != nil || next != int64(50_000*n) {
			t.Errorf("%d events of %d, %v", next, 50_000*n, err)
		}
	}
	packed[2][40] ^= 1
	if err := u.Each(packed[2], new(trace.Batch), func(*trace.Batch) error { return nil }); err == nil {
		t.Error("damage was not noticed")
	}
}
