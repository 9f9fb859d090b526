package fsusage

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer"
)

// Probe finds out, by running fs_usage for a moment, what can be recorded here.
func Probe(model macos.Model) []tracer.Check {
	c := tracer.Check{Name: "fs_usage", Required: true, Remedy: "see the message"}
	s, err := New(model)
	if err == nil {
		err = probe(s)
	}
	if err != nil {
		c.Found = err.Error()
		return []tracer.Check{c}
	}
	c.OK, c.Found = true, Program+" traces"
	return append([]tracer.Check{c}, tracer.NotSeen(append(s.Limits(), unseen()...), remedies)...)
}

// probe starts fs_usage, waits until its output shows a call of our own, and
// ends it.
func probe(s *Source) error {
	if err := s.Attach(tracer.Scope{PIDs: []uint32{s.self}}); err != nil {
		return err
	}
	return s.Close()
}
