package path

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// Where there are too many threads to tell them apart, they are told apart by command, and their files stay known: so
// does the label, which depends on both.
func TestTooManyThreads(t *testing.T) {
	const threads, file = 100, trace.FileID(7)
	label := func(k *Key) timeline.Label {
		if k.Call.File == file {
			return timeline.PageCache
		}
		return timeline.CPU
	}
	a := NewAccount(label).Alike(func(thread uint32) uint32 { return thread % 2 })
	a.limit = 10
	for i := range uint32(threads) {
		a.Add(&Segment{From: 0, To: 1, Thread: i, Call: Call{In: true, Op: trace.OpRead, File: file}})
	}
	if sum := a.Labels(); sum[timeline.PageCache] != threads {
		t.Errorf("%d of %d are labelled by their file", sum[timeline.PageCache], threads)
	}
	var even, odd int64
	for _, p := range a.Parts() {
		switch p.Thread % 2 {
		case 0:
			even += p.NS
		case 1:
			odd += p.NS
		}
	}
	if len(a.Parts()) > 2*a.limit || even != odd {
		t.Errorf("%d parts; %d of one command, %d of the other", len(a.Parts()), even, odd)
	}
}
