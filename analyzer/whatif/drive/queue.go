package drive

import "github.com/iotrace/iotrace/analyzer/timeline"

// instant is a moment in a simulation, in ns.
type instant float64

func (a instant) Before(b instant) bool { return a < b }

// Queue simulates recorded requests on a drive of another model than the one that
// served them.
type Queue struct {
	queue
	recorded Model
}

// NewQueue is the queue of a drive that was of one model and is now of another.
func NewQueue(was, now Model) *Queue { return &Queue{queue{Model: now}, was} }

// Serve is when a request is complete that is asked for at a time, not before the one
// asked for last. It moves so many bytes, whatever it moved in the recording.
func (q *Queue) Serve(at float64, r *Request, bytes int64) float64 {
	return q.serve(at, r.service, bytes, r.late(&q.recorded, &q.Model))
}

// queue simulates a drive.
type queue struct {
	Model
	slots timeline.Heap[instant] // when each of the places for a request is free
	link  float64                // when the link is
}

// serve is when a request is complete that is asked for at a time, not before the
// one asked for last. late is what it takes beside the model.
func (q *queue) serve(at float64, kind service, bytes int64, late float64) float64 {
	begin := at
	if len(q.slots) == q.Parallel {
		begin = max(at, float64(q.slots.Pop()))
	}
	ready := begin + q.Latency[kind]
	end := max(ready, q.link)
	if bytes > 0 {
		end += q.transfer(kind, bytes)
		q.link = end
	}
	if q.Parallel < unlimited {
		q.slots.Push(instant(end))
	}
	return max(end+late, at)
}
