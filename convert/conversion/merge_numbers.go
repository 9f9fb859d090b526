package conversion

import "github.com/iotrace/iotrace/trace"

// pidBits are those of the number of a process or thread: Linux gives none above 2^22 (PID_MAX_LIMIT,
// include/linux/threads.h), macOS none of a process above 99,999.
const pidBits = 22

// numbers are those that were given to what hosts have, each to one of them only.
type numbers struct {
	files   trace.FileID            // the last one
	threads uint32                  // the next one of those that do not fit below pidBits, downwards
	devices map[trace.DeviceID]bool // those that are taken
	minors  map[uint32]uint32       // of a major number: the next minor one to try
	calls   map[string]uint16
	names   []string // of calls
}

// newNumbers begins with none.
func newNumbers() *numbers {
	return &numbers{threads: 1<<32 - 1, devices: map[trace.DeviceID]bool{}, minors: map[uint32]uint32{},
		calls: map[string]uint16{}}
}

// id is the number of a file.
func (h *host) id(f trace.FileID) trace.FileID {
	if f == 0 {
		return 0
	}
	id, ok := h.files[f]
	if !ok {
		h.shared.files++
		id = h.shared.files
		h.files[f] = id
	}
	return id
}

// thread is the number of a process or thread: those of the first host keep theirs.
func (h *host) thread(n uint32) uint32 {
	if n < 1<<pidBits {
		if n == 0 {
			return 0 // not known
		}
		return h.number<<pidBits | n
	}
	number, ok := h.threads[n]
	if !ok {
		number = h.shared.threads
		h.shared.threads--
		h.threads[n] = number
	}
	return number
}

// minorsFrom is the first minor number of devices that have to take another: few are above it.
const minorsFrom = 1 << 14

// device is the number of a device, its own unless another host has that. The major number stays: it says what kind of
// a device that is.
func (h *host) device(d trace.DeviceID) trace.DeviceID {
	if d == 0 {
		return 0
	}
	id, ok := h.devices[d]
	if ok {
		return id
	}
	s := h.shared
	for id = d; s.devices[id]; {
		next := max(s.minors[d.Major()], minorsFrom)
		if next >= 1<<20 {
			return 0 // there are no more
		}
		s.minors[d.Major()] = next + 1
		id = trace.MakeDeviceID(d.Major(), next)
	}
	s.devices[id] = true
	h.devices[d] = id
	return id
}

// call is the number of a system call, which has one name on all hosts.
func (h *host) call(n uint16) uint16 {
	if int(n) < len(h.calls) {
		return h.calls[n]
	}
	return unnamed
}

// unnamed is the number of calls that have no name.
const unnamed = 1<<16 - 1

// call gives a call a number.
func (s *numbers) call(name string) uint16 {
	n, ok := s.calls[name]
	if !ok {
		if len(s.names) == unnamed {
			return unnamed
		}
		n = uint16(len(s.names))
		s.calls[name] = n
		s.names = append(s.names, name)
	}
	return n
}
