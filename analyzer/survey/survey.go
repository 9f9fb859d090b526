// Package survey is the first reading of a trace: what has to be known before its
// events can be judged, such as which come late, how the files were called in the
// end, what was lost and when the workload began.
package survey

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Survey is what a first reading of a trace learns: who is who, how much there
// is of everything, and which events come late.
type Survey struct {
	Header    trace.Header
	End       trace.End
	Whole     bool // the trace has its end
	Damage    int
	Counts    [trace.KindLost + 1]uint64
	Late      timeline.Late
	Files     *world.Files
	Devices   *world.Devices
	Threads   map[uint32]*ThreadSurvey
	Explained uint64            // waits of which it is known what ended them, or that were for a processor alone
	Helpers   map[uint32]Helper // threads outside of the recording that woke recorded ones
	Inferred  map[trace.DeviceID]*Inferred
	parents   map[uint32]uint32 // of processes that were made
	commands  map[uint32]string // of processes, the last of each
	Density   measure.Density
	Lost      Losses
	Begins    []world.Begin // of programs
	threads   threads
	begins    begins
	writers   writers
	unheard   unheard
	sides     sides

	first, Last int64 // start of the first event and end of the last one; first is -1 without any
	exec        int64 // first exec of the command, or of one of several hosts', -1 if it was not seen
	exit        int64 // its end, likewise
	CallRead    int64 // bytes moved by calls and asynchronous operations
	CallWrite   int64
}

func New(h trace.Header) *Survey {
	s := &Survey{
		Header: h, Files: world.NewFiles(), Devices: world.NewDevices(), threads: newThreads(),
		Helpers: map[uint32]Helper{}, Inferred: map[trace.DeviceID]*Inferred{}, parents: map[uint32]uint32{},
		commands: map[uint32]string{}, Density: measure.Density{Width: 1 << 10},
		writers: writers{pids: map[uint32]bool{}},
		unheard: newUnheard(), first: -1, exec: -1, exit: -1,
	}
	s.Threads = s.threads.all
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
	bytes := e.Bytes()
	f := s.Files.File(e.File)
	if x := s.Files.File(e.File2); x != nil && e.Op.Reads() { // copied to there
		s.sides.call(e, x, s.threads.last)
	} else {
		s.sides.call(e, f, s.threads.last)
	}
	if e.Op == trace.OpWrite && bytes > 0 || e.Op == trace.OpMmap && e.Flags&mapped == mapped && e.Result >= 0 {
		s.writers.wrote(e.PID, f)
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
	if e.File2 != 0 {
		f := s.Files.File(e.File2)
		if e.Result >= 0 {
			s.writers.wrote(e.PID, f)
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
		s.writers.wrote(e.PID, f)
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
	if world.Others(e) {
		return
	}
	d.Used = true
	if e.Evidence == trace.EvidenceInferred {
		s.infer(e)
	}
	switch e.Op {
	case trace.ReqRead:
		d.ReadBytes += e.Bytes
	case trace.ReqWrite:
		d.WriteBytes += e.Bytes
	}
	world.Pieces(e, func(id trace.FileID, _, bytes int64) {
		if f := s.Files.File(id); f != nil && d.Number < 64 {
			f.SeenAt |= 1 << d.Number
			f.Weight += bytes
			f.Events++
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
	s.heard(e.PID, tid, e.Time, e.Time)
	if e.Action == trace.ProcessFork && e.TID == e.PID && len(s.parents) < MaxThreads {
		s.parents[e.PID] = e.Parent
	}
	if e.Action == trace.ProcessExec && (s.exec < 0 || e.Time < s.exec) && s.isCommand(e.PID) {
		s.exec, s.begins.command = e.Time, -1
	}
	if e.Action == trace.ProcessExit && len(s.Header.PIDs) > 0 && e.PID == s.Header.PIDs[0] {
		s.exit = e.Time
	}
}

// command keeps what a process is called. A child is called as its parent until it runs a program of its own.
func (s *Survey) command(e *trace.Process) {
	name := e.Command
	switch e.Action {
	case trace.ProcessExec, trace.ProcessPresent:
	case trace.ProcessFork:
		if e.TID != e.PID { // threads have names of their own
			return
		}
		name = cmp.Or(name, s.commands[e.Parent])
	default:
		return
	}
	if name != "" && len(s.commands) < MaxThreads {
		s.commands[e.PID] = name
	}
}

// Command is what the process of a thread is called, "" if that is not known.
func (s *Survey) Command(pid uint32) string { return s.commands[pid] }

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
	s.first = max(s.first, 0)
}

func (s *Survey) lastHeard(tid uint32) int64 {
	if t := s.Threads[tid]; t != nil {
		return t.last
	}
	return -1
}

// SeesWaits reports whether the recording tells blocked threads from running ones.
func (s *Survey) SeesWaits() bool {
	return s.Counts[trace.KindWait] > 0 || !s.Header.Limited(trace.LimitNoWaits)
}

// SeesRequests reports whether block requests were recorded, or would have been.
func (s *Survey) SeesRequests() bool {
	return s.Counts[trace.KindRequest] > 0 ||
		!s.Header.Limited(trace.LimitNoRequests) && s.Lost.Kinds[trace.KindRequest.String()] == 0
}

// SeesCalls reports whether system calls were recorded, or would have been.
func (s *Survey) SeesCalls() bool {
	return s.Counts[trace.KindSyscall] > 0 || !s.Header.Limited(trace.LimitNoCalls)
}

// SeesRequestFiles reports whether block requests were recorded, and the files they are of.
func (s *Survey) SeesRequestFiles() bool {
	return s.SeesRequests() && !s.Header.Limited(trace.LimitNoRequestFiles)
}

// SeesCache reports whether the recording tells what was read from memory.
func (s *Survey) SeesCache() bool {
	return s.SeesRequestFiles() || !s.Header.Limited(trace.LimitNoFill)
}
