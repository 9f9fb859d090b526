package tracer

import "fmt"

// Scope selects which processes are recorded. Descendants (threads, forks,
// daemons that forked twice) of a selected process always belong to it.
type Scope struct {
	// Launch is the process ID of a held workload (see Launch): it is recorded
	// from its next exec on. Zero if no command is run.
	Launch uint32
	// PIDs are running processes to attach to, with all their threads.
	PIDs []uint32
	// Names are command names (comm, at most 15 bytes): processes that have it
	// now or exec into it later.
	Names []string
	// All records every process but the recorder.
	All bool
}

// kind is the widest rule that selects processes.
func (s *Scope) kind() string {
	switch {
	case s.All:
		return "all"
	case s.Launch != 0:
		return "command"
	case len(s.Names) > 0:
		return "name"
	}
	return "pid"
}

// describe names a scope in messages.
func (s *Scope) describe() string {
	switch s.kind() {
	case "all":
		return "all processes"
	case "command":
		return "the command"
	case "name":
		return fmt.Sprintf("processes named %q", s.Names)
	}
	return fmt.Sprintf("processes %v", s.PIDs)
}
