package tracefile

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/internal/column"
)

// The tables of the format. docs/trace-format.md describes them; the order of
// the columns is part of the format.
//
// Derived columns are read in order too: a column may use the fields that the
// columns before it have set.

var syscallTable = column.Table[trace.Syscall]{
	column.Key(func(s *trace.Syscall) *uint32 { return &s.TID }),
	column.Key(func(s *trace.Syscall) *trace.Op { return &s.Op }),
	column.End(func(s *trace.Syscall) *int64 { return &s.Start }, func(s *trace.Syscall) *int64 { return &s.Duration }),
	column.Lasted(func(s *trace.Syscall) *int64 { return &s.Start }, func(s *trace.Syscall) *int64 { return &s.Duration }),
	column.Field(column.FromContext, func(s *trace.Syscall) *uint32 { return &s.PID }),
	column.Field(column.FromContext, func(s *trace.Syscall) *uint16 { return &s.Call }),
	column.Field(column.FromContext, func(s *trace.Syscall) *trace.IOFlags { return &s.Flags }),
	column.Field(column.FromContext, func(s *trace.Syscall) *int32 { return &s.FD }),
	column.Field(column.FromContext, func(s *trace.Syscall) *int32 { return &s.FD2 }),
	column.Field(column.FromContext, func(s *trace.Syscall) *trace.FileID { return &s.File }),
	column.Field(column.FromContext, func(s *trace.Syscall) *trace.FileID { return &s.File2 }),
	column.Field(column.FromContext, func(s *trace.Syscall) *int64 { return &s.Offset }),
	column.Field(column.FromContext, func(s *trace.Syscall) *int64 { return &s.Offset2 }),
	column.Field(column.FromContext, func(s *trace.Syscall) *int64 { return &s.Requested }),
	column.Less(column.FromContext,
		func(s *trace.Syscall) *int64 { return &s.Requested },
		func(s *trace.Syscall) *int64 { return &s.Result }),
	column.Field(column.FromContext, func(s *trace.Syscall) *int64 { return &s.Filled }),
	column.Field(column.FromContext, func(s *trace.Syscall) *uint64 { return &s.Buffer }),
}

var asyncOpTable = column.Table[trace.AsyncOp]{
	column.Key(func(a *trace.AsyncOp) *uint32 { return &a.TID }),
	column.Key(func(a *trace.AsyncOp) *trace.Op { return &a.Op }),
	column.Field(column.FromPrevious, func(a *trace.AsyncOp) *int64 { return &a.Complete }),
	column.Less(column.FromZero,
		func(a *trace.AsyncOp) *int64 { return &a.Complete },
		func(a *trace.AsyncOp) *int64 { return &a.Submit }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *uint32 { return &a.PID }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *trace.AsyncAPI { return &a.API }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *trace.IOFlags { return &a.Flags }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *trace.FileID { return &a.File }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *int64 { return &a.Offset }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *int64 { return &a.Requested }),
	column.Less(column.FromContext,
		func(a *trace.AsyncOp) *int64 { return &a.Requested },
		func(a *trace.AsyncOp) *int64 { return &a.Result }),
	column.Field(column.FromContext, func(a *trace.AsyncOp) *uint64 { return &a.Buffer }),
}

var faultTable = column.Table[trace.Fault]{
	column.Key(func(f *trace.Fault) *uint32 { return &f.TID }),
	column.End(func(f *trace.Fault) *int64 { return &f.Start }, func(f *trace.Fault) *int64 { return &f.Duration }),
	column.Lasted(func(f *trace.Fault) *int64 { return &f.Start }, func(f *trace.Fault) *int64 { return &f.Duration }),
	column.Field(column.FromContext, func(f *trace.Fault) *uint32 { return &f.PID }),
	column.Field(column.FromContext, func(f *trace.Fault) *trace.FileID { return &f.File }),
	column.Field(column.FromContext, func(f *trace.Fault) *int64 { return &f.Offset }),
	column.Field(column.FromContext, func(f *trace.Fault) *int64 { return &f.Filled }),
}

