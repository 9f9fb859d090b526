package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// diagnosis is what doctor found, and its JSON form.
type diagnosis struct {
	Tool     string      `json:"tool"`
	OS       string      `json:"os"`
	Arch     string      `json:"arch"`
	Kernel   string      `json:"kernel"`
	Records  bool        `json:"records"` // at least one backend works
	Backends []diagnosed `json:"backends"`
}

// diagnosed is one backend.
type diagnosed struct {
	Name   string         `json:"name"`
	About  string         `json:"about"`
	Works  bool           `json:"works"` // everything that it requires is there
	Checks []tracer.Check `json:"checks"`
}

func newDoctorCommand(a *app) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what can be recorded here",
		Long: `Doctor tries what each backend needs to record on this machine, with the
privileges it is run with, and says what is missing and what to do about it.
Nothing is recorded or changed.

With --json: "records" says whether anything can be recorded; each of
"backends" has "works" and "checks", and each check "name", "ok", "required",
"found" and "remedy".

Exit status: 0 if something can be recorded, 1 if not, 2 for a wrong command
line.`,
		Example: `  sudo iotrace doctor`,
		RunE:    func(*cobra.Command, []string) error { return a.doctor(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) doctor(asJSON bool) error {
	d := a.diagnose()
	var err error
	if asJSON {
		e := json.NewEncoder(a.Out)
		e.SetIndent("", "  ")
		err = e.Encode(d)
	} else {
		_, err = io.WriteString(a.Out, d.text())
	}
	if err == nil && !d.Records {
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
		d.Records = d.Records || x.Works
		d.Backends = append(d.Backends, x)
	}
	return d
}

func (d *diagnosis) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s/%s, kernel %s\n", d.Tool, d.OS, d.Arch, d.Kernel)
	for _, x := range d.Backends {
		fmt.Fprintf(&b, "\n%s: %s\n", x.Name, x.About)
		for _, c := range x.Checks {
			mark := "ok"
			switch {
			case !c.OK && c.Required:
				mark = "MISSING"
			case !c.OK:
				mark = "partly"
			}
			fmt.Fprintf(&b, "  %-8s %s: %s\n", mark, c.Name, c.Found)
			if !c.OK && c.Remedy != "" {
				fmt.Fprintf(&b, "           → %s\n", c.Remedy)
			}
		}
	}
	b.WriteString("\n")
	for _, x := range d.Backends {
		if x.Works {
			fmt.Fprintf(&b, "Workloads can be recorded here, with backend %s.\n", x.Name)
			return b.String()
		}
	}
	b.WriteString("Nothing can be recorded here as it is. Traces from elsewhere can be read.\n")
	return b.String()
}
