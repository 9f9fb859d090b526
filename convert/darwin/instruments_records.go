package darwin

import (
	"container/heap"

	"github.com/iotrace/iotrace/tracer/kdebug"
)

// records are those that wait for their time, earliest first.
type records struct {
	list []queued
	next uint64
}

type queued struct {
	kdebug.Record
	order uint64 // in which they came, among those of one time
}

func (r *records) Len() int { return len(r.list) }
func (r *records) Less(i, j int) bool {
	a, b := &r.list[i], &r.list[j]
	return a.Time < b.Time || a.Time == b.Time && a.order < b.order
}
func (r *records) Swap(i, j int) { r.list[i], r.list[j] = r.list[j], r.list[i] }
func (r *records) Push(v any)    { r.list = append(r.list, v.(queued)) }
func (r *records) Pop() any {
	last := r.list[len(r.list)-1]
	r.list = r.list[:len(r.list)-1]
	return last
}

// maxWaiting bounds the calls under way at one time.
const maxWaiting = 1 << 18

func (x *tables) push(r kdebug.Record) {
	x.queue.next++
	heap.Push(&x.queue, queued{r, x.queue.next})
}

// flush passes on what is not later than a time.
func (x *tables) flush(until uint64) error {
	for x.queue.Len() > 0 && (x.queue.list[0].Time < until || x.queue.Len() > maxWaiting) {
		q := heap.Pop(&x.queue).(queued)
		x.buf = q.Append(x.buf[:0])
		if err := x.d.Decode(x.buf); err != nil {
			return err
		}
	}
	return nil
}
