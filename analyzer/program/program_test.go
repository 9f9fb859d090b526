package program

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A step says the same of what was done whichever way it was asked for.
func TestStepsOfABatch(t *testing.T) {
	b := &trace.Batch{
		Syscalls: []trace.Syscall{
			{Start: 10, Duration: 5, TID: 7, Op: trace.OpRead, File: 1, Offset: 4096, Offset2: trace.NoOffset, Requested: 100,
				Result: 60, Filled: 30, Flags: trace.FlagNoCache},
			{Start: 20, Duration: 5, TID: 7, Op: trace.OpSendfile, File: 1, File2: 2, Offset: 0, Offset2: 512, Result: 9},
			{Start: 30, Duration: 5, TID: 7, Op: trace.OpWrite, File: 2, Offset: 8, Offset2: trace.NoOffset, Result: -5,
				Flags: trace.FlagDSync},
			{Start: 40, Duration: 5, TID: 7, Op: trace.OpOpen, File: 2, Result: 3, Flags: trace.FlagDirect},
		},
		Faults: []trace.Fault{{Start: 50, Duration: 4, TID: 7, File: 3, Offset: 4096, Filled: 8192}},
		AsyncOps: []trace.AsyncOp{{Submit: 60, Complete: 90, TID: 8, API: trace.APILibaio, Op: trace.OpWrite, File: 2,
			Offset: 512, Result: 512, Flags: trace.FlagDirect}},
	}
	type said struct {
		took, moved     int64
		source, target  trace.FileID
		from, to        int64
		direct, cached  bool
		synced, failed  bool
		page, submitted bool
	}
	const none = trace.NoOffset
	want := []said{
		{4, 8192, 3, 0, 4096, none, false, true, false, false, true, false},
		{5, 60, 1, 0, 4096, none, false, false, false, false, false, false},
		{5, 9, 1, 2, 0, 512, false, true, false, false, false, false},
		{5, 0, 0, 2, none, 8, false, true, true, true, false, false},
		{5, 0, 0, 0, none, none, true, false, false, false, false, false},
		{30, 512, 0, 2, none, 512, true, false, false, false, false, true},
	}
	var got []said
	Steps(b, func(s *Step) {
		x := said{took: s.Took(), moved: s.Moved, direct: s.Direct(), cached: s.Cached(), synced: s.Synced(),
			failed: s.Failed, page: s.Page, submitted: s.API != 0}
		x.source, x.from = s.Source()
		x.target, x.to = s.Target()
		got = append(got, x)
	})
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// A file is its inode: another name or number is the same, another kind is not. Without an inode it is its number.
func TestFilesAreTheirInodes(t *testing.T) {
	files := NewFiles(func(f *trace.File) *trace.File {
		if f.Type != trace.FileRegular {
			return nil
		}
		return f
	})
	files.Learn(&trace.Batch{Files: []trace.File{
		{ID: 1, Path: "a", Device: 1, Inode: 5, Type: trace.FileRegular},
		{ID: 2, Path: "b", Device: 1, Inode: 5, Type: trace.FileRegular},
		{ID: 3, Path: "c", Device: 2, Inode: 5, Type: trace.FileRegular},
		{ID: 4, Path: "d", Type: trace.FileRegular}, {ID: 5, Path: "d", Type: trace.FileRegular},
		{ID: 6, Path: "a", Device: 1, Inode: 5, Type: trace.FilePipe},
	}})
	var paths []string
	for id := range trace.FileID(8) {
		path := "-"
		if f := files.Of(id); f != nil {
			path = f.Path
		}
		paths = append(paths, path)
	}
	if want := []string{"-", "a", "a", "c", "d", "d", "-", "-"}; !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
	if files.Of(4) == files.Of(5) {
		t.Error("two numbers of which no inode is known are one file")
	}
}

// What is in order begins where the one before ended; an offset that is not known is the position.
func TestPosition(t *testing.T) {
	var p Position
	for i, c := range []struct {
		offset, bytes, at int64
		follows           bool
	}{{100, 10, 100, false}, {110, 10, 110, true}, {trace.NoOffset, 5, 120, true}, {0, 1, 0, false},
		{1, 1, 1, true}} {
		at, follows, first := p.Move(c.offset, c.bytes)
		if at != c.at || follows != c.follows || first != (i == 0) {
			t.Errorf("access %d at %d: at %d, follows %v, first %v", i, c.offset, at, follows, first)
		}
	}
	var unknown Position
	if at, follows, _ := unknown.Move(trace.NoOffset, 3); at != 0 || follows {
		t.Errorf("the first access, whose place is not known, is at %d and follows: %v", at, follows)
	}
}

// A fifth is the limit of both, and nothing is neither.
func TestWarmAndRandom(t *testing.T) {
	for _, c := range []struct {
		part, all int64
		is        bool
	}{{0, 0, false}, {0, 10, true}, {19, 100, true}, {20, 100, false}, {100, 100, false}} {
		if Warm(c.part, c.all) != c.is || Random(c.part, c.all) != c.is {
			t.Errorf("%d of %d: warm %v, random %v", c.part, c.all, Warm(c.part, c.all), Random(c.part, c.all))
		}
	}
}

// What is in flight obeys Little's law: mean depth is the sum of all times over the time in which any was in flight.
func TestFlight(t *testing.T) {
	var f, none Flight
	for _, x := range [][2]int64{{0, 10}, {5, 15}, {20, 30}, {21, 22}} {
		f.Add(x[0], x[1])
	}
	f.Finish()
	none.Finish()
	if f.Busy() != 25 || f.Max() != 2 || f.Mean() != 31./25 || f.Latency() != 31./4/1e9 {
		t.Errorf("busy %d, at most %d, on average %v, each %v s", f.Busy(), f.Max(), f.Mean(), f.Latency())
	}
	if none.Mean() != 1 || none.Latency() != 0 {
		t.Errorf("of nothing %v in flight, each %v s", none.Mean(), none.Latency())
	}
}
