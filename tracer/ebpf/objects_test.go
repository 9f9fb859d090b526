//go:build linux

package ebpf

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The committed objects are what the compiler makes of the committed source
// today. The commands are those in generate.go, but for the directory they write to.
func TestObjectsCurrent(t *testing.T) {
	needTools(t, "go", "clang-19", "llvm-strip-19", "llvm-objcopy-19")
	dir := t.TempDir()
	for _, args := range generators(t) {
		at := slices.IndexFunc(args, func(arg string) bool { return arg == "bpf2go" || arg == "objects" })
		if at < 0 {
			t.Fatalf("generate.go does not run bpf2go or pack what it made: %q", args)
		}
		run(t, slices.Insert(args, at+1, "-output-dir", dir)...)
	}
	made, err := filepath.Glob(dir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != 3 {
		t.Fatalf("%q: want the objects for each of two architectures, and their types", made)
	}
	for _, name := range made {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		have, err := os.ReadFile(filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, have) {
			t.Errorf("%s is not what bpf/ compiles to: run `go generate ./tracer/ebpf` and commit the result",
				filepath.Base(name))
		}
	}
}

// generators are the commands of the go:generate lines.
func generators(t *testing.T) (list [][]string) {
	t.Helper()
	source, err := os.ReadFile("generate.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(source)) {
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			list = append(list, strings.Fields(command))
		}
	}
	if len(list) == 0 {
		t.Fatal("generate.go has no go:generate line")
	}
	return list
}
