package tracer

import "fmt"

// RunUnrecorded runs a command to its end as Record would run it, with the same user, terminal and signals, and without
// a recording. It returns the exit status, 128 and the signal if the command was killed. A signal to this process,
// before or meanwhile, is an *InterruptedError.
func RunUnrecorded(c Command, s *Signals) (status int, err error) {
	interrupted := func() error {
		if sig, ok := s.interrupted(); ok {
			return &InterruptedError{sig}
		}
		return nil
	}
	w, err := Launch(c)
	if err != nil {
		return 0, err
	}
	s.forwardTo(w)
	defer s.forwardTo(nil)
	if err := interrupted(); err != nil {
		w.Abandon()
		return 0, err
	}
	if err := w.Release(); err != nil {
		if early := interrupted(); early != nil {
			err = early // the signal went to the held process
		}
		return 0, fmt.Errorf("running %s: %w", c.Args[0], err)
	}
	select {
	case <-w.Exited():
		status = w.ExitCode()
	case <-s.second: // the command is on its own
	}
	return status, interrupted()
}
