package tracefile

import "github.com/iotrace/iotrace/trace"

// rejects finds the rows of a frame that cannot be true.
type rejects struct {
	totals   *totals // nil: all of them can
	sum      amount
	seen     int   // rows
	rejected []int // of them
	why      string
}

// reset begins a frame.
func (s *rejects) reset(l *totals) { *s = rejects{totals: l, rejected: s.rejected[:0]} }

func (s *rejects) reject(row int, why string) {
	if len(s.rejected) == 0 {
		s.why = why
	}
	s.rejected = append(s.rejected, row)
}

// judgeCall is written out: there are millions of calls.
func judgeCall(s *trace.Syscall, l *totals, a *amount) string {
	end := s.Start + s.Duration
	if !s.Usual() || end > l.latest {
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

func judgeAsync(o *trace.AsyncOp, l *totals, a *amount) string {
	why := o.Impossible()
	if why == "" {
		why = l.timed(a, o.Complete, o.Complete-o.Submit)
	}
	if why == "" {
		a.bytes += uint64(o.Bytes())
		l.refer(o.File)
		l.refer(o.File2)
	}
	return why
}

func judgeFault(f *trace.Fault, l *totals, a *amount) string {
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

func judgeRequest(r *trace.Request, l *totals, a *amount) string {
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
		l.undescribed++
	}
	return ""
}

func judgeWait(w *trace.Wait, l *totals, a *amount) string {
	if why := w.Impossible(); why != "" {
		return why
	}
	return l.timed(a, w.Start+w.Duration, w.Duration)
}

func judgeRPC(r *trace.RPC, l *totals, a *amount) string {
	why := r.Impossible()
	if why == "" {
		why = l.timed(a, r.End(), r.Duration)
	}
	if why == "" {
		a.bytes += uint64(r.Bytes + r.Out + r.In)
		l.refer(r.File)
	}
	return why
}

func judgeProcess(p *trace.Process, l *totals, a *amount) string {
	if why := p.Impossible(); why != "" {
		return why
	}
	used := p.CPU
	if p.Action == trace.ProcessPresent { // before the recording: nobody adds that up
		used = 0
	}
	return l.timed(a, p.Time, used)
}

func judgeFile(f *trace.File, l *totals, a *amount) string {
	if why := f.Impossible(); why != "" {
		return why
	}
	l.files.add(uint32(f.ID))
	return l.timed(a, f.Time, 0)
}

// maxLedgerDevices bounds the devices that a totals tells apart.
const maxLedgerDevices = 1 << 16

func judgeDevice(d *trace.Device, l *totals, a *amount) string {
	if why := d.Impossible(); why != "" {
		return why
	}
	if len(l.devices) < maxLedgerDevices {
		l.devices[d.ID] = true
	}
	return l.timed(a, d.Time, 0)
}

func judgeLost(e *trace.Lost, l *totals, a *amount) string {
	why := e.Impossible()
	if why == "" {
		l.span(e.To)
		if e.Kind == trace.KindFile || e.Kind == trace.KindDevice || e.Kind == 0 {
			l.identitiesLost = true
		}
		a.bytes += e.Count // of whatever they were
	}
	return why
}
