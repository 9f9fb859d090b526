//go:build linux

package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const top = "../.."

func read(t *testing.T) []*Workflow {
	t.Helper()
	all, err := ReadAll(top)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d workflows: %v", len(all), err)
	}
	return all
}

// Every package with tests is in a job on Linux, and in one under the race detector, but for those that say why not. On
// Macs all are. Targets of make and scripts that jobs name exist.
func TestEveryPackageIsInAJob(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	linux, raced, mac := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, w := range read(t) {
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				all, err := Tested(top, step.Run)
				if err != nil {
					t.Errorf("%s: job %s: %v", w.File, job.ID, err)
				}
				for _, tests := range all {
					if tests.Some {
						continue
					}
					for _, p := range list(t, tests.Dir, tests.Packages...) {
						mac[p] = mac[p] || w.Name == "macos"
						linux[p] = linux[p] || w.Name != "macos"
						raced[p] = raced[p] || w.Name != "macos" && tests.Race
					}
				}
			}
		}
	}
	const module = "github.com/iotrace/iotrace/"
	unraced := map[string]string{
		module + "internal/corpus":    "it runs a program that is built without the detector, and judges what that says",
		module + "report/browsertest": "it drives a browser, and runs nothing of ours",
	}
	for _, dir := range []string{top, top + "/report/browsertest"} {
		for _, p := range list(t, dir, "./...") {
			if !linux[p] {
				t.Errorf("%s has tests, and is in no job on Linux", p)
			}
			if reason := unraced[p]; raced[p] == (reason != "") {
				t.Errorf("%s: under the race detector: %v, reason against it: %q", p, raced[p], reason)
			}
			if !mac[p] && dir == top && p != module+"internal/corpus" {
				t.Errorf("%s has tests, and is in no job on macOS", p)
			}
		}
	}
}

// list is the packages with tests among some.
func list(t *testing.T, dir string, patterns ...string) []string {
	t.Helper()
	const tested = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"
	c := exec.Command("go", append([]string{"list", "-f", tested}, patterns...)...)
	c.Dir, c.Stderr = dir, os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list %q in %s: %v", patterns, dir, err)
	}
	return strings.Fields(string(out))
}

// What CI runs on a machine of its own is in the workflows as well.
func TestWorkflowsRunWhatCIRuns(t *testing.T) {
	text, err := os.ReadFile(top + "/.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := Tested(top, string(text))
	if err != nil || len(tests) == 0 {
		t.Errorf(".ci/run: %d calls of go test: %v", len(tests), err)
	}
	var scripts strings.Builder
	for _, w := range read(t) {
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				scripts.WriteString(step.Run + " ")
			}
		}
	}
	made := strings.Fields(strings.ReplaceAll(scripts.String(), "=", " "))
	targets := regexp.MustCompile(`(?m)^scripts/times (.*)`).FindStringSubmatch(string(text))
	if targets == nil {
		t.Fatal(".ci/run makes no targets")
	}
	for _, target := range strings.Fields(targets[1]) {
		if target != "race-quick" && !slices.Contains(made, target) { // they make race-unit and race-root, which are more
			t.Errorf("no job makes %s, as .ci/run does", target)
		}
	}
}

// The fuzz workflow takes its targets from the script, and the script has all that are in the tree.
func TestEveryFuzzTargetIsInTheMatrix(t *testing.T) {
	var script string
	for _, w := range read(t) {
		if targets, found := w.Job("targets"); w.Name == "fuzz" && found {
			script = targets.Steps[len(targets.Steps)-1].Run
		}
	}
	file := filepath.Join(t.TempDir(), "output")
	c := exec.Command("bash", "-ec", script)
	c.Dir, c.Env = top, append(os.Environ(), "GITHUB_OUTPUT="+file)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v: %s", script, err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "all=")), &listed); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	slices.Sort(listed)
	if want := fuzzTargets(t); !slices.Equal(listed, want) {
		t.Errorf("the matrix has %q,\nthe tree %q", listed, want)
	}
}

// fuzzTargets are those of the tree, as package/Target.
func fuzzTargets(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(top, filepath.Dir(name))
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
				all = append(all, path.Join(filepath.ToSlash(dir), f.Name.Name))
			}
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d targets: %v", len(all), err)
	}
	slices.Sort(all)
	return all
}

// A workflow may read the repository, no more; what it uses of others is pinned by commit; no job runs for ever.
func TestWorkflowsAreConfined(t *testing.T) {
	pinned := regexp.MustCompile(`uses: [\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, w := range read(t) {
		var rights map[string]string
		if err := w.Permissions.Decode(&rights); err != nil || !maps.Equal(rights, map[string]string{"contents": "read"}) {
			t.Errorf("%s: permissions are %v (%v), not to read the contents", w.File, rights, err)
		}
		for _, job := range w.Jobs {
			if !job.Permissions.IsZero() {
				publishes(t, w.File, job)
			}
			if job.TimeoutMinutes == 0 {
				t.Errorf("%s: job %s has no timeout", w.File, job.ID)
			}
			for _, step := range job.Steps {
				if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != "false" {
					t.Errorf("%s: job %s leaves the token with the clone", w.File, job.ID)
				}
				if version, found := step.With["go-version"]; found && version != goVersion(t) {
					t.Errorf("%s: job %s has Go %s, go.mod %s", w.File, job.ID, version, goVersion(t))
				}
			}
		}
		text, err := os.ReadFile(filepath.Join(top, Dir, w.File))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); strings.Contains(line, "uses:") && !pinned.MatchString(line) {
				t.Errorf("%s: %q is not pinned by commit", w.File, line)
			}
		}
	}
}

// publishes checks the one job that may write: it has the rights to publish a release, and runs nothing of ours.
func publishes(t *testing.T, file string, job Job) {
	t.Helper()
	want := map[string]string{"actions": "read", "attestations": "write", "contents": "write", "id-token": "write"}
	var rights map[string]string
	if err := job.Permissions.Decode(&rights); err != nil || file != "release.yml" || job.ID != "publish" ||
		!maps.Equal(rights, want) {
		t.Errorf("%s: job %s has permissions of its own: %v, %v", file, job.ID, rights, err)
	}
	for _, step := range job.Steps {
		if strings.HasPrefix(step.Uses, "actions/checkout@") ||
			regexp.MustCompile(`\bmake\b|scripts/|\bgo `).MatchString(step.Run) {
			t.Errorf("%s: job %s may write, and runs what is in the repository: %s%s", file, job.ID, step.Uses, step.Run)
		}
	}
}

// Each module is looked after.
func TestDependabotKnowsTheModules(t *testing.T) {
	text, err := os.ReadFile(top + "/.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		t.Fatal(err)
	}
	var known, want []string
	for _, u := range settings.Updates {
		known = append(known, u.Directories...)
	}
	files, err := exec.Command("git", "-C", top, "ls-files", "go.mod", "*/go.mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range strings.Fields(string(files)) {
		want = append(want, path.Join("/", path.Dir(file)))
	}
	slices.Sort(known)
	slices.Sort(want)
	if !slices.Equal(known, want) {
		t.Errorf("dependabot.yml has the modules %q, the tree %q", known, want)
	}
}

// goVersion is the newest release of the Go that go.mod asks for: older ones have known vulnerabilities.
func goVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(top + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(text))[1] + ".x"
}
