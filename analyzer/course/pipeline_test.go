package course

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

func sum(values []int64) (n int64) {
	for _, v := range values {
		n += v
	}
	return n
}

// A library that the program loads and a file that it writes beside the copy are no part of it. A call that takes long
// moves its bytes over all of that time.
func TestStagesOfCopiesAlone(t *testing.T) {
	from, to, library, log := &world.File{Number: 0, Path: "/a"}, &world.File{Number: 1, Path: "/b"},
		&world.File{Number: 2, Path: "/lib"}, &world.File{Number: 3, Path: "/log"}
	c := NewPipeline(100, 999)
	c.Data(&world.Access{Op: trace.OpCopyRange, File: from, File2: to, Start: 100, End: 299, Bytes: 1000,
		Reads: true, Writes: true})
	c.Data(&world.Access{Op: trace.OpWrite, File: log, Start: 100, End: 101, Bytes: 7, Writes: true})
	c.Data(&world.Access{Op: trace.OpRead, File: library, Start: 1, End: 2, Bytes: 9, Reads: true})
	p := &profile.Profile{Copies: []profile.Copy{{Source: "/a", Destination: "/b", Bytes: 1000}}}
	c.Finish(p)
	x := p.Charts.Pipeline
	if x == nil || sum(x.Copied) != 1000 || sum(x.Read) != 0 {
		t.Fatalf("%+v", x)
	}
	for i, n := range x.Copied {
		if at := int64(i) * x.BinNS; (at >= 100 && at < 300) != (n > 0) {
			t.Errorf("%d bytes at %d ns", n, at)
		}
	}
}

// A call that takes long copies nothing before it was read, but for what was in memory, and all of it in the end.
func TestNothingIsCopiedBeforeItIsRead(t *testing.T) {
	for _, cached := range []int64{0, 300} {
		from, to := &world.File{Number: 0, Path: "/a"}, &world.File{Number: 1, Path: "/b"}
		c := NewPipeline(100, 999)
		c.Data(&world.Access{Op: trace.OpCopyRange, File: from, File2: to, Start: 100, End: 299, Bytes: 1000,
			Reads: true, Writes: true})
		for _, at := range []int64{110, 280, 290, 299} {
			r := &world.Request{Request: &trace.Request{Op: trace.ReqRead, Issued: at - 9, Completed: at}}
			r.Pieces = slices.Grow(r.Pieces, 1)[:1]
			r.Pieces[0].File, r.Pieces[0].Bytes = from, (1000-cached)/4
			c.Request(r)
		}
		p := &profile.Profile{Copies: []profile.Copy{{Source: "/a", Destination: "/b", Bytes: 1000}}}
		c.Finish(p)
		x, read, copied := p.Charts.Pipeline, cached, int64(0)
		for i := range x.Copied {
			if read, copied = read+x.Read[i], copied+x.Copied[i]; copied > read {
				t.Errorf("%d bytes in memory: %d copied of %d at %d ns", cached, copied, read, int64(i)*x.BinNS)
			}
		}
		if copied != 1000 {
			t.Errorf("%d bytes in memory: %d copied in all", cached, copied)
		}
	}
}

// Without copies, or where no byte of them went through calls, there is no pipeline.
func TestNoPipeline(t *testing.T) {
	for _, copies := range [][]profile.Copy{nil, {{Source: "/a", Destination: "/b", Method: "reflink"}}} {
		c := NewPipeline(100, 999)
		c.Data(&world.Access{Op: trace.OpWrite, File: &world.File{Path: "/c"}, Start: 1, End: 2, Bytes: 5, Writes: true})
		p := &profile.Profile{Copies: copies}
		if c.Finish(p); p.Charts.Pipeline != nil {
			t.Errorf("%+v", p.Charts.Pipeline)
		}
	}
}

// Beyond the bound files are told of together, and no byte is lost.
func TestBounded(t *testing.T) {
	c := NewPipeline(10, 999)
	c.steps = maxSteps
	for i := range 5 {
		c.Data(&world.Access{Op: trace.OpWrite, File: &world.File{Number: i, Path: "/x"}, Start: 1, End: 2,
			Bytes: 5, Writes: true})
	}
	p := &profile.Profile{Copies: []profile.Copy{{Source: "/a", Destination: "/x"}}}
	c.Finish(p)
	if len(c.list) != 0 || sum(p.Charts.Pipeline.Copied) != 25 {
		t.Errorf("%d files, %+v", len(c.list), p.Charts.Pipeline)
	}
}
