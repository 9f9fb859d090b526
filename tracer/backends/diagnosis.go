package backends

// This file finds out what can be recorded on this machine, and says what to do about the rest.

import (
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// diagnosis is what was found, and its JSON form.
type diagnosis struct {
	Tool     string    `json:"tool"`
	OS       string    `json:"os"`
	Arch     string    `json:"arch"`
	Kernel   string    `json:"kernel"`
	Records  bool      `json:"records"`        // at least one backend works
	Uses     string    `json:"uses,omitempty"` // the backend that record takes by itself
	Backends []backend `json:"backends"`
	SelfTest *selfTest `json:"self_test,omitempty"`
}

// backend is what was found about one backend.
type backend struct {
	Name   string         `json:"name"`
	About  string         `json:"about"`
	Works  bool           `json:"works"` // everything that it requires is there
	Checks []tracer.Check `json:"checks"`
}

// selfTest is how a known workload was recorded.
type selfTest struct {
	Backend string         `json:"backend"`
	Passed  bool           `json:"passed"` // everything that is required was recorded
	Checks  []tracer.Check `json:"checks"`
}

// Diagnose tries what each backend needs. Nothing is recorded or changed.
func Diagnose(list List, tool string) *diagnosis {
	d := &diagnosis{Tool: tool, OS: runtime.GOOS, Arch: runtime.GOARCH, Backends: []backend{}}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		d.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	for _, b := range list {
		found := backend{Name: b.Name, About: b.About, Checks: probe(b)}
		found.Works = passed(found.Checks)
		if b.Optional && !found.Works && !found.Checks[0].OK {
			continue // the first check is whether it is installed
		}
		if found.Works && !d.Records {
			d.Records, d.Uses = true, found.Name
		}
		d.Backends = append(d.Backends, found)
	}
	return d
}

func probe(b Backend) []tracer.Check {
	if b.Probe == nil {
		return []tracer.Check{{Name: "backend", Required: true, Found: "not in this build", Remedy: "use a newer iotrace"}}
	}
	return b.Probe()
}

// Test records a known workload in the current directory, with the source that open makes, and compares.
func (d *diagnosis) Test(open func() (tracer.Source, error)) error {
	var source tracer.Source
	checks, err := SelfTest(func() (s tracer.Source, err error) {
		source, err = open()
		return source, err
	}, ".")
	if err == nil {
		d.SelfTest = &selfTest{Backend: source.Name(), Passed: passed(checks), Checks: checks}
	}
	return err
}

// OK reports whether something can be recorded and the self-test, if one was made, has passed.
func (d *diagnosis) OK() bool { return d.Records && (d.SelfTest == nil || d.SelfTest.Passed) }

// passed reports whether everything is there that is required.
func passed(checks []tracer.Check) bool {
	for _, c := range checks {
		if c.Required && !c.OK {
			return false
		}
	}
	return true
}
