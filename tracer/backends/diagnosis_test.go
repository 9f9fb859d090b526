package backends

import (
	"errors"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/tracer"
)

// finding is a backend whose checks come out like that.
func finding(name string, optional bool, checks ...tracer.Check) Backend {
	return Backend{Name: name, Optional: optional, About: "for tests",
		Probe: func() []tracer.Check { return checks }}
}

var (
	here    = tracer.Check{Name: "kernel", OK: true, Required: true, Found: "new"}
	gone    = tracer.Check{Name: "kernel", Required: true, Found: "old", Remedy: "use a newer kernel"}
	without = tracer.Check{Name: "names", Found: "none", Remedy: "ask"}
)

// The first backend that has all it requires is the one that record takes. An optional one that is not installed is not
// spoken of; one that is installed and does not work is.
func TestMake(t *testing.T) {
	for name, c := range map[string]struct {
		list  List
		uses  string
		names string
		says  string
	}{
		"all is there": {List{finding("a", false, here)}, "a", "a", "ok       kernel: new\n"},
		"something is missing": {List{finding("a", false, gone)}, "", "a",
			"MISSING  kernel: old\n           → use a newer kernel\n"},
		"not required": {List{finding("a", false, here, without)}, "a", "a",
			"partly   names: none\n           → ask\n"},
		"the second": {List{finding("a", false, gone), finding("b", false, here)}, "b", "a b",
			"with backend b.\n"},
		"both": {List{finding("a", false, here), finding("b", true, here)}, "a", "a b",
			"Backend b works as well: --backend b takes it.\n"},
		"optional, not there": {List{finding("a", false, here), finding("b", true, gone)}, "a", "a",
			"with backend a.\n"},
		"optional, not working": {List{finding("b", true, here, gone)}, "", "b", "Nothing can be recorded here"},
		"not in this build":     {List{{Name: "a"}}, "", "a", "not in this build"},
		"none":                  {nil, "", "", "Traces from elsewhere can be read.\n"},
	} {
		d := Diagnose(c.list, "iotrace test")
		var names []string
		for _, b := range d.Backends {
			names = append(names, b.Name)
		}
		if d.Uses != c.uses || d.Records != (c.uses != "") || d.OK() != d.Records || strings.Join(names, " ") != c.names {
			t.Errorf("%s: uses %q, records %v, ok %v, lists %q", name, d.Uses, d.Records, d.OK(), names)
		}
		var out strings.Builder
		if err := PrintDiagnosis(&out, d); err != nil || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: %v, no %q in\n%s", name, err, c.says, out.String())
		}
	}
}

// A self-test that could not be made is an error and no result; one that failed makes the diagnosis a bad one.
func TestASelfTestThatCannotBegin(t *testing.T) {
	d := Diagnose(List{finding("a", false, here)}, "iotrace test")
	broken := errors.New("broken")
	if err := d.Test(func() (tracer.Source, error) { return nil, broken }); !errors.Is(err, broken) || d.SelfTest != nil {
		t.Errorf("%v, %+v", err, d.SelfTest)
	}
	d.SelfTest = &selfTest{Backend: "a", Passed: passed([]tracer.Check{here, gone}), Checks: []tracer.Check{here, gone}}
	var out strings.Builder
	if err := PrintDiagnosis(&out, d); err != nil || d.OK() ||
		!strings.Contains(out.String(), "self-test with backend a:\n  ok       kernel: new\n  MISSING  kernel: old\n") {
		t.Errorf("ok %v, %v\n%s", d.OK(), err, out.String())
	}
}
