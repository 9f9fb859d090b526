// Package backends lists the ways to record that this system has, and opens the first of them that works. It finds out
// what works on a machine that nobody has tried: it records a small workload whose calls are known, and checks that
// each arrived as it was made.
package backends

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/tracer"
)

// Backend is a way to record on some system.
type Backend struct {
	Name  string
	About string // one line
	// Open makes a source with a kernel buffer of that many bytes, 0 for the backend's default. nil if this build
	// has no such backend.
	Open func(buffer int) (tracer.Source, error)
	// An optional backend that is not installed is not reported as missing.
	Optional bool
	// Unprivileged backends need no rights that another was refused.
	Unprivileged bool
	// Probe finds out, by trying, what the backend can record here. nil if this build has no such backend.
	Probe func() []tracer.Check
}

// Automatic stands for the first backend that works.
const Automatic = "auto"

// systems are the backends of all systems, so that a name that is right elsewhere is told from a slip.
var systems = []string{"ebpf", "kdebug", "dtrace", "fs_usage", "strace"}

// Names are what may be asked for, on this system or on another.
func Names() []string { return append([]string{Automatic}, systems...) }

// List is what one system has, best first.
type List []Backend

// Knows reports whether a name may be asked for.
func (l List) Knows(name string) bool {
	return slices.Contains(Names(), name) || slices.ContainsFunc(l, func(b Backend) bool { return b.Name == name })
}

// Open makes a source of the named backend, or of the first that works; warn is told why it is not the very first.
func (l List) Open(name string, buffer int, warn func(error)) (tracer.Source, error) {
	var usable []Backend
	for _, b := range l {
		if b.Open != nil && (b.Name == name || name == Automatic) {
			usable = append(usable, b)
		}
	}
	switch len(usable) {
	case 0:
	case 1:
		source, err := usable[0].Open(buffer)
		if err == nil {
			advise(source, warn)
		}
		return source, err
	default:
		return &chosen{backends: usable, buffer: buffer, warn: warn}, nil
	}
	return nil, fmt.Errorf("opening backend %s: %w (%s/%s has: %s)",
		name, tracer.ErrUnsupported, runtime.GOOS, runtime.GOARCH, l.names())
}

// advise passes on what a source has to say before it attaches.
func advise(s tracer.Source, warn func(error)) {
	if a, ok := s.(tracer.Adviser); ok && warn != nil {
		if err := a.Advice(); err != nil {
			warn(err)
		}
	}
}

func (l List) names() string {
	var names []string
	for _, b := range l {
		if b.Open != nil {
			names = append(names, b.Name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
