package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// survey is what a first reading of a trace learns: who is who, how much there
// is of everything, and which events come late.
type survey struct {
	header  trace.Header
	end     trace.End
	whole   bool // the trace has its end
	damage  int
	counts  [trace.KindLost + 1]uint64
	late    timeline.Late
	files   *identities
	devices *devices
	threads map[uint32]*threadSurvey
	thread  *threadSurvey // the last one that was looked up
	density measure.Density
	lost    losses
	begins  []begin // of programs

	first, last int64 // start of the first event and end of the last one; first is -1 without any
	exec        int64 // first exec of the command, -1 if it was not seen
	exit        int64 // its end, likewise
	callRead    int64 // bytes moved by calls and asynchronous operations
	callWrite   int64
}

// maxThreads bounds the threads that are told apart.
const maxThreads = 1 << 19

// threadSurvey is what is known about a thread beforehand.
type threadSurvey struct {
	tid, pid uint32
	last     int64 // end of its last event
	events   int64
	until    int64     // end of its last call
	outside  []outside // reads since then
}

func newSurvey(h trace.Header) *survey {
	return &survey{
		header: h,
		files:  newIdentities(), devices: newDevices(), threads: map[uint32]*threadSurvey{}, first: -1, exec: -1, exit: -1,
		thread: &threadSurvey{}, density: measure.Density{Width: 1 << 10},
	}
}

// ended says how the trace ended, if it has its end, and how many parts of it
// could not be read.
func (s *survey) ended(end trace.End, whole bool, damage int) {
	s.end, s.whole, s.damage = end, whole, damage
	s.finish()
}

// batch takes the next batch of the trace.
func (s *survey) batch(b *trace.Batch) {
	s.late.Add(b)
	s.files.batch(b)
	s.starts(b)
	for i := range b.Devices {
		s.devices.describe(&b.Devices[i])
	}
	for i := range b.Syscalls {
		s.syscall(&b.Syscalls[i])
	}
	for i := range b.AsyncOps {
		s.async(&b.AsyncOps[i])
	}
	for i := range b.Faults {
		e := &b.Faults[i]
		s.heard(e.PID, e.TID, e.Start, e.Start+e.Duration)
		if f := s.files.file(e.File); f != nil {
			f.weight += e.Filled
			f.events++
		}
	}
	for i := range b.Requests {
		s.request(&b.Requests[i])
	}
	for i := range b.Waits {
		e := &b.Waits[i]
		s.heard(e.PID, e.TID, e.Start, e.Start+e.Duration)
	}
	for i := range b.Processes {
		s.process(&b.Processes[i])
	}
	for i := range b.Lost {
		s.lost.add(&b.Lost[i])
	}
	for k, n := range map[trace.Kind]int{
		trace.KindSyscall: len(b.Syscalls), trace.KindAsyncOp: len(b.AsyncOps), trace.KindFault: len(b.Faults),
		trace.KindRequest: len(b.Requests), trace.KindWait: len(b.Waits), trace.KindProcess: len(b.Processes),
		trace.KindFile: len(b.Files), trace.KindDevice: len(b.Devices), trace.KindLost: len(b.Lost),
	} {
		s.counts[k] += uint64(n)
	}
}

// seen notes the extent of an event.
func (s *survey) seen(start, end int64) {
	if s.first < 0 || start < s.first {
		s.first = max(start, 0)
	}
	s.last = max(s.last, start, end)
	s.density.Add(start)
}

// heard notes an event of a thread.
func (s *survey) heard(pid, tid uint32, start, end int64) {
	s.seen(start, end)
	t := s.threadOf(pid, tid)
	t.last = max(t.last, end)
	t.events++
}

// threadOf is what is known about a thread.
func (s *survey) threadOf(pid, tid uint32) *threadSurvey {
	t := s.thread
	if t.tid != tid {
		if t = s.threads[tid]; t == nil {
			t = &threadSurvey{tid: tid, pid: pid}
			if len(s.threads) < maxThreads {
				s.threads[tid] = t
			}
		}
		s.thread = t
	}
	return t
}

func (s *survey) syscall(e *trace.Syscall) {
	s.heard(e.PID, e.TID, e.Start, e.End())
	bytes := e.Bytes()
	if f := s.files.file(e.File); f != nil {
		f.events++
		f.weight += bytes
		if bytes > 0 && e.Op.Reads() && f.data() {
			s.callRead += bytes
		}
		if bytes > 0 && e.Op == trace.OpWrite && f.data() {
			s.callWrite += bytes
		}
	}
	if e.File2 != 0 {
		if f := s.files.file(e.File2); f != nil {
			f.events++
			f.weight += bytes
			if bytes > 0 && f.data() {
				s.callWrite += bytes
			}
		}
	}
}

func (s *survey) async(e *trace.AsyncOp) {
	s.heard(e.PID, e.TID, e.Submit, e.Complete)
	f := s.files.file(e.File)
	if f == nil {
		return
	}
	bytes := e.Bytes()
	f.events++
	f.weight += bytes
	switch {
	case bytes > 0 && e.Op.Reads() && f.data():
		s.callRead += bytes
	case bytes > 0 && e.Op == trace.OpWrite && f.data():
		s.callWrite += bytes
	}
}

func (s *survey) request(e *trace.Request) {
	s.seen(e.Issued, e.Completed)
	d := s.devices.get(e.Device)
	if others(e) {
		return
	}
	d.used = true
	switch e.Op {
	case trace.ReqRead:
		d.readBytes += e.Bytes
	case trace.ReqWrite:
		d.writeBytes += e.Bytes
	}
	pieces(e, func(id trace.FileID, _, bytes int64) {
		if f := s.files.file(id); f != nil && d.number < 64 {
			f.seenAt |= 1 << d.number
			f.weight += bytes
			f.events++
		}
	})
}

func (s *survey) process(e *trace.Process) {
	if e.Action == trace.ProcessPresent {
		return
	}
	tid := e.TID
	if tid == 0 || e.Action == trace.ProcessExit {
		tid = e.PID
	}
	s.heard(e.PID, tid, e.Time, e.Time)
	if e.Action == trace.ProcessExec && (s.exec < 0 || e.Time < s.exec) {
		s.exec = e.Time
	}
	if e.Action == trace.ProcessExit && len(s.header.PIDs) > 0 && e.PID == s.header.PIDs[0] {
		s.exit = e.Time
	}
}

// finish draws the conclusions.
func (s *survey) finish() {
	s.devices.rank()
	s.sortBegins()
	for _, f := range s.files.all {
		if f.seenAt != 0 {
			f.top = s.devices.top(f.seenAt)
		}
	}
	s.first = max(s.first, 0)
}
