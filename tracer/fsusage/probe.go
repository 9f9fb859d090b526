package fsusage

import "github.com/iotrace/iotrace/tracer"

// Probe finds out, by running fs_usage for a moment, what can be recorded here.
func Probe() []tracer.Check {
	c := tracer.Check{Name: "fs_usage", Required: true, Remedy: "see the message"}
	s, err := New()
	if err == nil {
		err = probe(s)
	}
	if err != nil {
		c.Found = err.Error()
		return []tracer.Check{c}
	}
	c.OK, c.Found = true, Program+" traces"
	checks := []tracer.Check{c}
	for _, l := range append(Limits(), Unseen()...) {
		checks = append(checks, tracer.Check{Name: "not seen: " + l.Code, Found: l.Text})
	}
	return checks
}

// probe starts fs_usage, waits until its output shows a call of our own, and
// ends it.
func probe(s *Source) error {
	if err := s.Attach(tracer.Scope{PIDs: []uint32{s.self}}); err != nil {
		return err
	}
	return s.Close()
}
