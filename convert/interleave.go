package convert

// This file puts what several sources have, each in its order, into one order.

import (
	"container/heap"
	"errors"
	"io"
)

// source is one of them.
type source interface {
	// Next moves to what comes next; io.EOF is the end, any other error ends the whole.
	Next() error
	// Time is that of what the source stands at.
	Time() int64
}

// All has take use what all sources have, the earliest first; of the same time in the order of the sources.
func All[S source](sources []S, take func(S) error) error {
	q := &queue[S]{}
	for i, s := range sources {
		switch err := s.Next(); {
		case err == nil:
			*q = append(*q, place[S]{s, i})
		case !errors.Is(err, io.EOF):
			return err
		}
	}
	heap.Init(q)
	for len(*q) > 0 {
		s := (*q)[0].source
		if err := take(s); err != nil {
			return err
		}
		switch err := s.Next(); {
		case err == nil:
			heap.Fix(q, 0)
		case errors.Is(err, io.EOF):
			heap.Pop(q)
		default:
			return err
		}
	}
	return nil
}

// queue has the source with the earliest first.
type queue[S source] []place[S]

type place[S source] struct {
	source S
	number int
}

func (q queue[S]) Len() int { return len(q) }
func (q queue[S]) Less(i, j int) bool {
	a, b := q[i].source.Time(), q[j].source.Time()
	return a < b || a == b && q[i].number < q[j].number
}
func (q queue[S]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue[S]) Push(s any)   { *q = append(*q, s.(place[S])) }
func (q *queue[S]) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
