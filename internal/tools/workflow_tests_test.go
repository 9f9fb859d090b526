//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The calls of go test are found through make and in directories; what does not exist is an error.
func TestTested(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	dir := t.TempDir()
	const makefile = `WHAT := ./a ./b/...
both: one two
one:
	./scripts/install
	go test -timeout 30m -exec 'sudo -E' \
		$(WHAT) -engines
two:
	cd other && go test -race ./...; echo go test ./no
some:
	A=b sudo env "C=d e" go test -count=1 -run 'X|Y' ./c
lost:
	./scripts/gone
`
	for file, text := range map[string]string{"Makefile": makefile, "scripts/install": "", "scripts/test-fresh": "",
		"scripts/times": ""} {
		_ = os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	one := Tests{Dir: dir, Packages: []string{"./a", "./b/..."}}
	two := Tests{Dir: filepath.Join(dir, "other"), Race: true, Packages: []string{"./..."}}
	for script, want := range map[string][]Tests{
		"make one WHAT=./x":                  {{Dir: dir, Packages: []string{"./x"}}},
		"make both":                          {one, two},
		"echo first\nscripts/test-fresh two": {two},
		"make some":                          {{Dir: dir, Some: true, Packages: []string{"./c"}}},
		"echo make lost":                     nil,
	} {
		got, err := Tested(dir, script)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %+v, %v\nwant %+v", script, got, err, want)
		}
	}
	for script, want := range map[string]string{"make none": "none", "make lost": "scripts/gone",
		"scripts/gone x": "scripts/gone"} {
		if _, err := Tested(dir, script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v does not say %s", script, err, want)
		}
	}
}

func TestCombinations(t *testing.T) {
	var job Job
	const text = "strategy:\n  matrix:\n    os: [a, b]\n    part: ${{ fromJSON(needs.list.outputs.all) }}\n"
	if err := yaml.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	got, err := job.Combinations(Context{"needs.list.outputs.all": `["x","y"]`})
	want := []Values{{"os": "a", "part": "x"}, {"os": "a", "part": "y"}, {"os": "b", "part": "x"},
		{"os": "b", "part": "y"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := job.Combinations(Context{}); err == nil {
		t.Errorf("%v without the list", got)
	}
	if got, err := (Job{}).Combinations(nil); len(got) != 1 || err != nil {
		t.Errorf("%v, %v: a job without a matrix runs once", got, err)
	}
}

// What GitHub would ignore, or refuse, is refused here.
func TestMisspeltKeys(t *testing.T) {
	for _, text := range []string{"named: x\n", "jobs:\n  a:\n    run-on: x\n", "jobs: [a]\n",
		"jobs:\n  a:\n    steps:\n      - runs: x\n"} {
		file := filepath.Join(t.TempDir(), "w.yml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if w, err := Read(file); err == nil {
			t.Errorf("%q is read as %+v", text, w)
		}
	}
}
