package trace

import "fmt"

// sieve finds the rows of a frame that cannot be true.
type sieve struct {
	ledger   *ledger // nil: all of them can
	sum      amount
	seen     int   // rows
	rejected []int // of them
	why      string
}

// reset begins a frame.
func (s *sieve) reset(l *ledger) { *s = sieve{ledger: l, rejected: s.rejected[:0]} }

func (s *sieve) reject(row int, why string) {
	if len(s.rejected) == 0 {
		s.why = why
	}
	s.rejected = append(s.rejected, row)
}

// beyond says that an event ended after the recording, "" if it did not.
func (l *ledger) beyond(end int64) string {
	if end <= l.latest {
		return ""
	}
	return fmt.Sprintf("it ended at %d ns, after the recording", end)
}

// timed counts an event with a time of its own.
func (l *ledger) timed(a *amount, end, ns int64) string {
	if end > l.latest {
		return l.beyond(end)
	}
	l.span(end)
	l.last = max(l.last, end)
	a.time += uint64(ns) / timeUnit
	return ""
}

// judge of a Syscall is written out: there are millions of them.
func (s *Syscall) judge(l *ledger, a *amount) string {
	end := s.Start + s.Duration
	if !s.usual() || end > l.latest {
		if why := s.Impossible(); why != "" {
			return why
		}
		if end > l.latest {
			return l.beyond(end)
		}
	}
	if end > l.to || end < l.from {
		l.span(end)
		l.last = max(l.last, end)
	}
	a.time += uint64(s.Duration) / timeUnit
	a.bytes += uint64(s.Filled)
	if s.Result > 0 && s.Op.MovesData() {
		a.bytes += uint64(s.Result)
	}
	if s.File|s.File2 != 0 {
		l.refer(s.File)
		l.refer(s.File2)
	}
	return ""
}

func (o *AsyncOp) judge(l *ledger, a *amount) string {
	why := o.Impossible()
	if why == "" {
		why = l.timed(a, o.Complete, o.Complete-o.Submit)
	}
	if why == "" {
		a.bytes += uint64(o.Bytes())
		l.refer(o.File)
	}
	return why
}

func (f *Fault) judge(l *ledger, a *amount) string {
	why := f.Impossible()
	if why == "" {
		why = l.timed(a, f.Start+f.Duration, f.Duration)
	}
	if why == "" {
		a.bytes += uint64(f.Filled)
		l.refer(f.File)
	}
	return why
}

func (r *Request) judge(l *ledger, a *amount) string {
	why := r.Impossible()
	if why == "" {
		why = l.timed(a, r.Completed, r.Completed-min(r.Issued, max(r.Queued, 0)))
	}
	if why != "" {
		return why
	}
	a.bytes += uint64(r.Bytes)
	l.refer(r.File)
	for i := range r.More {
		l.refer(r.More[i].File)
	}
	if !l.devices[r.Device] {
		l.strangers++
	}
	return ""
}

func (w *Wait) judge(l *ledger, a *amount) string {
	if why := w.Impossible(); why != "" {
		return why
	}
	return l.timed(a, w.Start+w.Duration, w.Duration)
}

func (p *Process) judge(l *ledger, a *amount) string {
	if why := p.Impossible(); why != "" {
		return why
	}
	return l.timed(a, p.Time, p.CPU)
}

func (f *File) judge(l *ledger, a *amount) string {
	if why := f.Impossible(); why != "" {
		return why
	}
	l.files.add(uint32(f.ID))
	return l.timed(a, f.Time, 0)
}

// maxLedgerDevices bounds the devices that a ledger tells apart.
const maxLedgerDevices = 1 << 16

func (d *Device) judge(l *ledger, a *amount) string {
	if why := d.Impossible(); why != "" {
		return why
	}
	if len(l.devices) < maxLedgerDevices {
		l.devices[d.ID] = true
	}
	return l.timed(a, d.Time, 0)
}

func (e *Lost) judge(l *ledger, a *amount) string {
	why := e.Impossible()
	if why == "" {
		l.span(e.To)
		if e.Kind == KindFile || e.Kind == KindDevice || e.Kind == 0 {
			l.excused = true
		}
		a.bytes += e.Count // of whatever they were
	}
	return why
}
