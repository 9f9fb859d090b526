package course

import (
	"math/bits"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Steps of speed are looked for in equal chunks of bytes: at most about
// maxChunks of them, and not in fewer than minChunks.
const (
	maxChunks = 256
	minChunks = 20
	minChunk  = 1 << 20
	inChunk   = 8 // pieces in a chunk, at first
)

// speed is the curve of a flow of bytes over the bytes themselves: when each
// piece of them had been moved. Operations come in the order of starts; their
// bytes count as spread over their duration, in the order in which they end.
type speed struct {
	name, device string
	total        int64 // beforehand
	ending       *timeline.Ends[operation]
	done         int64 // bytes
	next         int64 // boundary
	begun        bool
	first, last  int64 // start of the first operation, end of the last that ended
	marks        []mark
	ended        int64
	passed       int64
	depth        timeline.Depth
	sizes        [64]int64 // bytes of operations, per power of two that holds them
	piece        int64     // bytes between two marks
}

// maxMarks bounds a curve of which more bytes came than were announced: a trace
// may say too late what a file is.
const maxMarks = 4 * maxChunks * inChunk

// mark is what was known when one more piece of the bytes had been moved.
type mark struct {
	at     int64
	busy   int64 // time with an operation in flight
	ops    int64 // operations that ended
	direct int64 // bytes that went past the page cache
}

// operation is one that has not ended.
type operation struct {
	start, bytes int64
	direct       bool
}

// newSpeed makes a curve for a known number of bytes; nil if they are too few.
func newSpeed(name, device string, total int64) *speed {
	chunk := int64(minChunk)
	if n := total / (maxChunks / 2); n > chunk {
		chunk = 1 << bits.Len64(uint64(n-1))
	}
	if total/chunk < minChunks {
		return nil
	}
	s := &speed{name: name, device: device, total: total, ending: &timeline.Ends[operation]{}, piece: chunk / inChunk}
	s.next = s.piece
	return s
}

// add adds an operation.
func (s *speed) add(start, end, bytes int64, direct bool) {
	if s == nil || bytes <= 0 {
		return
	}
	if !s.begun {
		s.begun, s.first = true, start
	}
	s.until(start)
	s.depth.Add(start, end)
	s.ending.Push(max(start, end), operation{start, bytes, direct})
	s.sizes[bits.Len64(uint64(bytes-1))] += bytes
}

// until counts the operations that have ended by a time.
func (s *speed) until(t int64) {
	for {
		end, p, ok := s.ending.Pop(t)
		if !ok {
			return
		}
		from := max(p.start, s.last)
		before := s.done
		s.ended++
		if p.direct {
			s.passed += p.bytes
		}
		s.done += p.bytes
		s.last = max(s.last, end)
		for s.done >= s.next && len(s.marks) < maxMarks { // when the boundary was crossed, as if bytes came evenly
			at := from + int64(float64(end-from)*float64(s.next-before)/float64(p.bytes))
			s.depth.Advance(min(at, t))
			s.marks = append(s.marks, mark{max(at, s.latest()), s.depth.Busy(), s.ended, s.passed})
			s.next += s.piece
		}
	}
}

func (s *speed) latest() int64 { return s.mark(len(s.marks)).at }

// mark is what was known after so many pieces.
func (s *speed) mark(pieces int) mark {
	if pieces == 0 {
		return mark{at: s.first}
	}
	return s.marks[pieces-1]
}

func (s *speed) finish() { s.until(1<<63 - 1) }

// speeds are the curves of a trace: calls and busiest devices.
type speeds struct {
	read, write *speed
	devices     map[trace.DeviceID]*[2]*speed
	list        []*speed
}

func newSpeeds(s *survey.Survey) *speeds {
	p := &speeds{devices: map[trace.DeviceID]*[2]*speed{}}
	p.read = p.add(newSpeed("call read", "", s.CallRead))
	p.write = p.add(newSpeed("call write", "", s.CallWrite))
	for _, d := range s.Devices.Heaviest(world.MaxCurves) {
		p.devices[d.ID] = &[2]*speed{
			p.add(newSpeed("device read", d.Name, d.ReadBytes)), p.add(newSpeed("device write", d.Name, d.WriteBytes)),
		}
	}
	return p
}

func (p *speeds) add(s *speed) *speed {
	if s != nil {
		p.list = append(p.list, s)
	}
	return s
}

func (p *speeds) request(e *world.Request) {
	d := p.devices[e.Request.Device]
	if d == nil {
		return
	}
	switch e.Op {
	case trace.ReqRead:
		d[0].add(e.Issued, e.Completed, e.Bytes, e.Flags&trace.ReqDirect != 0)
	case trace.ReqWrite:
		d[1].add(e.Issued, e.Completed, e.Bytes, e.Flags&trace.ReqDirect != 0)
	}
}
