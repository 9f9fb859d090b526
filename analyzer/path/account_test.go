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

// Where there are too many files to tell them apart, calls on them keep the label that they have by their files: those
// on pipes do not become those that move data of files, nor the other way around. Whose they are stays known.
func TestTooManyFiles(t *testing.T) {
	const files = 100
	label := func(k *Key) timeline.Label {
		switch {
		case k.Call.File == 0:
			return timeline.CPU
		case k.Call.File%2 == 0:
			return timeline.PageCache
		}
		return timeline.OtherCall
	}
	all := NewAccount(label)
	a := Limited(10, label)
	for i := range trace.FileID(files) {
		a.Add(&Segment{From: 0, To: 1, Thread: 9, Call: Call{In: true, Op: trace.OpWrite, File: i + 1}})
	}
	all.limit = 4
	all.Merge(a, func(k Key) Key { return k })
	for _, x := range []*Account{a, all} {
		if sum := x.Labels(); sum[timeline.PageCache] != files/2 || sum[timeline.OtherCall] != files/2 {
			t.Errorf("%d and %d of %d, in %d parts", sum[timeline.PageCache], sum[timeline.OtherCall], files, len(x.Parts()))
		}
		for _, p := range x.Parts() {
			if p.Thread != 9 {
				t.Errorf("thread %d", p.Thread)
			}
		}
		if n := len(x.Parts()); n > x.limit+2 {
			t.Errorf("%d parts", n)
		}
	}
}