var requestTable = column.Table[trace.Request]{
	column.Key(func(r *trace.Request) *trace.DeviceID { return &r.Device }),
	column.Key(func(r *trace.Request) *trace.ReqOp { return &r.Op }),
	column.Field(column.FromPrevious, func(r *trace.Request) *int64 { return &r.Completed }),
	column.Less(column.FromZero,
		func(r *trace.Request) *int64 { return &r.Completed },
		func(r *trace.Request) *int64 { return &r.Issued }),
	column.Derived(column.FromZero, notQueued, func(r *trace.Request, not int64) { r.Queued = -not }),
	column.Derived(column.FromZero, queueTime, func(r *trace.Request, ns int64) {
		if r.Queued == 0 {
			r.Queued = r.Issued - ns
		}
	}),
	column.Field(column.FromContext, func(r *trace.Request) *uint64 { return &r.Sector }),
	column.Field(column.FromContext, func(r *trace.Request) *int64 { return &r.Bytes }),
	column.Field(column.FromContext, func(r *trace.Request) *trace.ReqFlags { return &r.Flags }),
	column.Field(column.FromContext, func(r *trace.Request) *uint32 { return &r.PID }),
	column.Field(column.FromContext, func(r *trace.Request) *uint32 { return &r.TID }),
	column.Field(column.FromContext, func(r *trace.Request) *uint32 { return &r.Owner }),
	column.Field(column.FromContext, func(r *trace.Request) *trace.FileID { return &r.File }),
	column.Field(column.FromContext, func(r *trace.Request) *int64 { return &r.Offset }),
	column.Field(column.FromContext, func(r *trace.Request) *trace.Evidence { return &r.Evidence }),
	column.Field(column.FromContext, func(r *trace.Request) *uint32 { return &r.Bios }),
	column.Field(column.FromContext, func(r *trace.Request) *uint32 { return &r.Requeues }),
	column.Field(column.FromContext, func(r *trace.Request) *int32 { return &r.Error }),
	column.List[trace.Request, trace.Extent]{
		At:    func(r *trace.Request) *[]trace.Extent { return &r.More },
		Items: func(b *trace.Batch) *[]trace.Extent { return &b.Extents },
		Table: column.Table[trace.Extent]{
			column.Field(column.FromPrevious, func(e *trace.Extent) *trace.FileID { return &e.File }),
			column.Field(column.FromPrevious, func(e *trace.Extent) *int64 { return &e.Offset }),
			column.Field(column.FromZero, func(e *trace.Extent) *int64 { return &e.Bytes }),
		},
	},
}

// notQueued is 1 if it is not known when the request was queued.
func notQueued(r *trace.Request) int64 {
	if r.Queued == -1 {
		return 1
	}
	return 0
}

// queueTime is the time between queueing and issue in ns, 0 if not known.
func queueTime(r *trace.Request) int64 {
	if r.Queued == -1 {
		return 0
	}
	return r.Issued - r.Queued
}

var waitTable = column.Table[trace.Wait]{
	column.Key(func(w *trace.Wait) *uint32 { return &w.TID }),
	column.End(func(w *trace.Wait) *int64 { return &w.Start }, func(w *trace.Wait) *int64 { return &w.Duration }),
	column.Lasted(func(w *trace.Wait) *int64 { return &w.Start }, func(w *trace.Wait) *int64 { return &w.Duration }),
	column.Field(column.FromContext, func(w *trace.Wait) *uint32 { return &w.PID }),
	column.Field(column.FromContext, func(w *trace.Wait) *trace.WaitCause { return &w.Cause }),
	column.Field(column.FromContext, func(w *trace.Wait) *int64 { return &w.Ready }),
	column.Field(column.FromContext, func(w *trace.Wait) *trace.WakeSource { return &w.By }),
	column.Field(column.FromContext, func(w *trace.Wait) *uint32 { return &w.Waker }),
	column.Derived(column.FromZero, sinceCompleted, func(w *trace.Wait, ns int64) {
		if w.Completed = ns; w.By == trace.WokenByRequest {
			w.Completed = w.Woken() - ns
		}
	}),
	column.Field(column.FromContext, func(w *trace.Wait) *trace.WaitFlags { return &w.Flags }),
}

// sinceCompleted is how long before the thread was woken the request was completed that woke it; if none did, there is
// no such time, and Completed is kept as it is.
func sinceCompleted(w *trace.Wait) int64 {
	if w.By != trace.WokenByRequest {
		return w.Completed
	}
	return w.Woken() - w.Completed
}

