// Package eventlog keeps recorded events in memory: for the self-test of a
// backend and for tests.
package eventlog

import "github.com/iotrace/iotrace/trace"

// Log is a tracer.Sink that keeps every event.
type Log struct {
	Syscalls  []trace.Syscall
	AsyncOps  []trace.AsyncOp
	Faults    []trace.Fault
	Requests  []trace.Request
	Waits     []trace.Wait
	Processes []trace.Process
	Files     []trace.File
	Devices   []trace.Device
	Losses    []trace.Lost
}

// The methods of tracer.Sink.
func (l *Log) Syscall(e *trace.Syscall) error { l.Syscalls = append(l.Syscalls, *e); return nil }
func (l *Log) AsyncOp(e *trace.AsyncOp) error { l.AsyncOps = append(l.AsyncOps, *e); return nil }
func (l *Log) Fault(e *trace.Fault) error     { l.Faults = append(l.Faults, *e); return nil }
func (l *Log) Request(e *trace.Request) error { l.Requests = append(l.Requests, *e); return nil }
func (l *Log) Wait(e *trace.Wait) error       { l.Waits = append(l.Waits, *e); return nil }
func (l *Log) Process(e *trace.Process) error { l.Processes = append(l.Processes, *e); return nil }
func (l *Log) File(e *trace.File) error       { l.Files = append(l.Files, *e); return nil }
func (l *Log) Device(e *trace.Device) error   { l.Devices = append(l.Devices, *e); return nil }
func (l *Log) Lost(e *trace.Lost) error       { l.Losses = append(l.Losses, *e); return nil }

// Path is the path of a file, "" if there is none of that ID.
func (l *Log) Path(id trace.FileID) string {
	for i := range l.Files {
		if l.Files[i].ID == id {
			return l.Files[i].Path
		}
	}
	return ""
}
