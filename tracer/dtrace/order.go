package dtrace

// orderer puts lines into the order of their times. DTrace on Linux prints the
// buffer of one CPU after that of another; within one they are in order. Each
// CPU prints a tick ten times a second, so that one that has nothing to say
// does not hold up the others. On macOS DTrace sorts by itself.
type orderer struct {
	out    func(*Record) error
	sorted bool // they come sorted
	cpus   int  // that print ticks
	queues []queue
	held   int
}

// queue are the lines of one CPU.
type queue struct {
	cpu  int32
	list []Record
	at   int   // first of list
	seen int64 // time of its newest line
}

const (
	// maxHeld bounds the lines that wait; past it the oldest go out although a
	// CPU may still print an older one.
	maxHeld = 1 << 20
	// MaxCPUs bounds the CPUs that are told apart.
	MaxCPUs = 1 << 12
)

// newOrderer returns an orderer of the lines of a number of CPUs.
func newOrderer(cpus int, sorted bool, out func(*Record) error) *orderer {
	return &orderer{out: out, sorted: sorted, cpus: cpus}
}

func (o *orderer) queue(cpu int32) *queue {
	for i := range o.queues {
		if o.queues[i].cpu == cpu {
			return &o.queues[i]
		}
	}
	if len(o.queues) >= MaxCPUs {
		return &o.queues[0]
	}
	o.queues = append(o.queues, queue{cpu: cpu})
	return &o.queues[len(o.queues)-1]
}

// Add takes the next line.
func (o *orderer) Add(r *Record) error {
	if o.sorted {
		if silent(r) {
			return nil
		}
		return o.out(r)
	}
	q := o.queue(r.CPU)
	q.seen = max(q.seen, r.Time)
	if !silent(r) {
		q.list = append(q.list, *r)
		o.held++
	}
	if !silent(r) && o.held <= maxHeld {
		return nil // a tick will let it go
	}
	until := int64(1<<63 - 1)
	for i := range o.queues {
		until = min(until, o.queues[i].seen)
	}
	if len(o.queues) < o.cpus {
		until = 0
	}
	return o.release(until)
}

// silent reports whether a line only says that time has passed.
func silent(r *Record) bool { return r.Kind == KindTick || r.Kind == KindMark }

// Flush lets everything go, at the end.
func (o *orderer) Flush() error { return o.release(1<<63 - 1) }

// release passes on what is not newer than a time, oldest first.
func (o *orderer) release(until int64) error {
	for o.held > 0 {
		best := -1
		for i := range o.queues {
			q := &o.queues[i]
			if q.at < len(q.list) && (best < 0 || q.list[q.at].Time < o.queues[best].list[o.queues[best].at].Time) {
				best = i
			}
		}
		q := &o.queues[best]
		r := &q.list[q.at]
		if r.Time > until && o.held <= maxHeld {
			return nil
		}
		q.at++
		o.held--
		err := o.out(r)
		if q.at == len(q.list) {
			q.list, q.at = q.list[:0], 0
		} else if q.at > 1<<16 {
			q.list = append(q.list[:0], q.list[q.at:]...)
			q.at = 0
		}
		if err != nil {
			return err
		}
	}
	return nil
}
