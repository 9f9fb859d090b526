package conversion

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// sink writes events to a trace, and notes how many there were and when the last one ended: the time that the trace
// covers, as nobody else knows it.
type sink struct {
	*tracefile.Writer
	result Result
	last   int64 // ns
}

// Syscall implements trace.Sink.
func (s *sink) Syscall(e *trace.Syscall) error {
	s.result.Calls++
	s.last = max(s.last, e.End())
	return s.Writer.Syscall(e)
}

// Request implements trace.Sink.
func (s *sink) Request(e *trace.Request) error {
	s.result.Requests++
	s.last = max(s.last, e.Completed)
	return s.Writer.Request(e)
}

// AsyncOp implements trace.Sink.
func (s *sink) AsyncOp(e *trace.AsyncOp) error {
	s.result.Operations++
	s.last = max(s.last, e.Complete)
	return s.Writer.AsyncOp(e)
}

// Fault implements trace.Sink.
func (s *sink) Fault(e *trace.Fault) error {
	s.last = max(s.last, e.Start+e.Duration)
	return s.Writer.Fault(e)
}

// Wait implements trace.Sink.
func (s *sink) Wait(e *trace.Wait) error {
	s.last = max(s.last, e.Start+e.Duration)
	return s.Writer.Wait(e)
}

// RPC implements trace.Sink.
func (s *sink) RPC(e *trace.RPC) error {
	s.last = max(s.last, e.End())
	return s.Writer.RPC(e)
}

// Process implements trace.Sink.
func (s *sink) Process(e *trace.Process) error {
	s.last = max(s.last, e.Time)
	return s.Writer.Process(e)
}
