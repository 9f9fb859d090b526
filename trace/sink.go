package trace

// Sink takes events as they are recorded or imported. *tracefile.Writer is one. The callee does not keep the pointer.
type Sink interface {
	Syscall(*Syscall) error
	AsyncOp(*AsyncOp) error
	Fault(*Fault) error
	Request(*Request) error
	Wait(*Wait) error
	Process(*Process) error
	File(*File) error
	Device(*Device) error
	Lost(*Lost) error
	RPC(*RPC) error
}

// Log is a Sink that keeps every event: for the self-test of a backend and for tests.
type Log struct {
	Syscalls  []Syscall
	AsyncOps  []AsyncOp
	Faults    []Fault
	Requests  []Request
	Waits     []Wait
	Processes []Process
	Files     []File
	Devices   []Device
	Losses    []Lost
	RPCs      []RPC
}

// The methods of Sink.
func (l *Log) Syscall(e *Syscall) error { l.Syscalls = append(l.Syscalls, *e); return nil }
func (l *Log) AsyncOp(e *AsyncOp) error { l.AsyncOps = append(l.AsyncOps, *e); return nil }
func (l *Log) Fault(e *Fault) error     { l.Faults = append(l.Faults, *e); return nil }
func (l *Log) Request(e *Request) error { l.Requests = append(l.Requests, *e); return nil }
func (l *Log) Wait(e *Wait) error       { l.Waits = append(l.Waits, *e); return nil }
func (l *Log) Process(e *Process) error { l.Processes = append(l.Processes, *e); return nil }
func (l *Log) File(e *File) error       { l.Files = append(l.Files, *e); return nil }
func (l *Log) Device(e *Device) error   { l.Devices = append(l.Devices, *e); return nil }
func (l *Log) Lost(e *Lost) error       { l.Losses = append(l.Losses, *e); return nil }
func (l *Log) RPC(e *RPC) error         { l.RPCs = append(l.RPCs, *e); return nil }

// Path is the path of a file, "" if there is none of that ID.
func (l *Log) Path(id FileID) string {
	for i := range l.Files {
		if l.Files[i].ID == id {
			return l.Files[i].Path
		}
	}
	return ""
}
