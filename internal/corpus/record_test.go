//go:build linux

package corpus

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// attempts is how often a recording is made that others on the machine spoil: on a busy one process 1 has the CPU often
// enough to cost most recordings a request.
const attempts = 12

// record records a command that has to succeed and returns what is said about
// it. A command that cannot be run twice is for prepared.
func record(t testing.TB, args ...string) *profile.Profile {
	t.Helper()
	return prepared(t, func() []string { return args })
}

// prepared records a command from a known state. A recording that lost requests
// has to say so and is made again, from that state. Where process 1 is busy, a
// long one always loses a few (see KNOWN_ISSUES.md): one in a hundred at most.
func prepared(t testing.TB, prepare func() []string) *profile.Profile {
	t.Helper()
	for i := range attempts {
		if p := attempt(t, prepare()...); p.Lost.Total == 0 || i == attempts-1 && 100*p.Lost.Total <= uint64(requests(p)) {
			return p
		}
	}
	cannot(t)("more than one in a hundred requests was lost in each of %d recordings: another tracer comes and goes",
		attempts)
	return nil
}

// attempt records a command once. What has to hold for every trace is checked
// on the way; of all kinds of events only requests may be lost.
func attempt(t testing.TB, args ...string) *profile.Profile {
	t.Helper()
	file := filepath.Join(workDir(t), "trace")
	keep(t, file, args...)
	p := show(t, file)
	if p.ExitStatus != 0 {
		t.Fatalf("%q: exit status %d", args, p.ExitStatus)
	}
	for kind, n := range p.Lost.Kinds {
		if kind != "request" {
			t.Errorf("%q: %d events of kind %s were lost", args, n, kind)
		}
	}
	if p.Lost.Total > 0 {
		t.Logf("%q: %v events were lost", args, p.Lost.Kinds)
		warned(t, p, "lost")
	} else {
		asCounted(t, p)
	}
	reconcile(t, p, events(t, file))
	answered(t, p)
	return p
}

// requests is how many requests there were on all devices.
func requests(p *profile.Profile) (n int64) {
	for _, d := range p.Devices {
		for _, f := range []*profile.Flow{d.Read, d.Write} {
			if f != nil {
				n += f.Count
			}
		}
	}
	return n
}

// warned checks that a profile warns of something.
func warned(t testing.TB, p *profile.Profile, code string) {
	t.Helper()
	if !slices.ContainsFunc(p.Warnings, func(w profile.Warning) bool { return w.Code == code && w.Text != "" }) {
		t.Errorf("no warning %q among %+v", code, p.Warnings)
	}
}

// keep records a command into a file, with any flags before a "--".
func keep(t testing.TB, file string, args ...string) {
	t.Helper()
	line := []string{"record", "-q", "-f", "-o", file}
	if i := dashes(args); i >= 0 {
		line, args = append(line, args[:i]...), args[i+1:]
	}
	run(t, append(append([]string{binary}, line...), append([]string{"--"}, args...)...)...)
}

func dashes(args []string) int {
	for i, a := range args {
		if a == "--" {
			return i
		}
	}
	return -1
}

// show reads the profile of a trace as any script would.
func show(t testing.TB, file string) *profile.Profile {
	t.Helper()
	out, err := exec.Command(binary, "show", file, "--json").Output()
	if err != nil {
		t.Fatalf("showing %s: %v", file, err)
	}
	p := new(profile.Profile)
	if err := json.Unmarshal(out, p); err != nil {
		t.Fatalf("showing %s: %v", file, err)
	}
	accounted(t, p)
	return p
}

// event holds the fields of all kinds of events that the checks use.
type event struct {
	Kind      string
	Start     int64
	Duration  int64
	Issued    int64
	Completed int64
	Op        string
	Type      string
	FSType    string `json:"fs_type"`
	Name      string
	Flags     []string
	File      uint32
	File2     uint32
	Bytes     int64
	Others    int64 // of Bytes
	Requested int64
	Result    int64
	Filled    int64
	Path      string
	Offset    int64
}

// events reads every event of a trace.
func events(t testing.TB, file string) []event {
	t.Helper()
	out, err := exec.Command(binary, "events", file, "--json").Output()
	if err != nil {
		t.Fatalf("listing the events of %s: %v", file, err)
	}
	var list []event
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var e event
		if err := d.Decode(&e); err != nil {
			t.Fatalf("listing the events of %s: %v", file, err)
		}
		list = append(list, e)
	}
	return list
}

// fill writes a file of pseudo-random bytes: no program can leave any out.
func fill(t testing.TB, path string, size int) {
	t.Helper()
	b := make([]byte, size)
	x := uint64(size)*2654435761 + 88172645463325252
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
