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
