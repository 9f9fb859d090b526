package analyzer

import (
	"math/bits"

	"github.com/iotrace/iotrace/analyzer/stats"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// Steps of speed are looked for in equal chunks of bytes: at most about
// maxChunks of them, and not in fewer than minChunks.
const (
	maxChunks = 256
	minChunks = 20
	minChunk  = 1 << 20
)

// speed is the curve of a flow of bytes over the bytes themselves: how long
// each chunk took. Operations come in the order of starts; their bytes count as
// spread over their duration, in the order in which they end.
type speed struct {
	name, device string
	chunk        int64
	total        int64 // beforehand
	ending       *timeline.Ends[piece]
	done         int64 // bytes
	next         int64 // boundary
	begun        bool
	first, last  int64   // start of the first operation, end of the last that ended
	at           []int64 // end of each chunk
	busy         []int64 // time with an operation in flight, up to it
	ops          []int64 // operations that ended, up to it
	ended        int64
	direct       []int64 // bytes that went past the page cache, up to it
	passed       int64
	depth        timeline.Depth
	coarse       int64 // bytes of operations that are larger than a chunk
}

// piece is an operation that has not ended.
type piece struct {
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
	return &speed{name: name, device: device, chunk: chunk, total: total, next: chunk, ending: &timeline.Ends[piece]{}}
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
	s.ending.Push(max(start, end), piece{start, bytes, direct})
	if bytes > s.chunk {
		s.coarse += bytes
	}
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
		for s.done >= s.next { // when the boundary was crossed, as if bytes came evenly
			at := from + int64(float64(end-from)*float64(s.next-before)/float64(p.bytes))
			s.depth.Advance(min(at, t))
			s.at = append(s.at, max(at, s.latest()))
			s.busy = append(s.busy, s.depth.Busy())
			s.ops = append(s.ops, s.ended)
			s.direct = append(s.direct, s.passed)
			s.next += s.chunk
		}
	}
}

func (s *speed) latest() int64 {
	if n := len(s.at); n > 0 {
		return s.at[n-1]
	}
	return s.first
}

func (s *speed) finish() { s.until(1<<63 - 1) }

// rates are the bytes per second of each chunk.
func (s *speed) rates() []float64 { return s.per(s.at, s.first) }

// busyRates leave out the time without an operation in flight.
func (s *speed) busyRates() []float64 { return s.per(s.busy, 0) }

// directShare is the part of a level that went past the page cache.
func (s *speed) directShare(l stats.Level) float64 {
	n := s.direct[l.To-1]
	if l.From > 0 {
		n -= s.direct[l.From-1]
	}
	return float64(n) / float64(int64(l.To-l.From)*s.chunk)
}

// size is the mean size of the operations of a level.
func (s *speed) size(l stats.Level) int64 {
	n := s.ops[l.To-1]
	if l.From > 0 {
		n -= s.ops[l.From-1]
	}
	return int64(l.To-l.From) * s.chunk / max(n, 1)
}

func (s *speed) per(marks []int64, from int64) []float64 {
	r := make([]float64, len(marks))
	for i, t := range marks {
		r[i] = float64(s.chunk) / float64(max(t-from, 1)) * 1e9
		from = t
	}
	return r
}

func (s *speed) profile() Rates {
	r := Rates{Series: s.name, Device: s.device, Chunk: s.chunk, AtNS: s.at}
	for _, v := range s.rates() {
		r.Rate = append(r.Rate, whole(v))
	}
	last := int64(0)
	for _, b := range s.busy {
		r.Busy, last = append(r.Busy, b-last), b
	}
	return r
}

// speeds are the curves of a trace: calls and busiest devices.
type speeds struct {
	read, write *speed
	devices     map[trace.DeviceID]*[2]*speed
	list        []*speed
}

func newSpeeds(s *survey) *speeds {
	p := &speeds{devices: map[trace.DeviceID]*[2]*speed{}}
	p.read = p.add(newSpeed("call read", "", s.callRead))
	p.write = p.add(newSpeed("call write", "", s.callWrite))
	for _, d := range s.devices.heaviest(maxSeriesDevices) {
		p.devices[d.ID] = &[2]*speed{
			p.add(newSpeed("device read", d.Name, d.readBytes)), p.add(newSpeed("device write", d.Name, d.writeBytes)),
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

func (p *speeds) request(e *trace.Request) {
	d := p.devices[e.Device]
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
