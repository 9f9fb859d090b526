package trace

import (
	"fmt"
	"slices"
	"time"
)

// Header is the first frame of a trace: who recorded what, where and with
// which limits.
type Header struct {
	Version   int       `json:"version"`    // of the format
	Tool      string    `json:"tool"`       // "iotrace 0.1.0"
	Backend   string    `json:"backend"`    // "ebpf", "kdebug", "dtrace", "fs_usage", "strace", "import:strace"
	OS        string    `json:"os"`         // "linux", "darwin"; of imports "windows" as well
	Kernel    string    `json:"kernel"`     // uname -r
	Arch      string    `json:"arch"`       // GOARCH
	Host      string    `json:"host"`       // nodename
	WallStart time.Time `json:"wall_start"` // wall clock at time 0
	// ClockError is how far that clock may have been off, ns, as the kernel says that was told the time by others (NTP,
	// PTP); 0 if it was not, or the system does not tell.
	ClockError int64    `json:"clock_error_ns,omitempty"`
	CPUs       int      `json:"cpus"`
	Memory     int64    `json:"memory"`  // bytes of RAM
	Command    []string `json:"command"` // the recorded command; empty when attached to processes
	Dir        string   `json:"dir"`     // its working directory
	PIDs       []uint32 `json:"pids"`    // processes the recording began with
	Scope      string   `json:"scope"`   // "command", "pid", "name", "cgroup", "user", "all", "import", ScopeMerge
	UID        uint32   `json:"uid"`     // user the command ran as
	Calls      []string `json:"calls"`   // names of system calls, indexed by Syscall.Call
	// Trigger is why the trace was written by a recorder that keeps only the last while; nil for any other.
	Trigger *Trigger `json:"trigger,omitempty"`
	// Limits lists what this backend could not see. Results that depend on it
	// carry it as a warning.
	Limits []Limit `json:"limits,omitempty"`
}

// ScopeMerge is the scope of a trace that was put together from those of several hosts, and the reason why it ends.
const ScopeMerge = "merge"

// CallName is the system's own name of a call, "call N" if the trace does not
// have it.
func (h *Header) CallName(call uint16) string {
	if int(call) < len(h.Calls) {
		return h.Calls[call]
	}
	return fmt.Sprintf("call %d", call)
}

// Limited reports whether the recording has a limit.
func (h *Header) Limited(code LimitCode) bool {
	return slices.ContainsFunc(h.Limits, func(l Limit) bool { return l.Code == code })
}

// Limit is something a recording could not see.
type Limit struct {
	Code LimitCode `json:"code"` // stable short name: "no_requests", "no_clones", "no_faults", …
	Text string    `json:"text"` // for people: what, why, what would change it
}
