//go:build linux

package ebpf

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

const tinyBuffer = 64 << 10

// slowSink gives the buffer time to overflow.
type slowSink struct {
	trace.Sink
	calls int
}

func (s *slowSink) Syscall(e *trace.Syscall) error {
	if s.calls++; s.calls%100 == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	return s.Sink.Syscall(e)
}

// dd reads and writes n single bytes: 2n calls, and always the same number before and after.
func dd(n int) []string {
	return []string{"dd", "if=/dev/zero", "of=/dev/null", "bs=1", fmt.Sprint("count=", n), "status=none"}
}

// With a buffer that is far too small every call is either recorded or counted as lost.
func TestLostCallsAreCounted(t *testing.T) {
	needBPF(t)
	base := len(recordCommand(t, Options{}, nil, dd(0)...).Syscalls)
	for _, n := range []int{23, 1_000_003} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s, w := launchTo(t, Options{BufferSize: tinyBuffer}, func(sink trace.Sink) trace.Sink {
				return &slowSink{Sink: sink}
			}, dd(n)...)
			wait(t, w)
			rec := s.finish()
			recorded, lost := len(rec.Syscalls), int(rec.stats.Lost[trace.KindSyscall])
			if recorded+lost != base+2*n {
				t.Errorf("%d calls recorded and %d lost, but %d were made", recorded, lost, base+2*n)
			}
			if n == 1_000_003 && (lost == 0 || recorded == 0) {
				t.Errorf("%d calls recorded and %d lost: the test proves nothing", recorded, lost)
			}
			checkSlices(t, rec)
			t.Logf("%d calls: %d recorded, %d lost in %d slices", base+2*n, recorded, lost, len(rec.Batch.Lost))
		})
	}
}

// lossCounter adds up what is told to be lost.
type lossCounter struct {
	trace.Sink
	told atomic.Uint64
}

func (c *lossCounter) Lost(e *trace.Lost) error {
	c.told.Add(e.Count)
	return c.Sink.Lost(e)
}

// What is lost is told while the recording goes on, and no slice of time stays in the kernel.
func TestLossesAreToldMeanwhile(t *testing.T) {
	needBPF(t)
	var counter *lossCounter
	s, w := launchTo(t, Options{BufferSize: tinyBuffer}, func(sink trace.Sink) trace.Sink {
		counter = &lossCounter{Sink: &slowSink{Sink: sink}}
		return counter
	}, dd(1_000_003)...)
	wait(t, w)
	slices := func() int {
		n := 0
		var slice iotraceLostKey
		var count uint64
		for it := s.collection.Maps["lost_slices"].Iterate(); it.Next(&slice, &count); {
			n++
		}
		return n
	}
	for end := time.Now().Add(commandLimit); slices() > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	told, left := counter.told.Load(), slices()
	rec := s.finish()
	all := uint64(0)
	for _, l := range rec.Batch.Lost {
		if l.CPU >= 0 {
			all += l.Count
		}
	}
	if told == 0 || told < all || left > 0 {
		t.Errorf("%d of %d lost events were told while the recording went on, %d slices of time were left", told, all, left)
	}
	checkSlices(t, rec)
}

// checkSlices compares the slices of time in which events were lost with the totals.
func checkSlices(t *testing.T, rec *recording) {
	t.Helper()
	sum := map[trace.Kind]uint64{}
	for _, l := range rec.Batch.Lost {
		sum[l.Kind] += l.Count
		if l.From < 0 || l.To < l.From {
			t.Errorf("events were lost between %d and %d", l.From, l.To)
		}
	}
	for kind, n := range rec.stats.Lost {
		if sum[kind] != n {
			t.Errorf("%d events of kind %s were lost, %d of them have a time", n, kind, sum[kind])
		}
	}
}

// The same holds for block requests.
func TestLostRequestsAreCounted(t *testing.T) {
	needBPF(t)
	d := newDisk(t, 64<<20)
	c := d.watch()
	s, w := launchTo(t, Options{BufferSize: 4 << 10}, func(sink trace.Sink) trace.Sink { return &slowSink{Sink: sink} },
		"dd", "if=/dev/zero", "of="+d.path(), "bs=4k", "count=10007", "oflag=direct", "status=none")
	wait(t, w)
	c.stop()
	rec := s.finish()
	recorded, lost := uint64(len(rec.requests(d.id))), rec.stats.Lost[trace.KindRequest]
	if recorded+lost < 10007 || recorded >= 10007 {
		t.Errorf("%d requests recorded and %d lost on all devices, but 10007 were made", recorded, lost)
	}
	checkSlices(t, rec)
	t.Logf("%d requests recorded, %d lost on all devices", recorded, lost)
}

// Nothing is lost in a call storm with the buffer that is the default.
func TestStormIsRecordedWhole(t *testing.T) {
	needBPF(t)
	const n = 500_000
	rec := recordCommand(t, Options{}, nil, dd(n)...)
	reads, writes := rec.calls("read", "/dev/zero"), rec.calls("write", "/dev/null")
	if len(reads) != n || len(writes) != n {
		t.Errorf("%d reads and %d writes recorded, %d of each were made", len(reads), len(writes), n)
	}
	for i := 1; i < len(reads); i++ {
		if reads[i].Start < reads[i-1].End() {
			t.Fatalf("call %d began at %d, before the one before it ended at %d", i, reads[i].Start, reads[i-1].End())
		}
	}
}
