package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/selftest"
)

// diagnosis is what doctor found, and its JSON form.
type diagnosis struct {
	Tool     string      `json:"tool"`
	OS       string      `json:"os"`
	Arch     string      `json:"arch"`
	Kernel   string      `json:"kernel"`
	Records  bool        `json:"records"`        // at least one backend works
	Uses     string      `json:"uses,omitempty"` // the backend that record takes by itself
	Backends []diagnosed `json:"backends"`
	SelfTest *selfTested `json:"self_test,omitempty"`
}

// selfTested is how a known workload was recorded.
type selfTested struct {
	Backend string         `json:"backend"`
	Passed  bool           `json:"passed"` // everything that is required was recorded
	Checks  []tracer.Check `json:"checks"`
}

// selfTest records the workload of the self-test with a backend.
func (a *app) selfTest(name string) (*selfTested, error) {
	t := &selfTested{Passed: true}
	var source tracer.Source
	checks, err := selftest.Run(func() (s tracer.Source, err error) {
		source, err = a.openBackend(name, 0, a.warn)
		return source, err
	}, ".")
	if err != nil {
		return nil, err
	}
	t.Backend, t.Checks = source.Name(), checks
	for _, c := range checks {
		t.Passed = t.Passed && (c.OK || !c.Required)
	}
	return t, nil
}

// diagnosed is one backend.
type diagnosed struct {
	Name   string         `json:"name"`
	About  string         `json:"about"`
	Works  bool           `json:"works"` // everything that it requires is there
	Checks []tracer.Check `json:"checks"`
}

func newDoctorCommand(a *app) *cobra.Command {
	var o doctorOptions
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what can be recorded here",
		Long: `Doctor tries what each backend needs to record on this machine, with the
privileges it is run with, and says what is missing and what to do about it.
Nothing is recorded or changed.

With --self-test it then records a small workload in the current directory with
the first backend that works, or with the one of --backend, and says for each
thing the workload did whether it was recorded as it was done.

Record takes the first backend that works; the last lines say which. What it does
not show is listed as "not seen", with what would.

With --json: "records" says whether anything can be recorded and "uses" with
which backend; each of "backends" has "works" and "checks", and each check
"name", "ok", "required", "found" and "remedy"; "self_test" has the "backend" and
its "checks".

Exit status: 0 if something can be recorded and the self-test, if asked for,
passed; 1 if not, 2 for a wrong command line.`,
		Example: `  sudo iotrace doctor
  sudo iotrace doctor --self-test`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.checkBackend(o.backend); err != nil {
				return usage(c, err)
			}
			return a.doctor(&o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.selfTest, "self-test", false, "record a known workload and compare")
	f.StringVar(&o.backend, "backend", automatic, "the backend to test")
	return c
}

type doctorOptions struct {
	json     bool
	selfTest bool
	backend  string
}

func (a *app) doctor(o *doctorOptions) error {
	d := a.diagnose()
	if o.selfTest {
		test, err := a.selfTest(o.backend)
		if err != nil {
			return fmt.Errorf("self-test: %w", err)
		}
		d.SelfTest = test
	}
	var err error
	if o.json {
		err = printJSON(a.Out, d)
	} else {
		_, err = io.WriteString(a.Out, visible.Lines(d.text()))
	}
	if err == nil && (!d.Records || d.SelfTest != nil && !d.SelfTest.Passed) {
		return &statusError{status: exitError}
	}
	return err
}

func (a *app) diagnose() *diagnosis {
	d := &diagnosis{Tool: "iotrace " + versionName(), OS: runtime.GOOS, Arch: runtime.GOARCH, Backends: []diagnosed{}}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		d.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	for _, b := range a.backends {
		x := diagnosed{Name: b.name, About: b.about, Works: true}
		if b.probe == nil {
			x.Checks = []tracer.Check{{Name: "backend", Required: true, Found: "not in this build", Remedy: "use a newer iotrace"}}
		} else {
			x.Checks = b.probe()
		}
		for _, c := range x.Checks {
			x.Works = x.Works && (c.OK || !c.Required)
		}
		if b.optional && !x.Works && !x.Checks[0].OK {
			continue // the first check is whether it is installed
		}
		if x.Works && !d.Records {
			d.Records, d.Uses = true, x.Name
		}
		d.Backends = append(d.Backends, x)
	}
	return d
}

func (d *diagnosis) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s/%s, kernel %s\n", d.Tool, d.OS, d.Arch, d.Kernel)
	for _, x := range d.Backends {
		fmt.Fprintf(&b, "\n%s: %s\n", x.Name, x.About)
		checksText(&b, x.Checks)
	}
	if t := d.SelfTest; t != nil {
		fmt.Fprintf(&b, "\nself-test with backend %s:\n", t.Backend)
		checksText(&b, t.Checks)
	}
	b.WriteString("\n")
	if !d.Records {
		b.WriteString("Nothing can be recorded here as it is. Traces from elsewhere can be read.\n")
		return b.String()
	}
	fmt.Fprintf(&b, "Workloads can be recorded here, with backend %s.\n", d.Uses)
	for _, x := range d.Backends {
		if x.Works && x.Name != d.Uses {
			fmt.Fprintf(&b, "Backend %s works as well: --backend %[1]s takes it.\n", x.Name)
		}
	}
	return b.String()
}

func checksText(b *strings.Builder, checks []tracer.Check) {
	for _, c := range checks {
		mark := "ok"
		switch {
		case !c.OK && c.Required:
			mark = "MISSING"
		case !c.OK:
			mark = "partly"
		}
		fmt.Fprintf(b, "  %-8s %s: %s\n", mark, c.Name, c.Found)
		if !c.OK && c.Remedy != "" {
			fmt.Fprintf(b, "           → %s\n", c.Remedy)
		}
	}
}
