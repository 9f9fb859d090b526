package conversion_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer"

	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

const recordings = "../../testdata/"

// merged writes a trace of several and returns its name.
func merged(t *testing.T, parts ...conversion.Part) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := conversion.Merge(&out, parts, "test"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "merged.iotrace")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The merged trace holds of each host what its own trace does, and nothing of it is taken for another's.
func TestHostsStayApart(t *testing.T) {
	names := []string{"cp", "scrub", "tree", "sqlite", "rsync", "launch"}
	var parts []conversion.Part
	for _, name := range names {
		parts = append(parts, conversion.Part{Path: recordings + name + ".iotrace", Name: name})
	}
	path := merged(t, parts...)
	hosts := add(t, path)
	for _, name := range names {
		if diff := cmp.Diff(add(t, recordings+name+".iotrace")[""], hosts[name]); diff != "" {
			t.Errorf("%s (-alone +merged):\n%s", name, diff)
		}
	}
	if len(hosts) != len(names) {
		t.Errorf("%d hosts", len(hosts))
	}
}

// The same trace twice is two hosts, whose numbers are the same but for the host's.
func TestTwins(t *testing.T) {
	path := recordings + "cp.iotrace"
	hosts := add(t, merged(t, conversion.Part{Path: path}, conversion.Part{Path: path, Late: time.Millisecond}))
	alone := add(t, path)[""]
	for _, name := range []string{"vm", "vm-2"} {
		if diff := cmp.Diff(alone, hosts[name]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// Times are put beside each other by the clocks, and by what the user says of them.
func TestTimes(t *testing.T) {
	path := recordings + "cp.iotrace"
	first := func(path string) (at int64) {
		at = -1
		_, err := tracefile.Each(path, func(b *trace.Batch) {
			for i := range b.Processes {
				if p := &b.Processes[i]; at < 0 && (!strings.Contains(p.Command, "@") || strings.HasSuffix(p.Command, "@late")) {
					at = p.Time
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	alone := first(path)
	for _, late := range []time.Duration{0, 1200 * time.Microsecond, -3 * time.Second} {
		file := merged(t, conversion.Part{Path: path}, conversion.Part{Path: path, Name: "late", Late: late})
		want := alone + int64(max(late, 0))
		if got := first(file); got != want {
			t.Errorf("late by %v: at %d, want %d", late, got, want)
		}
		before := int64(0)
		r, err := tracefile.Each(file, func(b *trace.Batch) {
			for e := range b.InOrder() {
				if e.Time < before-int64(time.Millisecond) {
					t.Errorf("an event at %d behind one at %d", e.Time, before)
				}
				before = max(before, e.Time)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if end, whole := r.End(); !whole || end.Duration < before {
			t.Errorf("it ends at %d, its last event at %d", end.Duration, before)
		}
	}
}

// Where one host ran a command and another was recorded as a whole beside it, the workload is the command.
func TestTheCommandIsTheWorkload(t *testing.T) {
	const second = int64(time.Second)
	server := written(t, "server", trace.Header{OS: "linux", Scope: "all"},
		trace.End{Duration: 10 * second, CommandEnd: -1, Durable: -1, ExitCode: -1}, second/2, 42)
	client := written(t, "client", trace.Header{OS: "linux", Scope: "command", Command: []string{"cp"}, PIDs: []uint32{7}},
		trace.End{Duration: 5 * second, CommandEnd: 2 * second, Durable: 3 * second}, second, 7)
	for _, test := range []struct {
		parts                []conversion.Part
		start, wall, durable int64
	}{
		{[]conversion.Part{{Path: client, Late: 4 * time.Second}, {Path: server}}, 5 * second, second, 2 * second},
		{[]conversion.Part{{Path: client, Late: 4 * time.Second}, {Path: client, Name: "other"}}, second, 5 * second, 6 * second},
		{[]conversion.Part{{Path: server, Late: 4 * time.Second}, {Path: server, Name: "other"}}, 0, 14 * second, -1},
	} {
		p, err := analyzer.Analyze(merged(t, test.parts...), analyzer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.StartNS != test.start || p.WallNS != test.wall || p.DurableNS != test.durable {
			t.Errorf("%v: from %d on for %d, durable after %d, want %d, %d, %d", test.parts, p.StartNS, p.WallNS, p.DurableNS,
				test.start, test.wall, test.durable)
		}
	}
}

// What the kernel charged to the commands is added up.
func TestCharged(t *testing.T) {
	end := trace.End{Duration: 9e9, CommandEnd: 8e9, Durable: 9e9,
		Charged: &trace.Charge{ReadBytes: 1, WrittenBytes: 2, User: 3, System: 4}}
	host := func(name string, charged *trace.Charge) conversion.Part {
		end.Charged = charged
		return conversion.Part{Path: written(t, name, trace.Header{OS: "linux", Scope: "command", Command: []string{"cp"}}, end, 1, 7)}
	}
	a, b := trace.Charge{ReadBytes: 1, WrittenBytes: 2, User: 3, System: 4}, trace.Charge{ReadBytes: 10, User: 30}
	p, err := analyzer.Analyze(merged(t, host("a", &a), host("b", &b), host("c", nil)), analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Trace.Charged; c == nil || c.ReadBytes != 11 || c.WrittenBytes != 2 || c.UserNS != 33 || c.SystemNS != 4 {
		t.Errorf("%+v", c)
	}
}

// Limits of I/O, and mounts, keep their hosts apart, by group and by device.
func TestIOLimits(t *testing.T) {
	end := trace.End{Duration: 9e9, CommandEnd: 8e9, Durable: 9e9,
		Mounts:   []trace.Mount{{Device: trace.MakeDeviceID(8, 1), Point: "/data", Options: "rw,nobarrier"}},
		IOLimits: []trace.IOLimit{{Group: "/batch", Device: trace.MakeDeviceID(8, 0), From: 5, WriteBytes: 1 << 20}}}
	host := func(name string) conversion.Part {
		return conversion.Part{Path: written(t, name, trace.Header{OS: "linux", Scope: "command", Command: []string{"cp"}}, end, 1, 7)}
	}
	p, err := analyzer.Analyze(merged(t, host("a"), host("b")), analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := p.Trace.Mounts
	if len(m) != 2 || m[0].Point == m[1].Point || m[0].Options != "rw,nobarrier" {
		t.Errorf("%+v", m)
	}
	l := p.Trace.IOLimits
	if len(l) != 2 || l[0].Group == l[1].Group || l[0].Device == l[1].Device || l[1].WriteBytes != 1<<20 ||
		l[1].FromNS < 5 {
		t.Errorf("%+v", l)
	}
}

// written is a trace in which a process executes a program and writes something.
func written(t *testing.T, host string, h trace.Header, end trace.End, at int64, pid uint32) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), host+".iotrace")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	h.Host, h.Calls, h.WallStart = host, []string{"write"}, time.Unix(1, 0)
	w, err := tracefile.NewWriter(out, h)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		w.Process(&trace.Process{Time: at, Action: trace.ProcessExec, PID: pid, TID: pid, Command: "cp"}),
		w.File(&trace.File{ID: 1, Path: "/a", Device: 1, Inode: 5, Type: trace.FileRegular}),
		w.Syscall(&trace.Syscall{Start: at + 1, Duration: 1000, PID: pid, TID: pid, Op: trace.OpWrite, File: 1, Requested: 9,
			Result: 9, Offset2: trace.NoOffset, FD: 3, FD2: -1}),
		w.Close(end))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// What cannot be merged is refused with the reason.
func TestRefused(t *testing.T) {
	cp := recordings + "cp.iotrace"
	damaged := filepath.Join(t.TempDir(), "damaged.iotrace")
	whole, err := os.ReadFile(cp)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 0xff
	if err := os.WriteFile(damaged, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	timeless := filepath.Join(t.TempDir(), "timeless.iotrace")
	var out bytes.Buffer
	w, err := tracefile.NewWriter(&out, trace.Header{OS: "linux"})
	if err == nil {
		err = w.Close(trace.End{})
	}
	if err = errors.Join(err, os.WriteFile(timeless, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		damaged: "is damaged", timeless: "does not know when", recordings + "mac.iotrace": "traces of one system",
		"missing.iotrace": "no such file",
	} {
		if _, err := conversion.Merge(new(bytes.Buffer), []conversion.Part{{Path: cp}, {Path: path}}, "test"); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// Nothing tells the names of hosts of a merged trace from which names were taken out.
func TestAnonymous(t *testing.T) {
	// The whole names are looked for: a pseudonym is 13 random letters, which by chance spell any short word.
	tells := func(s string) bool { return strings.Contains(s, "alphahost") || strings.Contains(s, "betahost") }
	path := merged(t, conversion.Part{Path: recordings + "cp.iotrace", Name: "alphahost"},
		conversion.Part{Path: recordings + "losses.iotrace", Name: "betahost"})
	copied, remove, err := conversion.NewKey().Copy(path)
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	r, err := tracefile.Each(copied, func(b *trace.Batch) {
		for i := range b.Files {
			if f := &b.Files[i]; tells(f.Path + f.Mount) {
				t.Errorf("a file: %s", f.Path)
			}
		}
		for i := range b.Devices {
			if d := &b.Devices[i]; tells(d.Name + d.Backing) {
				t.Errorf("a device: %s", d.Name)
			}
		}
		for i := range b.Processes {
			if p := &b.Processes[i]; tells(p.Command + p.Exe) {
				t.Errorf("a process: %s", p.Command)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Header().Limits {
		if tells(l.Text) {
			t.Errorf("a limit: %s", l.Text)
		}
	}
}

func TestParts(t *testing.T) {
	paths := []string{"a/x.iotrace", "b/y.iotrace", "c/y.iotrace"}
	parts, err := conversion.Parts(paths, []string{"x.iotrace=client"}, []string{"b/y.iotrace=+1.2ms"})
	want := []conversion.Part{{Path: paths[0], Name: "client"}, {Path: paths[1], Late: 1200 * time.Microsecond},
		{Path: paths[2]}}
	if diff := cmp.Diff(want, parts); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range []string{"x.iotrace", "=1ms", "x.iotrace=", "z=1ms", "y.iotrace=1ms", "x.iotrace=soon"} {
		if _, err := conversion.Parts(paths, nil, []string{bad}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
