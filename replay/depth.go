package replay

import "github.com/iotrace/iotrace/trace"

// lanes are the threads that stand for one of the program, when it has several
// calls in flight.
type lanes struct {
	threads []int
	last    []int // operation of each since the last barrier, −1 if there was none
	next    int
	read    bool // the lane in turn has read something: what is written next may be that
	barrier int  // the last operation that was waited for by all, −1 if there was none
}

// deepen has each thread keep so many reads and writes in flight. Its data
// operations go in turn to lanes: a read and the writes that follow it to the
// same one, since they may have the same data. All else that the thread does
// waits for all of them, and they for it. Its pauses follow each other: they
// stand for what one thread computed.
func deepen(p *Program, depth int) bool {
	all := make([]*lanes, p.Threads)
	threads, changed := p.Threads, false
	for i := range p.Ops {
		o := &p.Ops[i]
		l := all[o.Thread]
		if l == nil {
			l = newLanes(o.Thread, depth, &threads)
			all[o.Thread] = l
		}
		o.Turn = o.Thread + 1
		if o.Kind != trace.OpRead && o.Kind != trace.OpWrite {
			l.wait(i, o)
			continue
		}
		if read := o.Kind == trace.OpRead; read || !l.read {
			l.next, l.read = (l.next+1)%depth, read
		}
		changed = changed || l.next > 0
		l.take(i, o)
	}
	p.Threads = threads
	return changed
}

func newLanes(thread, depth int, threads *int) *lanes {
	l := &lanes{threads: []int{thread}, barrier: -1, next: depth - 1}
	for len(l.threads) < depth {
		l.threads = append(l.threads, *threads)
		*threads++
	}
	for range depth {
		l.last = append(l.last, -1)
	}
	return l
}

// take gives an operation to the lane in turn.
func (l *lanes) take(i int, o *Op) {
	if l.last[l.next] < 0 && l.barrier >= 0 && l.next > 0 {
		o.After = append(o.After[:len(o.After):len(o.After)], l.barrier)
	}
	o.Thread, l.last[l.next] = l.threads[l.next], i
}

// wait has an operation wait for all lanes.
func (l *lanes) wait(i int, o *Op) {
	o.After = o.After[:len(o.After):len(o.After)]
	for n, last := range l.last {
		if last >= 0 && n > 0 {
			o.After = append(o.After, last)
		}
		l.last[n] = -1
	}
	l.barrier, l.read, l.next = i, false, len(l.last)-1
}
