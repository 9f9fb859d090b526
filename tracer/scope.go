package tracer

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/tracer/machine"
)

// Scope selects which processes are recorded: those that any of its rules selects.
//
// Who is selected by number or name is recorded for good, and so are its descendants (threads, forks, daemons that
// forked twice). A control group and a user are memberships. A process is recorded for as long as it has one, and its
// children if they have it as well. Otherwise the users and containers that some server of the system starts, which all
// descend from it, would be part of its recording.
type Scope struct {
	// Launch is the process ID of a held workload (see Launch): it is recorded
	// from its next exec on. Zero if no command is run.
	Launch uint32
	// PIDs are running processes to attach to, with all their threads.
	PIDs []uint32
	// Names are command names (comm, at most 15 bytes): processes that have it
	// now or exec into it later.
	Names []string
	// Groups are control groups: who is in one of them, or in one below it.
	Groups []machine.Group
	// Users are those whose processes are recorded, by their real user IDs.
	Users []Account
	// All records every process but the recorder.
	All bool
	// Only is what is recorded of what they do.
	Only Narrow
}

// Memberships reports whether processes are selected by what they belong to.
func (s *Scope) Memberships() bool { return len(s.Groups) > 0 || len(s.Users) > 0 }

// Unsupported is the error of a backend that knows no memberships, nil if none are asked for.
func (s *Scope) Unsupported() error {
	if !s.Memberships() {
		return nil
	}
	return fmt.Errorf("%w: control groups and users are recorded by the backend ebpf alone", ErrUnsupported)
}

// nothing reports whether no process is selected.
func (s *Scope) nothing() bool {
	return s.Launch == 0 && len(s.PIDs) == 0 && len(s.Names) == 0 && !s.Memberships() && !s.All
}

// endless reports whether further processes may come to be selected as long as the recording goes on.
func (s *Scope) endless() bool { return len(s.Names) > 0 || s.Memberships() || s.All }

// kind is the widest rule that selects processes.
func (s *Scope) kind() string {
	switch {
	case s.All:
		return "all"
	case s.Launch != 0:
		return "command"
	case len(s.Users) > 0:
		return "user"
	case len(s.Groups) > 0:
		return "cgroup"
	case len(s.Names) > 0:
		return "name"
	}
	return "pid"
}

// describe names a scope in messages.
func (s *Scope) describe() string {
	if s.Only.Everything() {
		return s.processes()
	}
	return s.Only.Describe() + ", of " + s.processes()
}

// processes names whose are recorded.
func (s *Scope) processes() string {
	switch s.kind() {
	case "all":
		return "all processes"
	case "command":
		return "the command"
	case "user":
		return "processes of " + strings.Join(s.users(), ", ")
	case "cgroup":
		return "processes in " + strings.Join(s.groups(), ", ")
	case "name":
		return fmt.Sprintf("processes named %q", s.Names)
	}
	return fmt.Sprintf("processes %v", s.PIDs)
}

// memberships names what processes are selected by.
func (s *Scope) memberships() string { return strings.Join(append(s.groups(), s.users()...), ", ") }

// users and groups name them in messages.
func (s *Scope) users() (names []string) {
	for _, u := range s.Users {
		names = append(names, "user "+u.Name)
	}
	return names
}

func (s *Scope) groups() (names []string) {
	for _, g := range s.Groups {
		names = append(names, g.Describe())
	}
	return names
}
