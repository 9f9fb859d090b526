// Package trace defines what a recorded event is. It is the vocabulary every other
// package shares: tracers make events, the analyzer judges them, and it imports
// nothing of ours.
//
// All times are monotonic nanoseconds since the start of the recording. An
// event is written when it ends, so a stream of events is ordered by end time
// (approximately: neighbouring CPUs may swap events that ended within the same
// few microseconds).
package trace

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
	KindRPC

	NumKinds // one more than the last
)

// FileID identifies a File event within one trace. Zero means "no file" or
// "not known".
type FileID uint32

// NoOffset marks an offset that does not apply or is not known.
const NoOffset int64 = -1

var kindNames = [...]string{
	"unknown", "syscall", "asyncop", "fault", "request", "wait", "process", "file", "device", "lost", "rpc",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}
