package whatif

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// nearBy is how far a reader may skip over what is in memory already, in bytes.
const nearBy = 128 << 10

// Advice of madvise and posix_fadvise, as Linux numbers it for both.
const (
	adviseNormal     = 0
	adviseRandom     = 1
	adviseSequential = 2
)

// advice is what was said of how a file would be read.
type advice struct {
	at     int64
	random bool
}

// advised notes what a call says of its file.
func (e *events) advised(s *program.Step) {
	if s.Op == trace.OpAdvise && s.Offset2 >= adviseNormal && s.Offset2 <= adviseSequential && s.File != 0 {
		e.advice[s.File] = append(e.advice[s.File], advice{s.End, s.Offset2 == adviseRandom})
	}
}

// atRandom reports whether the program had said that it would read a file at random.
func (e *events) atRandom(file trace.FileID, at int64) bool {
	random, since := false, int64(-1)
	for _, a := range e.advice[file] {
		if a.at <= at && a.at > since {
			random, since = a.random, a.at
		}
	}
	return random
}

// streams are the rows of requests in which a thread reads one file in order: those that the kernel reads ahead of it.
// What a thread reads to write a part of a block is none, nor what it touches where it said that it would do so at
// random.
func (t *tying) streams(h *history) {
	var last *Request
	sorting.Stably(h.cutPoints, func(a, b cutPoint) int { return cmp.Compare(a.at, b.at) })
	for i := range h.cutPoints {
		m := &h.cutPoints[i]
		if m.what != Submits {
			continue
		}
		r := &t.requests[m.index]
		c := h.during(r.Queued)
		if r.Op != trace.ReqRead || r.Direct || r.file == 0 || c == nil || !c.Op.Reads() || t.atRandom(r.file, r.Queued) {
			continue
		}
		r.Ahead = true
		if last != nil && last.file == r.file && r.offset >= last.end && r.offset-last.end <= nearBy {
			r.Goes = true
		}
		last = r
	}
}
