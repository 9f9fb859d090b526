package timeline

// queue hands back what was put into it in the order of time: a binary heap.
type queue[T any] []timed[T]

type timed[T any] struct {
	at    int64
	value T
}

func (q *queue[T]) push(at int64, value T) {
	h := append(*q, timed[T]{})
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up].at <= at {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = timed[T]{at, value}
	*q = h
}

func (q *queue[T]) pop() timed[T] {
	h := *q
	n := len(h) - 1
	first, last := h[0], h[n]
	h[n] = timed[T]{}
	h = h[:n]
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && h[down+1].at < h[down].at {
			down++
		}
		if h[down].at >= last.at {
			break
		}
		h[i] = h[down]
		i = down
	}
	if n > 0 {
		h[i] = last
	}
	*q = h
	return first
}

// Ends hands back intervals in the order of their ends.
type Ends[T any] struct{ q queue[T] }

// Push adds an interval that ends at a time.
func (e *Ends[T]) Push(end int64, value T) { e.q.push(end, value) }

// Pop removes the interval that ends first, if it ends by t.
func (e *Ends[T]) Pop(t int64) (end int64, value T, ok bool) {
	if len(e.q) == 0 || e.q[0].at > t {
		return 0, value, false
	}
	f := e.q.pop()
	return f.at, f.value, true
}
