// Package survey is the first reading of a trace: what has to be known before
// its events can be judged. That is which events come late, the final names of
// files, what was lost and when the workload began.
package survey

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Survey is what a first reading of a trace learns: who is who, how much there
// is of everything, and which events come late.
type Survey struct {
	End       trace.End
	Whole     bool // the trace has its end
	Damage    int
	Late      timeline.Late
	Files     *world.Files
	Devices   *world.Devices
	Explained uint64 // waits of which it is known what ended them, or that were for a processor alone
	Inferred  inferences
	Density   measure.Density
	Begins    []world.Begin // of programs
	begins    begins
	sides     sides
	safety    safety
	coverage
	tasks
	writers

	first, Last int64 // start of the first event and end of the last one; first is -1 without any
	exec        int64 // first exec of the command, or of one of several hosts', -1 if it was not seen
	exit        int64 // its end, likewise
	CallRead    int64 // bytes moved by calls and asynchronous operations
	CallWrite   int64
}

func New(h trace.Header) *Survey {
	s := &Survey{
		coverage: coverage{Header: h}, Files: world.NewFiles(), Devices: world.NewDevices(), Inferred: inferences{},
		Density: measure.Density{Width: 1 << 10}, tasks: newTasks(), writers: writers{pids: map[uint32]bool{}},
		first: -1, exec: -1, exit: -1,
	}
	s.begins = begins{threads: &s.threads, files: s.Files, command: -1}
	if len(h.PIDs) > 0 {
		s.begins.command = int64(h.PIDs[0])
	}
	return s
}

// Ended says how the trace ended, if it has its end, and how many parts of it
// could not be read.
func (s *Survey) Ended(end trace.End, whole bool, damage int) {
	s.End, s.Whole, s.Damage = end, whole, damage
	for _, x := range end.Touched {
		if f := s.Files.File(x.File); f != nil {
			f.StatusLater = x.Changed < 0
		}
	}
	s.finish()
}

// Batch takes the next batch of the trace.
func (s *Survey) Batch(b *trace.Batch) {
	s.Late.Add(b)
	s.Files.Batch(b)
	s.begins.batch(b)
	for i := range b.Devices {
		s.Devices.Describe(&b.Devices[i])
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
		if f := s.Files.File(e.File); f != nil {
			f.Weight += e.Filled
			f.Events++
		}
	}
	for i := range b.Requests {
		s.request(&b.Requests[i])
	}
	for i := range b.RPCs {
		e := &b.RPCs[i]
		s.seen(e.Start, e.End())
	}
	for i := range b.Waits {
		e := &b.Waits[i]
		if e.By != trace.WokenByUnknown || e.Cause == trace.WaitReady {
			s.Explained++
		}
		if e.Flags&trace.WaitHelper != 0 {
			continue
		}
		s.heard(e.PID, e.TID, e.Start, e.Start+e.Duration)
		s.threads.get(e.PID, e.TID).waited += max(e.Duration, 0)
	}
	for i := range b.Processes {
		s.process(&b.Processes[i])
	}
	for i := range b.Lost {
		s.Lost.add(&b.Lost[i])
	}
	for k, n := range map[trace.Kind]int{
		trace.KindSyscall: len(b.Syscalls), trace.KindAsyncOp: len(b.AsyncOps), trace.KindFault: len(b.Faults),
		trace.KindRequest: len(b.Requests), trace.KindWait: len(b.Waits), trace.KindProcess: len(b.Processes),
		trace.KindFile: len(b.Files), trace.KindDevice: len(b.Devices), trace.KindLost: len(b.Lost),
		trace.KindRPC: len(b.RPCs),
	} {
		s.Counts[k] += uint64(n)
	}
}

// seen notes the extent of an event.
func (s *Survey) seen(start, end int64) {
	if s.first < 0 || start < s.first {
		s.first = max(start, 0)
	}
	s.Last = max(s.Last, start, end)
	s.Density.Add(start)
}

// heard notes an event of a thread.
func (s *Survey) heard(pid, tid uint32, start, end int64) {
	s.seen(start, end)
	s.threads.get(pid, tid).heard(start, end)
}

// mapped are the flags of a mapping through which a file can be written.
const mapped = trace.FlagShared | trace.FlagWrite

func (s *Survey) syscall(e *trace.Syscall) {
	s.heard(e.PID, e.TID, e.Start, e.End())
	s.submits(s.threads.last, e.Op)
	bytes := e.Bytes()
	f := s.Files.File(e.File)
	if x := s.Files.File(e.File2); x != nil && e.Op.Reads() && !e.Op.HasPeer() { // copied to there
		s.sides.call(e, x, s.threads.last, "")
	} else {
		s.sides.call(e, f, s.threads.last, s.Files.Address(e))
	}
	if e.Op == trace.OpWrite && bytes > 0 || e.Op == trace.OpMmap && e.Flags&mapped == mapped && e.Result >= 0 {
		s.wrote(e.PID, f)
		s.safety.file(f)
	}
	if f != nil {
		f.Events++
		f.Weight += bytes
		if bytes > 0 && e.Op.Reads() && f.Data() {
			s.CallRead += bytes
		}
		if bytes > 0 && e.Op == trace.OpWrite && f.Data() {
			s.CallWrite += bytes
		}
	}
	if e.File2 != 0 && !e.Op.HasPeer() {
		f := s.Files.File(e.File2)
		if e.Result >= 0 {
			s.wrote(e.PID, f)
		}
		if bytes > 0 || e.Result >= 0 && (e.Op == trace.OpClone || e.Op == trace.OpCloneRange) {
			s.safety.file(f)
		}
		if f != nil {
			f.Events++
			f.Weight += bytes
			if bytes > 0 && f.Data() {
				s.CallWrite += bytes
			}
		}
	}
}

