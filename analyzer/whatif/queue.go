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

// queue simulates a device.
type queue struct {
	Model
	slots []float64 // when each of the places for a request is free: a heap
	link  float64   // when the link is
}

func newQueue(m Model) *queue {
	return &queue{Model: m, slots: make([]float64, 0, min(m.Parallel, unlimited))}
}

// serve is when a request is complete that is asked for at a time, not before the
// one asked for last. late is what it takes beside the model.
func (q *queue) serve(at float64, kind service, bytes int64, late float64) float64 {
	begin := at
	if len(q.slots) == q.Parallel {
		begin = max(at, q.take())
	}
	ready := begin + q.Latency[kind]
	end := max(ready, q.link)
	if bytes > 0 {
		end += q.transfer(kind, bytes)
		q.link = end
	}
	q.put(end)
	return max(end+late, at)
}

// put and take keep the heap of slots.
func (q *queue) put(v float64) {
	q.slots = append(q.slots, v)
	for i := len(q.slots) - 1; i > 0; {
		up := (i - 1) / 2
		if q.slots[up] <= q.slots[i] {
			break
		}
		q.slots[up], q.slots[i] = q.slots[i], q.slots[up]
		i = up
	}
}

func (q *queue) take() float64 {
	first, last := q.slots[0], len(q.slots)-1
	q.slots[0] = q.slots[last]
	q.slots = q.slots[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			break
		}
		if down+1 < last && q.slots[down+1] < q.slots[down] {
			down++
		}
		if q.slots[i] <= q.slots[down] {
			break
		}
		q.slots[i], q.slots[down] = q.slots[down], q.slots[i]
		i = down
	}
	return first
}
