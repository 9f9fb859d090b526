package dtrace

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		_ = os.WriteFile(file+".got", []byte(got), 0o644)
		t.Errorf("%s has changed; see %s.got, and run with -update if it is right", file, file)
	}
}

// The scripts are kept as files as well, to be read and to be run by hand.
func TestScripts(t *testing.T) {
	for _, platform := range []Platform{Darwin, Linux} {
		for name, able := range map[string]Capability{"syscall": {}, "full": {IO: true, Proc: true}} {
			script := Script(Parameters{Platform: platform, Capability: able, Recorder: 4242,
				BufferKiB: defaultBuffer >> 10, CPUs: 2, Scope: tracer.Scope{PIDs: []uint32{501},
					Names: []string{"Finder", "DesktopServicesHelper"}}})
			golden(t, fmt.Sprintf("%s-%s.d", platform, name), script)
		}
	}
}

// What a clause keeps in a variable of the thread, the clause that prints it
// gives back: DTrace has room for so many variables and drops what does not fit.
func TestVariablesAreFreed(t *testing.T) {
	set := regexp.MustCompile(`self->(\w+) = (.*);`)
	for _, platform := range []Platform{Darwin, Linux} {
		script := Script(Parameters{Platform: platform, Scope: tracer.Scope{All: true}, BufferKiB: 64})
		for _, block := range strings.Split(script, "/* ")[1:] {
			kept, freed := map[string]bool{}, map[string]bool{}
			for _, m := range set.FindAllStringSubmatch(block, -1) {
				if m[2] == "0" {
					freed[m[1]] = true
				} else {
					kept[m[1]] = true
				}
			}
			if len(kept) != len(freed) {
				t.Errorf("%s: kept %v, freed %v in\n%.300s", platform, kept, freed, block)
			}
		}
	}
}

func TestTablesOfCalls(t *testing.T) {
	for _, platform := range []Platform{Darwin, Linux} {
		seen := map[string]bool{}
		for _, c := range table(platform) {
			if seen[c.probe] {
				t.Errorf("%s: %s is there twice", platform, c.probe)
			}
			seen[c.probe] = true
		}
		if n, want := len(probeNames(platform)), len(table(platform)); n < want {
			t.Errorf("%s: %d names of %d calls", platform, n, want)
		}
	}
	// macOS: every call that kdebug records, but for those that other probes tell of.
	for _, c := range macos.Calls {
		_, traced := darwinLayouts[c.Shape]
		if in := slices.ContainsFunc(darwinCalls, func(d call) bool { return d.probe == c.Name }); in != traced {
			t.Errorf("%s: traced %t, want %t", c.Name, in, traced)
		}
	}
	for _, name := range []string{"read_nocancel", "guarded_pwrite_np", "preadv", "clonefileat", "getattrlistbulk",
		"aio_write", "openat_nocancel"} {
		if !strings.Contains(Script(Parameters{Platform: Darwin, Scope: tracer.Scope{All: true}}),
			"syscall::"+name+":return") {
			t.Errorf("%s is not traced on macOS", name)
		}
	}
}

func TestHostileNamesStayTexts(t *testing.T) {
	script := Script(Parameters{Platform: Linux, Scope: tracer.Scope{Names: []string{`a"b\` + "\n", "é"}},
		BufferKiB: 64})
	for _, want := range []string{`execname == "a\"b\\\012"`, `execname == "\303\251"`} {
		if !strings.Contains(script, want) {
			t.Errorf("the script lacks %s", want)
		}
	}
}
