//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

const workflow = `name: sample
env:
  WHO: nobody
jobs:
  list:
    runs-on: ubuntu-24.04
    outputs:
      all: ${{ steps.made.outputs.names }}
    steps:
      - uses: actions/checkout@v1
      - id: made
        run: echo 'names=["one","two"]' >>"$GITHUB_OUTPUT"
  each:
    needs: list
    strategy:
      matrix:
        name: ${{ fromJSON(needs.list.outputs.all) }}
        os: [ubuntu-26.04, ubuntu-22.04]
    runs-on: ${{ matrix.os }}
    steps:
      - run: |
          echo "${{ matrix.name }} $WHO $(cat file)" >>"$LOG"
          ! [ -e stray ]
          touch stray
  mac:
    runs-on: macos-26
    steps:
      - run: echo mac >>"$LOG"
  red:
    runs-on: ubuntu-24.04
    steps:
      - run: |
          false
          echo after >>"$LOG"
      - run: echo next >>"$LOG"
      - if: failure()
        run: echo failed >>"$LOG"
  away:
    runs-on: ubuntu-24.04
    steps:
      - run: exit 75
`

// A workflow runs in fresh clones, job after job, as its file says.
func TestRun(t *testing.T) {
	dir, w := committed(t, workflow)
	log := filepath.Join(dir, "log")
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &runner{top: dir, settings: Values{"WHO": "me", "LOG": log}}
	if err := r.workflow(w); err != nil {
		t.Fatal(err)
	}
	const wantLog = "one me committed\ntwo me committed\nfailed\n"
	if got, _ := os.ReadFile(log); string(got) != wantLog {
		t.Errorf("the steps said\n%swant\n%s", got, wantLog)
	}
	const want = "ok list|ok each one 26|the same each one 22|ok each two 26|the same each two 22|not here mac|" +
		"FAILED red|UNREACHABLE away|"
	got := regexp.MustCompile(`map\[name:(\w+) os:ubuntu-(\d+)\.04\]`).ReplaceAllString(r.outcomes.String(), "$1 $2")
	got = regexp.MustCompile(`(?m)^ *(\w+(?: \w+)?) +(\w+(?: \w+ \w+)?) .*\n`).ReplaceAllString(got, "$1 $2|")
	if got != want || r.failed != 1 {
		t.Errorf("%d jobs failed:\n%s\nas\n%s\nwant\n%s", r.failed, r.outcomes.String(), got, want)
	}
	if left, _ := filepath.Glob("/var/tmp/iotrace-workflow-*/clone/stray"); len(left) > 0 {
		t.Errorf("left behind: %s", strings.Join(left, " "))
	}
}

// Neither a workflow nor a job has to have settings.
func TestSettings(t *testing.T) {
	dir, w := committed(t, `jobs:
  one:
    runs-on: ubuntu-24.04
    env:
      WHO: one
    steps:
      - run: echo "$WHO" >>"$LOG"
  two:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "${WHO-nobody}" >>"$LOG"
`)
	log := filepath.Join(dir, "log")
	r := &runner{top: dir, settings: Values{"LOG": log}}
	if err := r.workflow(w); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(log); string(got) != "one\nnobody\n" {
		t.Errorf("the steps said %q", got)
	}
}

// committed makes a repository with a workflow and a file.
func committed(t *testing.T, workflow string) (dir string, w *Workflow) {
	t.Helper()
	testenv.NeedTools(t, "git", "bash")
	dir = t.TempDir()
	file := filepath.Join(dir, Dir, "sample.yml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{file: workflow, filepath.Join(dir, "file"): "committed"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const commit = "git init -q && git add . && git -c user.name=x -c user.email=x@y commit -qm x"
	if out, err := exec.Command("sh", "-c", "cd "+dir+" && "+commit).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return dir, w
}

// A condition that is not known is an error: a step must not be left out in silence.
func TestUnknownCondition(t *testing.T) {
	if _, err := due("github.event_name == 'push'", 0); err == nil {
		t.Error("no error")
	}
}
