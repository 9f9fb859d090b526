package survey

import "github.com/iotrace/iotrace/trace"

// maxHelpers bounds the helpers that are named.
const maxHelpers = 1 << 14

// Helper is a thread outside of the recording that woke a recorded one, or serves its files: of a file system, of a
// driver, of another program. Only its waits are recorded, from then on.
type Helper struct {
	PID     uint32
	Command string
	Kernel  bool
}

func (s *Survey) help(e *trace.Process) {
	if len(s.Helpers) < maxHelpers {
		s.Helpers[e.TID] = Helper{PID: e.PID, Command: e.Command, Kernel: e.OfKernel()}
	}
}

// Parent is the process that made a process, 0 if that was not recorded.
func (s *Survey) Parent(pid uint32) uint32 { return s.parents[pid] }

// Known says of the number of a thread whether that was recorded, and whether it was followed as a helper.
func (s *Survey) Known(id uint32) (recorded, helper bool) {
	_, helper = s.Helpers[id]
	t := s.Threads[id] // also of those that only queued a request
	return t != nil && t.Events > 0 && !helper, helper
}

// Kernel reports whether a helper is a thread of the kernel, or one that the kernel runs within a recorded process: a
// worker of io_uring.
func (s *Survey) Kernel(id uint32) bool {
	h := s.Helpers[id]
	if h.Kernel || h.PID == 0 {
		return h.Kernel
	}
	within, _ := s.Known(h.PID)
	return within
}

// First is when a recorded thread was heard first: before that it waited, as nothing else makes no event, unless its
// process had used a processor meanwhile. 0 if that is not known.
func (s *Survey) First(tid uint32) int64 {
	if t := s.Threads[tid]; t != nil && t.Events > 0 && !s.ComputingFirst(t.PID) {
		return t.first
	}
	return 0
}

// Outsider is what a program is called that was not recorded: "" if that is not known, and for threads of the kernel,
// which work for others.
func (s *Survey) Outsider(pid uint32) string {
	if h := s.Helpers[pid]; h.Command != "" && !h.Kernel {
		return h.Command
	}
	for i := range s.End.Users {
		if u := &s.End.Users[i]; u.PID == pid {
			return u.Command
		}
	}
	return ""
}

// Until is until when a thread was heard, or computed as far as is known.
func (s *Survey) Until(tid uint32) int64 { return s.lastHeard(tid) }
