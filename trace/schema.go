package trace

// The tables of the format. docs/trace-format.md describes them; the order of
// the columns is part of the format.
//
// Derived columns are read in order too: a column may use the fields that the
// columns before it have set.

var syscallTable = table[Syscall]{
	key(func(s *Syscall) *uint32 { return &s.TID }),
	key(func(s *Syscall) *Op { return &s.Op }),
	end(func(s *Syscall) *int64 { return &s.Start }, func(s *Syscall) *int64 { return &s.Duration }),
	lasted(func(s *Syscall) *int64 { return &s.Start }, func(s *Syscall) *int64 { return &s.Duration }),
	field(fromContext, func(s *Syscall) *uint32 { return &s.PID }),
	field(fromContext, func(s *Syscall) *uint16 { return &s.Call }),
	field(fromContext, func(s *Syscall) *IOFlags { return &s.Flags }),
	field(fromContext, func(s *Syscall) *int32 { return &s.FD }),
	field(fromContext, func(s *Syscall) *int32 { return &s.FD2 }),
	field(fromContext, func(s *Syscall) *FileID { return &s.File }),
	field(fromContext, func(s *Syscall) *FileID { return &s.File2 }),
	field(fromContext, func(s *Syscall) *int64 { return &s.Offset }),
	field(fromContext, func(s *Syscall) *int64 { return &s.Offset2 }),
	field(fromContext, func(s *Syscall) *int64 { return &s.Requested }),
	less(fromContext, func(s *Syscall) *int64 { return &s.Requested }, func(s *Syscall) *int64 { return &s.Result }),
	field(fromContext, func(s *Syscall) *int64 { return &s.Filled }),
	field(fromContext, func(s *Syscall) *uint64 { return &s.Buffer }),
}

var asyncOpTable = table[AsyncOp]{
	key(func(a *AsyncOp) *uint32 { return &a.TID }),
	key(func(a *AsyncOp) *Op { return &a.Op }),
	field(fromPrevious, func(a *AsyncOp) *int64 { return &a.Complete }),
	less(fromZero, func(a *AsyncOp) *int64 { return &a.Complete }, func(a *AsyncOp) *int64 { return &a.Submit }),
	field(fromContext, func(a *AsyncOp) *uint32 { return &a.PID }),
	field(fromContext, func(a *AsyncOp) *AsyncAPI { return &a.API }),
	field(fromContext, func(a *AsyncOp) *IOFlags { return &a.Flags }),
	field(fromContext, func(a *AsyncOp) *FileID { return &a.File }),
	field(fromContext, func(a *AsyncOp) *int64 { return &a.Offset }),
	field(fromContext, func(a *AsyncOp) *int64 { return &a.Requested }),
	less(fromContext, func(a *AsyncOp) *int64 { return &a.Requested }, func(a *AsyncOp) *int64 { return &a.Result }),
	field(fromContext, func(a *AsyncOp) *uint64 { return &a.Buffer }),
}

var faultTable = table[Fault]{
	key(func(f *Fault) *uint32 { return &f.TID }),
	end(func(f *Fault) *int64 { return &f.Start }, func(f *Fault) *int64 { return &f.Duration }),
	lasted(func(f *Fault) *int64 { return &f.Start }, func(f *Fault) *int64 { return &f.Duration }),
	field(fromContext, func(f *Fault) *uint32 { return &f.PID }),
	field(fromContext, func(f *Fault) *FileID { return &f.File }),
	field(fromContext, func(f *Fault) *int64 { return &f.Offset }),
	field(fromContext, func(f *Fault) *int64 { return &f.Filled }),
}

var requestTable = table[Request]{
	key(func(r *Request) *DeviceID { return &r.Device }),
	key(func(r *Request) *ReqOp { return &r.Op }),
	field(fromPrevious, func(r *Request) *int64 { return &r.Completed }),
	less(fromZero, func(r *Request) *int64 { return &r.Completed }, func(r *Request) *int64 { return &r.Issued }),
	derived(fromZero, (*Request).notQueued, func(r *Request, not int64) { r.Queued = -not }),
	derived(fromZero, (*Request).queueTime, func(r *Request, ns int64) {
		if r.Queued == 0 {
			r.Queued = r.Issued - ns
		}
	}),
	field(fromContext, func(r *Request) *uint64 { return &r.Sector }),
	field(fromContext, func(r *Request) *int64 { return &r.Bytes }),
	field(fromContext, func(r *Request) *ReqFlags { return &r.Flags }),
	field(fromContext, func(r *Request) *uint32 { return &r.PID }),
	field(fromContext, func(r *Request) *uint32 { return &r.TID }),
	field(fromContext, func(r *Request) *uint32 { return &r.Owner }),
	field(fromContext, func(r *Request) *FileID { return &r.File }),
	field(fromContext, func(r *Request) *int64 { return &r.Offset }),
	field(fromContext, func(r *Request) *Evidence { return &r.Evidence }),
	field(fromContext, func(r *Request) *uint32 { return &r.Bios }),
	field(fromContext, func(r *Request) *uint32 { return &r.Requeues }),
	field(fromContext, func(r *Request) *int32 { return &r.Error }),
	list[Request, Extent]{
		at:    func(r *Request) *[]Extent { return &r.More },
		items: func(b *Batch) *[]Extent { return &b.extents },
		table: table[Extent]{
			field(fromPrevious, func(e *Extent) *FileID { return &e.File }),
			field(fromPrevious, func(e *Extent) *int64 { return &e.Offset }),
			field(fromZero, func(e *Extent) *int64 { return &e.Bytes }),
		},
	},
}