var processTable = column.Table[trace.Process]{
	column.Field(column.FromPrevious, func(p *trace.Process) *int64 { return &p.Time }),
	column.Field(column.FromZero, func(p *trace.Process) *trace.ProcessAction { return &p.Action }),
	column.Field(column.FromPrevious, func(p *trace.Process) *uint32 { return &p.PID }),
	column.Field(column.FromPrevious, func(p *trace.Process) *uint32 { return &p.TID }),
	column.Field(column.FromPrevious, func(p *trace.Process) *uint32 { return &p.Parent }),
	column.Field(column.FromZero, func(p *trace.Process) *int32 { return &p.Status }),
	column.Field(column.FromZero, func(p *trace.Process) *int64 { return &p.CPU }),
	column.Text[trace.Process](func(p *trace.Process) *string { return &p.Command }),
	column.Text[trace.Process](func(p *trace.Process) *string { return &p.Args }),
	column.Text[trace.Process](func(p *trace.Process) *string { return &p.Exe }),
	column.Field(column.FromZero, func(p *trace.Process) *uint32 { return &p.UID }),
}

var fileTable = column.Table[trace.File]{
	column.Field(column.FromPrevious, func(f *trace.File) *int64 { return &f.Time }),
	column.Field(column.FromPrevious, func(f *trace.File) *trace.FileID { return &f.ID }),
	column.Text[trace.File](func(f *trace.File) *string { return &f.Path }),
	column.Field(column.FromZero, func(f *trace.File) *trace.DeviceID { return &f.Device }),
	column.Field(column.FromPrevious, func(f *trace.File) *uint64 { return &f.Inode }),
	column.Field(column.FromZero, func(f *trace.File) *int64 { return &f.Size }),
	column.Field(column.FromZero, func(f *trace.File) *trace.FileType { return &f.Type }),
	column.Text[trace.File](func(f *trace.File) *string { return &f.FSType }),
	column.Text[trace.File](func(f *trace.File) *string { return &f.Mount }),
	column.Field(column.FromZero, func(f *trace.File) *trace.FileFlags { return &f.Flags }),
}

var deviceTable = column.Table[trace.Device]{
	column.Field(column.FromPrevious, func(d *trace.Device) *int64 { return &d.Time }),
	column.Field(column.FromZero, func(d *trace.Device) *trace.DeviceID { return &d.ID }),
	column.Text[trace.Device](func(d *trace.Device) *string { return &d.Name }),
	column.Text[trace.Device](func(d *trace.Device) *string { return &d.Model }),
	column.Text[trace.Device](func(d *trace.Device) *string { return &d.Scheduler }),
	column.Truth(func(d *trace.Device) *bool { return &d.Rotational }),
	column.Field(column.FromZero, func(d *trace.Device) *int64 { return &d.LogicalBlock }),
	column.Field(column.FromZero, func(d *trace.Device) *int64 { return &d.PhysicalBlock }),
	column.Field(column.FromZero, func(d *trace.Device) *int64 { return &d.MaxRequest }),
	column.Field(column.FromZero, func(d *trace.Device) *int64 { return &d.ReadAhead }),
	column.Field(column.FromZero, func(d *trace.Device) *int64 { return &d.QueueDepth }),
	column.Field(column.FromZero, func(d *trace.Device) *int64 { return &d.Size }),
	column.List[trace.Device, trace.DeviceID]{
		At:    func(d *trace.Device) *[]trace.DeviceID { return &d.Parents },
		Items: func(b *trace.Batch) *[]trace.DeviceID { return &b.Parents },
		Table: column.Table[trace.DeviceID]{
			column.Field(column.FromZero, func(d *trace.DeviceID) *trace.DeviceID { return d }),
		},
	},
	column.Text[trace.Device](func(d *trace.Device) *string { return &d.Backing }),
	column.Text[trace.Device](func(d *trace.Device) *string { return &d.WriteCache }),
	column.Text[trace.Device](func(d *trace.Device) *string { return &d.Firmware }),
}

var lostTable = column.Table[trace.Lost]{
	column.Field(column.FromPrevious, func(l *trace.Lost) *int64 { return &l.From }),
	column.Derived(column.FromZero,
		func(l *trace.Lost) int64 { return l.To - l.From },
		func(l *trace.Lost, ns int64) { l.To = l.From + ns }),
	column.Field(column.FromZero, func(l *trace.Lost) *uint64 { return &l.Count }),
	column.Field(column.FromZero, func(l *trace.Lost) *trace.Kind { return &l.Kind }),
	column.Field(column.FromPrevious, func(l *trace.Lost) *int32 { return &l.CPU }),
}
