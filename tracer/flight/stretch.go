package flight

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Stretch is a part of what a ring holds. It stays as it is while the ring goes on, and may be read meanwhile.
type Stretch struct {
	from, to int64
	blocks   []block
	unpacker *tracefile.Unpacker
	batch    trace.Batch
	sink     trace.Sink
	files    map[trace.FileID]trace.File // that were described
}

// Between is what ended from one time to another, as far as all of it is held.
func (r *Ring) Between(from, to int64) *Stretch {
	r.Seal()
	from = max(from, r.whole)
	to = max(from, to)
	s := &Stretch{from: from, to: to, files: map[trace.FileID]trace.File{}}
	for _, b := range r.blocks {
		if b.to >= from {
			s.blocks = append(s.blocks, b)
		}
	}
	return s
}

// From is where the stretch begins.
func (s *Stretch) From() int64 { return s.from }

// Write gives everything that happened in the stretch to a sink, as a recording would have it that began with it: times
// are from its start, what had begun before is left out, and what was there before is described first.
func (s *Stretch) Write(sink trace.Sink) (err error) {
	if s.unpacker, err = tracefile.NewUnpacker(); err != nil {
		return err
	}
	s.sink = sink
	if err := s.describe(); err != nil {
		return err
	}
	for i := range s.blocks {
		if err := s.unpacker.Each(s.blocks[i].events, &s.batch, s.events); err != nil {
			return err
		}
	}
	return nil
}

// describe tells of what the stretch refers to and began before it.
func (s *Stretch) describe() error {
	then := newIdentities() // what was known as the stretch began
	devices := map[trace.DeviceID]bool{}
	known := func(b *trace.Batch) error {
		for i := range b.Processes {
			if p := &b.Processes[i]; p.Time < s.from {
				if _, ok := then.processes.get(p.PID); !ok {
					then.processes.put(p.PID, *p)
				}
			}
		}
		return s.identities(b, devices)
	}
	before := func(b *trace.Batch) error {
		for i := range b.Processes {
			if b.Processes[i].Time < s.from {
				then.learn(&b.Processes[i])
			}
		}
		return nil
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		err := s.unpacker.Each(b.known, &s.batch, known)
		if err == nil && b.from < s.from {
			err = s.unpacker.Each(b.events, &s.batch, before)
		}
		if err != nil {
			return err
		}
	}
	for _, p := range then.list() {
		p.Time = 0
		if err := s.sink.Process(&p); err != nil {
			return err
		}
	}
	return nil
}

// identities tells of the devices and files of a batch that were not told of.
func (s *Stretch) identities(b *trace.Batch, devices map[trace.DeviceID]bool) error {
	for i := range b.Devices {
		if d := &b.Devices[i]; !devices[d.ID] {
			devices[d.ID], d.Time = true, 0
			if err := s.sink.Device(d); err != nil {
				return err
			}
		}
	}
	for i := range b.Files {
		f := &b.Files[i]
		if _, told := s.files[f.ID]; told {
			continue
		}
		f.Time = 0
		s.files[f.ID] = *f
		if err := s.sink.File(f); err != nil {
			return err
		}
	}
	return nil
}

// events passes on those of a batch that belong to the stretch, by their ends. Before them come the files and devices,
// whenever they were announced.
func (s *Stretch) events(b *trace.Batch) error {
	for i := range b.Devices {
		x := &b.Devices[i]
		x.Time = min(max(x.Time-s.from, 0), s.to-s.from)
		if err := s.sink.Device(x); err != nil {
			return err
		}
	}
	for i := range b.Files {
		if err := s.file(&b.Files[i]); err != nil {
			return err
		}
	}
	for e := range b.InOrder() {
		if e.Time < s.from || e.Time > s.to {
			continue
		}
		if err := s.event(b, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stretch) event(b *trace.Batch, e trace.Event) error {
	switch i := e.Index; e.Kind {
	case trace.KindSyscall:
		x := &b.Syscalls[i]
		s.described(&x.File, &x.File2)
		if x.Start -= s.from; x.Start >= 0 {
			return s.sink.Syscall(x)
		}
	case trace.KindAsyncOp:
		x := &b.AsyncOps[i]
		s.described(&x.File, &x.File2)
		x.Complete -= s.from
		if x.Submit -= s.from; x.Submit >= 0 {
			return s.sink.AsyncOp(x)
		}
	case trace.KindFault:
		x := &b.Faults[i]
		s.described(&x.File)
		if x.Start -= s.from; x.Start >= 0 {
			return s.sink.Fault(x)
		}
	case trace.KindRequest:
		return s.request(&b.Requests[i])
	case trace.KindRPC:
		x := &b.RPCs[i]
		s.described(&x.File)
		if x.Start -= s.from; x.Start >= 0 {
			return s.sink.RPC(x)
		}
	case trace.KindWait:
		return s.wait(&b.Waits[i])
	case trace.KindProcess:
		x := &b.Processes[i]
		x.Time -= s.from
		return s.sink.Process(x)
	case trace.KindLost:
		x := &b.Lost[i]
		x.To -= s.from
		x.From = max(x.From-s.from, 0)
		return s.sink.Lost(x)
	}
	return nil
}

// described leaves out a file of which nothing is known any more: too many others were used since.
func (s *Stretch) described(files ...*trace.FileID) {
	for _, id := range files {
		if _, ok := s.files[*id]; !ok {
			*id = 0
		}
	}
}

func (s *Stretch) request(x *trace.Request) error {
	s.described(&x.File)
	for i := range x.More {
		s.described(&x.More[i].File)
	}
	x.Completed -= s.from
	if x.Issued -= s.from; x.Issued < 0 {
		return nil
	}
	if x.Queued != -1 {
		if x.Queued -= s.from; x.Queued < 0 {
			return nil
		}
	}
	return s.sink.Request(x)
}

// wait leaves out which request woke a thread if that was completed before the stretch.
func (s *Stretch) wait(x *trace.Wait) error {
	if x.Start -= s.from; x.Start < 0 {
		return nil
	}
	if x.By.Completion() {
		if x.Completed -= s.from; x.Completed < 0 {
			x.By, x.Completed, x.Waker, x.Ready = trace.WokenByUnknown, 0, 0, 0
		}
	}
	return s.sink.Wait(x)
}

// file tells of a file, unless the same was told of it before.
func (s *Stretch) file(x *trace.File) error {
	x.Time = min(max(x.Time-s.from, 0), s.to-s.from)
	before, told := s.files[x.ID]
	if before.Time = x.Time; told && before == *x {
		return nil
	}
	s.files[x.ID] = *x
	return s.sink.File(x)
}
