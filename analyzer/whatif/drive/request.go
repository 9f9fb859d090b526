package drive

import (
	"math"

	"github.com/iotrace/iotrace/trace"
)

// Request is a request as the drive that served it saw it.
type Request struct {
	Queued, Completed int64 // ns
	Sector            uint64
	Bytes             int64
	Op                trace.ReqOp
	service           service
	modelled          int64 // ns that the model of the drive takes for it, asked for as it was
}

// Writes reports whether a request is a write or a flush.
func (r *Request) Writes() bool { return r.service.direction() == 1 }

// late is what of a request's deviation from the model of its drive remains under
// another one: as much as its time without company becomes longer or shorter.
func (r *Request) late(was, now *Model) float64 {
	deviation := float64(r.Completed - r.Queued - r.modelled)
	before, after := was.alone(r.service, r.Bytes), now.alone(r.service, r.Bytes)
	if before <= 0 || math.IsNaN(after/before) {
		return deviation
	}
	return deviation * after / before
}

// near is how far from the end of the request before it a request may begin and
// still be sequential, in sectors.
const near = 128

// classify says of each request what its time depends on.
func classify(own []*Request) {
	var ends [2]uint64 // of the last read and write
	for _, r := range own {
		w := 0
		if r.Op != trace.ReqRead {
			w = 1
		}
		distance := math.Abs(float64(r.Sector) - float64(ends[w]))
		switch {
		case r.Op == trace.ReqFlush || r.Bytes == 0:
			r.service = flush
			continue
		case w == 0:
			r.service = randomRead
		default:
			r.service = randomWrite
		}
		if distance <= near {
			r.service++
		}
		ends[w] = r.Sector + uint64(r.Bytes/512)
	}
}
