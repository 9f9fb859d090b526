// Package trace defines what a recorded event is. It is the vocabulary every other
// package shares: tracers make events, the analyzer judges them, and it imports
// nothing of ours.
//
// All times are monotonic nanoseconds since the start of the recording. An
// event is written when it ends, so a stream of events is ordered by end time
// (approximately: neighbouring CPUs may swap events that ended within the same
// few microseconds).
package trace

import "fmt"

// Kind names the type of an event.
type Kind uint8

// The kinds of events. Their numbers are part of the file format.
const (
	KindSyscall Kind = 1 + iota
	KindAsyncOp
	KindFault
	KindRequest
	KindWait
	KindProcess
	KindFile
	KindDevice
	KindLost
)

// FileID identifies a File event within one trace. Zero means "no file" or
// "not known".
type FileID uint32

// DeviceID is a block or file-system device number, major<<20 | minor, as the
// Linux kernel encodes it internally. Zero means "not known".
type DeviceID uint32

// Major returns the device's major number.
func (d DeviceID) Major() uint32 { return uint32(d) >> 20 }

// Minor returns the device's minor number.
func (d DeviceID) Minor() uint32 { return uint32(d) & (1<<20 - 1) }

// MakeDeviceID builds a DeviceID from a major and a minor number.
func MakeDeviceID(major, minor uint32) DeviceID {
	return DeviceID(major<<20 | minor&(1<<20-1))
}

// NoOffset marks an offset that does not apply or is not known.
const NoOffset int64 = -1

// Lost says what could not be recorded.
type Lost struct {
	From  int64 // ns, start of the slice of time
	To    int64 // ns, its end
	Count uint64
	Kind  Kind
	CPU   int32 // -1 if not known
}

var kindNames = [...]string{
	"unknown", "syscall", "asyncop", "fault", "request", "wait", "process", "file", "device", "lost",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (l *Lost) Impossible() string {
	if why := during(l.From, l.To-l.From); why != "" {
		return why
	}
	if l.Count > MaxLost {
		return fmt.Sprintf("%d events were lost", l.Count)
	}
	return ""
}
