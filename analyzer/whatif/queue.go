package whatif

// Model is a device as a queue: each request takes a time that depends on what it
// asks for, up to so many at once; then its bytes pass a link one after the other.
type Model struct {
	Latency  [services]float64 // ns
	Rate     [2]float64        // of reads and writes, in bytes per ns; +Inf for a link that is never the limit
	Parallel int               // requests served at once
}

// unlimited is a number of requests at once that is never reached.
const unlimited = 1 << 16

// alone is how long a request takes without company, in ns.
func (m *Model) alone(kind service, bytes int64) float64 {
	return m.Latency[kind] + m.transfer(kind, bytes)
}

// transfer is how long the bytes of a request take on the link, in ns.
func (m *Model) transfer(kind service, bytes int64) float64 {
	return float64(bytes) / m.Rate[kind.direction()]
}

// instant is a moment in a simulation, in ns.
type instant float64

func (a instant) Before(b instant) bool { return a < b }

// queue simulates a device.
type queue struct {
	Model
	slots heap[instant] // when each of the places for a request is free
	link  float64       // when the link is
}

func newQueue(m Model) *queue { return &queue{Model: m} }

// serve is when a request is complete that is asked for at a time, not before the
// one asked for last. late is what it takes beside the model.
func (q *queue) serve(at float64, kind service, bytes int64, late float64) float64 {
	begin := at
	if len(q.slots) == q.Parallel {
		begin = max(at, float64(q.slots.pop()))
	}
	ready := begin + q.Latency[kind]
	end := max(ready, q.link)
	if bytes > 0 {
		end += q.transfer(kind, bytes)
		q.link = end
	}
	if q.Parallel < unlimited {
		q.slots.push(instant(end))
	}
	return max(end+late, at)
}
