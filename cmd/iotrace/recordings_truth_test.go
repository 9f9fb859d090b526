package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// shown is what show --json says of a recording.
func shown(t *testing.T, file string) *profile.Profile {
	t.Helper()
	p := new(profile.Profile)
	if err := json.Unmarshal(printed(t, "show", "--json", file), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// copied lists the copies of a recording: method, names, bytes.
func copied(p *profile.Profile) (list []string, bytes int64) {
	for _, c := range p.Copies {
		list = append(list, string(c.Method)+" "+path.Base(c.Source)+" "+path.Base(c.Destination))
		bytes += c.Bytes
	}
	slices.Sort(list)
	return list, bytes
}

// TestRecordingsSayWhatHappened checks what is known of how each was made
// (testdata/README.md), whatever the words.
func TestRecordingsSayWhatHappened(t *testing.T) {
	recordings(t)
	for name, want := range map[string]struct {
		copies string
		bytes  int64
	}{
		"cp":        {"copy_file_range big copy", 16 << 20},
		"reflink":   {"reflink a b", 8 << 20},
		"throttled": {"read_write large copy", 64 << 20},
		"mac": {"clonefile movie.mov clone.mov, read_write movie.mov cp.mov, read_write movie.mov finder.mov, " +
			"read_write movie.mov rsync.mov", 3 * (24<<20 + 123)},
		"mmap": {}, "launch": {}, "scrub": {}, "sqlite": {}, "fio-qd8": {},
	} {
		list, bytes := copied(shown(t, name+".iotrace"))
		if strings.Join(list, ", ") != want.copies || bytes != want.bytes {
			t.Errorf("%s: copies %q of %d bytes; it was %q of %d", name, list, bytes, want.copies, want.bytes)
		}
	}
	for _, name := range []string{"tree", "rsync"} {
		const bytes = 12*60_000 + 1000*12*13/2
		if p := shown(t, name+".iotrace"); len(p.CopyGroups) != 1 || p.CopyGroups[0].Files != 12 ||
			p.CopyGroups[0].Bytes != bytes {
			t.Errorf("%s: %+v; it was one tree of 12 files, %d bytes", name, p.CopyGroups, bytes)
		}
	}
	if !slices.ContainsFunc(shown(t, "launch.iotrace").Launches,
		func(l profile.Launch) bool { return strings.Contains(l.Exe, "python") && l.State == "cold" }) {
		t.Error("launch: no cold start of python")
	}
	if p := shown(t, "fio-qd8.iotrace"); !slices.ContainsFunc(p.Calls,
		func(c profile.Call) bool { return c.Name == "libaio" && c.Count == 2000 && c.Bytes == 2000*4096 }) {
		t.Error("fio-qd8: not 2000 operations of 4 KiB by libaio")
	}
	if p := shown(t, "throttled.iotrace"); !slices.ContainsFunc(p.ChangePoints,
		func(s profile.Step) bool { return s.Series == "device write" && s.Ratio < 0.5 }) {
		t.Errorf("throttled: no fall of the device's rate among %+v", p.ChangePoints)
	}
	if p := shown(t, "losses.iotrace"); p.Lost.Kinds["syscall"] == 0 || len(p.Warnings) == 0 {
		t.Errorf("losses: %+v, %d warnings", p.Lost, len(p.Warnings))
	}
}

// TestRecordingsRoundTrip checks that JSON read and written again is the same,
// and that nothing differs from itself.
func TestRecordingsRoundTrip(t *testing.T) {
	for _, file := range recordings(t) {
		said := printed(t, "show", "--json", file)
		p := new(profile.Profile)
		if err := json.Unmarshal(said, p); err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := content.JSON(&again, p); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(said, again.Bytes()) {
			t.Errorf("%s: its JSON changed on its way through the types", file)
		}
		var d struct {
			Similarity *float64
			Dimensions []struct {
				Code     string
				Distance float64
			}
		}
		if err := json.Unmarshal(printed(t, "diff", "--json", file, file), &d); err != nil {
			t.Fatal(err)
		}
		if d.Similarity != nil && *d.Similarity != 1 || len(d.Dimensions) == 0 {
			t.Errorf("%s is like itself by %v", file, *d.Similarity)
		}
		for _, x := range d.Dimensions {
			if x.Distance > 0 {
				t.Errorf("%s: %s differs from itself by %v", file, x.Code, x.Distance)
			}
		}
	}
}

// TestRecordingsExported checks that an export is what its format demands, and
// holds every call and request of the trace.
func TestRecordingsExported(t *testing.T) {
	for _, file := range recordings(t) {
		calls, requests := counted(t, file)
		events := map[string]int{}
		for line := range bytes.Lines(printed(t, "export", "--to", "jsonl", "-o", "-", file)) {
			var e struct{ Kind string }
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			events[e.Kind]++
		}
		if events["syscall"] != calls || events["request"] != requests {
			t.Errorf("%s: %d calls and %d requests, exported %v", file, calls, requests, events)
		}
	}
}

// counted is how many calls and requests a trace holds.
func counted(t *testing.T, file string) (calls, requests int) {
	t.Helper()
	f, err := os.Open(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := tracefile.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Batch
	for {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			return calls, requests
		} else if err != nil {
			t.Fatal(err)
		}
		calls += len(b.Syscalls)
		requests += len(b.Requests)
	}
}
