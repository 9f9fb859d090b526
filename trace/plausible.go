package trace

import "fmt"

// The ranges that the values of events lie in. What a recorder stores comes from
// a kernel and keeps them; a Reader leaves out events that do not, so that what
// uses them can add times and sizes without a thought of overflow. See
// docs/trace-format.md.
const (
	MaxTime     = 1<<56 - 1       // ns since the start of the recording, and of one event: two years
	MaxTransfer = 1<<31 - 1       // bytes that one call moves; Linux ends at 0x7ffff000
	MaxOffset   = 1<<63 - 1<<32   // bytes from the start of a file: an end behind it can still be told
	MaxFilled   = 1<<46 - 1       // bytes that came into memory during one event
	MaxRequest  = 1 << 32         // bytes of a block request: the kernel counts them in 32 bits
	MaxSector   = MaxOffset / 512 // of a device
	MaxLost     = 1<<46 - 1       // events that one lost event stands for
	minResult   = -(1 << 31)      // the least an errno can be
	maxTotal    = 1<<61 - 1       // bytes of all events together, and ns
)

// within reports whether all values are at least 0 and at most limit, which has
// to be a power of two less one.
func within(limit uint64, values ...int64) bool {
	for _, v := range values {
		if uint64(v) > limit {
			return false
		}
	}
	return true
}

// place reports whether v is an offset in a file, or not known.
func place(v int64) bool { return v >= NoOffset && v <= MaxOffset }

// during says what is impossible about a time of an event, "" if nothing is.
func during(start, ns int64) string {
	if uint64(start)|uint64(ns) > MaxTime || start+ns > MaxTime {
		return fmt.Sprintf("it began after %d ns and took %d ns", start, ns)
	}
	return ""
}

// usual reports whether all values lie where those of nearly all calls do.
func (s *Syscall) usual() bool {
	return uint64(s.Start)|uint64(s.Duration) <= MaxTime/2 && uint64(s.Filled) <= MaxFilled &&
		uint64(s.Offset+1)|uint64(s.Offset2+1)|uint64(s.Requested) < 1<<62 && uint64(s.Result-minResult) <= MaxTransfer-minResult
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (s *Syscall) Impossible() string {
	if s.usual() {
		return ""
	}
	if why := during(s.Start, s.Duration); why != "" {
		return why
	}
	switch {
	case s.Result > MaxTransfer && s.Op.MovesData():
		return fmt.Sprintf("%s of %d bytes; a call moves at most %d", s.Op, s.Result, MaxTransfer)
	case s.Result < minResult:
		return fmt.Sprintf("a result of %d", s.Result)
	case !place(s.Offset) || !place(s.Offset2):
		return fmt.Sprintf("offsets %d and %d", s.Offset, s.Offset2)
	case s.Requested < 0:
		return fmt.Sprintf("%d bytes were asked for", s.Requested)
	case !within(MaxFilled, s.Filled):
		return fmt.Sprintf("%d bytes came into memory", s.Filled)
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (a *AsyncOp) Impossible() string {
	if why := during(a.Submit, a.Complete-a.Submit); why != "" {
		return why
	}
	switch {
	case a.Result > MaxTransfer || a.Result < minResult:
		return fmt.Sprintf("%s with the result %d; an operation moves at most %d bytes", a.Op, a.Result, MaxTransfer)
	case !place(a.Offset):
		return fmt.Sprintf("offset %d", a.Offset)
	case a.Requested < 0:
		return fmt.Sprintf("%d bytes were asked for", a.Requested)
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (f *Fault) Impossible() string {
	if why := during(f.Start, f.Duration); why != "" {
		return why
	}
	switch {
	case !place(f.Offset):
		return fmt.Sprintf("offset %d", f.Offset)
	case !within(MaxFilled, f.Filled):
		return fmt.Sprintf("%d bytes came into memory", f.Filled)
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (r *Request) Impossible() string {
	if why := during(r.Issued, r.Completed-r.Issued); why != "" {
		return why
	}
	switch {
	case r.Queued != -1 && !within(MaxTime, r.Queued):
		return fmt.Sprintf("it was queued at %d ns", r.Queued)
	case r.Bytes < 0 || r.Bytes > MaxRequest:
		return fmt.Sprintf("a request of %d bytes; it has at most %d", r.Bytes, int64(MaxRequest))
	case r.Sector > MaxSector && r.Bytes > 0:
		return fmt.Sprintf("sector %d", r.Sector)
	case !place(r.Offset):
		return fmt.Sprintf("offset %d", r.Offset)
	}
	rest := r.Bytes
	for _, m := range r.More {
		if rest -= m.Bytes; m.Bytes < 0 || rest < 0 || !place(m.Offset) {
			return fmt.Sprintf("a piece of %d bytes at offset %d, in a request of %d", m.Bytes, m.Offset, r.Bytes)
		}
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (w *Wait) Impossible() string { return during(w.Start, w.Duration) }

// Impossible says what about the event cannot be, "" if it is plausible.
func (p *Process) Impossible() string {
	switch {
	case !within(MaxTime, p.Time):
		return fmt.Sprintf("its time is %d ns", p.Time)
	case !within(maxTotal, p.CPU):
		return fmt.Sprintf("a CPU time of %d ns", p.CPU)
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (f *File) Impossible() string {
	switch {
	case !within(MaxTime, f.Time):
		return fmt.Sprintf("its time is %d ns", f.Time)
	case f.Size < 0:
		return fmt.Sprintf("a file of %d bytes", f.Size)
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (d *Device) Impossible() string {
	switch {
	case !within(MaxTime, d.Time):
		return fmt.Sprintf("its time is %d ns", d.Time)
	case !within(1<<48-1, d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth):
		return fmt.Sprintf("limits of %d, %d, %d, %d and %d", d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth)
	case d.Size < 0:
		return fmt.Sprintf("a device of %d bytes", d.Size)
	}
	return ""
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (l *Lost) Impossible() string {
	if why := during(l.From, l.To-l.From); why != "" {
		return why
	}
	if l.Count > MaxLost {
		return fmt.Sprintf("%d events were lost", l.Count)
	}
	return ""
}

// Tame replaces arguments that no call can succeed with, which a program may
// have passed all the same, by the nearest that the format allows.
func (s *Syscall) Tame() {
	if uint64(s.Offset+1)|uint64(s.Offset2+1)|uint64(s.Requested) < 1<<62 {
		return
	}
	if s.Requested < 0 { // a length of 2^63 and more
		s.Requested = 1<<63 - 1
	}
	s.Offset, s.Offset2 = known(s.Offset), known(s.Offset2)
}

// Tame does the same for an asynchronous operation.
func (a *AsyncOp) Tame() {
	if a.Requested < 0 {
		a.Requested = 1<<63 - 1
	}
	a.Offset = known(a.Offset)
}

// known is an offset as it can be stored: not at all if it is none.
func known(offset int64) int64 {
	if !place(offset) {
		return NoOffset
	}
	return offset
}
