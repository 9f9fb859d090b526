package copies

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// stream is a pipe or a socket: bytes come out of it in the order in which
// they went in.
type stream struct {
	File         *world.File
	Given, Taken int64    // bytes
	Gave, Took   callSpan // when
	Writers      map[*process]int64
	Readers      map[*process]int64
}

// callSpan is the time from the begin of the first call to the end of the last.
type callSpan struct {
	From, To int64
	First    int64 // the end of the first call
}

func (p *callSpan) add(x *world.Access) {
	if p.To == 0 {
		if p.From, p.First = x.Start, x.End; x.End <= x.Start { // a trace without durations
			p.First = math.MaxInt64
		}
	}
	p.To = max(p.To, x.End)
}

// streams are those that were used.
type streams map[*world.File]*stream

func (t streams) of(f *world.File) *stream {
	c := t[f]
	if c == nil {
		c = &stream{File: f, Writers: map[*process]int64{}, Readers: map[*process]int64{}}
		t[f] = c
	}
	return c
}

// read enters what a process read from a stream, and returns the place of that.
func (t streams) read(f *world.File, a *process, x *world.Access) (at int64) {
	c := t.of(f)
	at = c.Taken
	if x.Op != trace.OpTee {
		c.Taken += x.Bytes
		c.Took.add(x)
		c.Readers[a] += x.Bytes
	}
	return at
}

// wrote enters what a process wrote to a stream, and returns the place of that.
func (t streams) wrote(f *world.File, a *process, x *world.Access) (at int64) {
	c := t.of(f)
	at = c.Given
	c.Given += x.Bytes
	c.Gave.add(x)
	c.Writers[a] += x.Bytes
	return at
}