// notQueued is 1 if it is not known when the request was queued.
func (r *Request) notQueued() int64 {
	if r.Queued == -1 {
		return 1
	}
	return 0
}

// queueTime is the time between queueing and issue in ns, 0 if not known.
func (r *Request) queueTime() int64 {
	if r.Queued == -1 {
		return 0
	}
	return r.Issued - r.Queued
}

var waitTable = table[Wait]{
	key(func(w *Wait) *uint32 { return &w.TID }),
	end(func(w *Wait) *int64 { return &w.Start }, func(w *Wait) *int64 { return &w.Duration }),
	lasted(func(w *Wait) *int64 { return &w.Start }, func(w *Wait) *int64 { return &w.Duration }),
	field(fromContext, func(w *Wait) *uint32 { return &w.PID }),
	field(fromContext, func(w *Wait) *WaitCause { return &w.Cause }),
}

var processTable = table[Process]{
	field(fromPrevious, func(p *Process) *int64 { return &p.Time }),
	field(fromZero, func(p *Process) *ProcessAction { return &p.Action }),
	field(fromPrevious, func(p *Process) *uint32 { return &p.PID }),
	field(fromPrevious, func(p *Process) *uint32 { return &p.TID }),
	field(fromPrevious, func(p *Process) *uint32 { return &p.Parent }),
	field(fromZero, func(p *Process) *int32 { return &p.Status }),
	field(fromZero, func(p *Process) *int64 { return &p.CPU }),
	text[Process](func(p *Process) *string { return &p.Command }),
	text[Process](func(p *Process) *string { return &p.Args }),
	text[Process](func(p *Process) *string { return &p.Exe }),
	field(fromZero, func(p *Process) *uint32 { return &p.UID }),
}

var fileTable = table[File]{
	field(fromPrevious, func(f *File) *int64 { return &f.Time }),
	field(fromPrevious, func(f *File) *FileID { return &f.ID }),
	text[File](func(f *File) *string { return &f.Path }),
	field(fromZero, func(f *File) *DeviceID { return &f.Device }),
	field(fromPrevious, func(f *File) *uint64 { return &f.Inode }),
	field(fromZero, func(f *File) *int64 { return &f.Size }),
	field(fromZero, func(f *File) *FileType { return &f.Type }),
	text[File](func(f *File) *string { return &f.FSType }),
	text[File](func(f *File) *string { return &f.Mount }),
	field(fromZero, func(f *File) *FileFlags { return &f.Flags }),
}

var deviceTable = table[Device]{
	field(fromPrevious, func(d *Device) *int64 { return &d.Time }),
	field(fromZero, func(d *Device) *DeviceID { return &d.ID }),
	text[Device](func(d *Device) *string { return &d.Name }),
	text[Device](func(d *Device) *string { return &d.Model }),
	text[Device](func(d *Device) *string { return &d.Scheduler }),
	truth(func(d *Device) *bool { return &d.Rotational }),
	field(fromZero, func(d *Device) *int64 { return &d.LogicalBlock }),
	field(fromZero, func(d *Device) *int64 { return &d.PhysicalBlock }),
	field(fromZero, func(d *Device) *int64 { return &d.MaxRequest }),
	field(fromZero, func(d *Device) *int64 { return &d.ReadAhead }),
	field(fromZero, func(d *Device) *int64 { return &d.QueueDepth }),
	field(fromZero, func(d *Device) *int64 { return &d.Size }),
	list[Device, DeviceID]{
		at:    func(d *Device) *[]DeviceID { return &d.Parents },
		items: func(b *Batch) *[]DeviceID { return &b.parents },
		table: table[DeviceID]{field(fromZero, func(d *DeviceID) *DeviceID { return d })},
	},
	text[Device](func(d *Device) *string { return &d.Backing }),
	text[Device](func(d *Device) *string { return &d.WriteCache }),
}

var lostTable = table[Lost]{
	field(fromPrevious, func(l *Lost) *int64 { return &l.From }),
	derived(fromZero,
		func(l *Lost) int64 { return l.To - l.From },
		func(l *Lost, ns int64) { l.To = l.From + ns }),
	field(fromZero, func(l *Lost) *uint64 { return &l.Count }),
	field(fromZero, func(l *Lost) *Kind { return &l.Kind }),
	field(fromPrevious, func(l *Lost) *int32 { return &l.CPU }),
}