func (s *Survey) async(e *trace.AsyncOp) {
	s.heard(e.PID, e.TID, e.Submit, e.Complete)
	f, bytes := s.Files.File(e.File), e.Bytes()
	if e.Op == trace.OpWrite && bytes > 0 {
		s.wrote(e.PID, f)
		s.safety.file(f)
	}
	if to := s.Files.File(e.File2); to != nil && !e.Op.HasPeer() {
		to.Events++
		if e.Result >= 0 {
			s.wrote(e.PID, to)
		}
		if bytes > 0 {
			s.safety.file(to)
		}
	}
	if f == nil {
		return
	}
	f.Events++
	f.Weight += bytes
	switch {
	case bytes > 0 && e.Op.Reads() && f.Data():
		s.CallRead += bytes
	case bytes > 0 && e.Op == trace.OpWrite && f.Data():
		s.CallWrite += bytes
	}
}

func (s *Survey) request(e *trace.Request) {
	s.seen(e.Issued, e.Completed)
	d := s.Devices.Get(e.Device)
	s.safety.request(d, s.Files.File(e.File), e)
	if world.Others(e) {
		return
	}
	d.Used = true
	if e.Evidence == trace.EvidenceInferred {
		s.Inferred.add(e)
	}
	switch e.Op {
	case trace.ReqRead:
		d.ReadBytes += e.Bytes
	case trace.ReqWrite:
		d.WriteBytes += e.Own()
	}
	world.Pieces(e, func(id trace.FileID, _, bytes int64) {
		if f := s.Files.File(id); f != nil && d.Number < 64 {
			f.SeenAt |= 1 << d.Number
			f.Weight += bytes
			f.Events++
			if writes(e) {
				f.Stored = max(f.Stored, e.Issued, e.Completed)
			}
		}
	})
}

func (s *Survey) process(e *trace.Process) {
	if e.Action == trace.ProcessHelper {
		s.help(e)
		return
	}
	s.unheard.process(e)
	s.command(e)
	if e.Action == trace.ProcessPresent || e.Action == trace.ProcessRunning { // it does nothing then
		return
	}
	tid := e.TID
	if tid == 0 || e.Action == trace.ProcessExit {
		tid = e.PID
	}
	if e.Action == trace.ProcessFork {
		s.seen(e.Time, e.Time)
		s.threads.get(e.PID, tid).made(e.Time)
	} else {
		s.heard(e.PID, tid, e.Time, e.Time)
	}
	if e.Action == trace.ProcessFork && e.TID == e.PID && len(s.parents) < MaxThreads {
		s.parents[e.PID], s.copied[e.PID] = e.Parent, 0
	}
	if until, forked := s.copied[e.PID]; e.Action == trace.ProcessExec && forked && until == 0 {
		s.copied[e.PID] = e.Time
	}
	if e.Action == trace.ProcessExec && (s.exec < 0 || e.Time < s.exec) && s.isCommand(e.PID) {
		s.exec, s.begins.command = e.Time, -1
	}
	if e.Action == trace.ProcessExit && len(s.Header.PIDs) > 0 && e.PID == s.Header.PIDs[0] {
		s.exit = e.Time
	}
}

// isCommand reports whether a program that a process executes may be the command: in the trace of one host any that is
// first; in that of several it is one of those that their recordings began with, and not of a host recorded as a whole.
func (s *Survey) isCommand(pid uint32) bool {
	return s.Header.Scope != trace.ScopeMerge || slices.Contains(s.Header.PIDs, pid)
}

// finish draws the conclusions.
func (s *Survey) finish() {
	s.Devices.Rank()
	s.Begins = s.begins.sorted()
	s.unheard.attribute(&s.threads)
	accepted := s.accepted()
	for _, f := range s.Files.All {
		f.Accepted = f.Kind == trace.FileSocket && accepted[trace.Socket{Inode: f.Inode, Device: s.hostOf(f)}]
		f.Side = s.sides.of(f)
		if f.SeenAt != 0 {
			f.Top = s.Devices.Top(f.SeenAt)
			f.Backing = s.Devices.Backed(f)
		}
	}
	s.safety.finish(s.Files)
	s.first = max(s.first, 0)
}

// accepted are the sockets at which programs wait to be asked, as the recorder found them.
func (s *Survey) accepted() map[trace.Socket]bool {
	set := map[trace.Socket]bool{}
	for _, x := range s.End.Accepted {
		set[x] = true
	}
	return set
}

// hostOf is what tells a socket from those of other hosts that have its inode, in a trace of several.
func (s *Survey) hostOf(f *world.File) trace.DeviceID {
	if s.Header.Scope != trace.ScopeMerge {
		return 0
	}
	return f.Device
}

// Outsider is what a program or a thread of the kernel is called that was not recorded, "" if that is not known.
func (s *Survey) Outsider(pid uint32) (command string, kernel bool) {
	h := s.Helpers[pid]
	if h.Command != "" && !h.Kernel {
		return h.Command, false
	}
	for i := range s.End.Users {
		if u := &s.End.Users[i]; u.PID == pid {
			return u.Command, u.Kernel || h.Kernel
		}
	}
	return "", h.Kernel
}
