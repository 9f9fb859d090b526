package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/tracer"
)

// backend is a way to record on some system.
type backend struct {
	name  string
	about string // one line for doctor
	// open makes a source with a kernel buffer of so many bytes, 0 for the
	// backend's default. nil if this build has no such backend.
	open func(buffer int) (tracer.Source, error)
	// optional backends are nothing that a system lacks if they are not installed.
	optional bool
	// probe finds out, by trying, what the backend can record here.
	probe func() []tracer.Check
}

const automatic = "auto"

// openBackend makes a source of the named backend, or of the first that works.
func (a *app) openBackend(name string, buffer int, warn func(error)) (tracer.Source, error) {
	var usable []backend
	for _, b := range a.backends {
		if b.open != nil && (b.name == name || name == automatic) {
			usable = append(usable, b)
		}
	}
	switch len(usable) {
	case 0:
	case 1:
		return usable[0].open(buffer)
	default:
		return &chosenSource{backends: usable, buffer: buffer, warn: warn}, nil
	}
	return nil, fmt.Errorf("opening backend %s: %w (%s/%s has: %s)", name, tracer.ErrUnsupported, runtime.GOOS, runtime.GOARCH, a.backendNames())
}

// systems are the backends of all systems, so that a name that is right
// elsewhere is told from a slip.
var systems = []string{"ebpf", "kdebug", "dtrace", "fs_usage"}

// checkBackend reports a name that no system has. If it is a tool whose output
// can be imported, it says how.
func (a *app) checkBackend(name string) error {
	if name == automatic || slices.Contains(systems, name) ||
		slices.ContainsFunc(a.backends, func(b backend) bool { return b.name == name }) {
		return nil
	}
	if i, err := importFormats().find(name); err == nil {
		run, _, _ := strings.Cut(strings.ReplaceAll(importFormats()[i].about, " \\\n", " "), "\n")
		return fmt.Errorf("iotrace does not record with %s; run %q, then \"iotrace import --from %s FILE\"", name, run, name)
	}
	return fmt.Errorf("unknown backend %q (want auto, %s)", name, strings.Join(systems, ", "))
}

func (a *app) backendNames() string {
	var names []string
	for _, b := range a.backends {
		if b.open != nil {
			names = append(names, b.name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
