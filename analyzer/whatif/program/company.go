package program

// maxCompany bounds the threads of a process among which the one is looked for that ended a wait.
const maxCompany = 64

// member is a thread of a process, and when it was last heard of.
type member struct {
	*history
	last int64
}

// processes are the threads of each process.
type processes map[uint32][]member

func newProcesses(threads []*history) processes {
	p := processes{}
	for _, h := range threads {
		if len(p[h.process]) < maxCompany {
			p[h.process] = append(p[h.process], member{h, h.end()})
		}
	}
	return p
}

// computing is what ended a wait for another thread of the process, of which nothing was recorded: the thread that had
// run for longest when the wait ended, of those that were running then. That it computed until then is what was waited
// for, as far as can be told.
func (p processes) computing(h *history, w wait) (by wakeup, ok bool) {
	longest := int64(0)
	for _, other := range p[h.process] {
		if other.history == h || other.last < w.end || other.asleep(w.end) != nil ||
			within(other.stretches, w.end) != nil {
			continue
		}
		if ran := w.end - max(other.runsSince(w.end), w.start); ran > longest {
			by, ok, longest = wakeup{w.end, other.thread}, true, ran
		}
	}
	return by, ok
}
