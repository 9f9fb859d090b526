package conversion

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

func TestPaths(t *testing.T) {
	k := NewKey()
	word := k.word
	for path, want := range map[string]string{
		"": "", "/": "/", "/home/ann/plan.xlsx": "/" + word("home") + "/" + word("ann") + "/" + word("plan.xlsx") + ".xlsx",
		"/a.longextension": "/" + word("a.longextension"), "/.profile": "/" + word(".profile"), "x/../y": word("x") +
			"/../" + word("y"),
		"/a.b c": "/" + word("a.b c"), "/a.": "/" + word("a."), "pipe:[12]": "pipe:[12]", "memfd:secret": "memfd:" +
			word("secret"),
		"secret:plan.txt": word("secret:plan.txt") + ".txt", "pipe:ann": word("pipe:ann"), "C:/ann": "C:/" + word("ann"),
		"open:[7]": "open:[7]", "TCP:[ann->bob]": "TCP:" + word("[ann->bob]"), "ann:[3]": word("ann:[3]"),
		"anon_inode:[eventfd]": "anon_inode:[eventfd]", "/dir:ann/x": "/" + word("dir:ann") + "/" + word("x"),
	} {
		if got := k.path(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	if NewKey().word("home") == word("home") {
		t.Error("another key makes the same name")
	}
}

// A key that was kept makes the same names again.
func TestKeyIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	a, err := OpenKey(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := OpenKey(path, nil)
	if err != nil || a.word("x") != b.word("x") {
		t.Errorf("%v: another key", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKey(path, nil); err == nil || !strings.Contains(err.Error(), "32 bytes") {
		t.Errorf("%v", err)
	}
}

// No name of a recording is in its copy, and what was measured is: the same calls, bytes, copies and times.
func TestAnonymousRecordings(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			copied, remove, err := NewKey().Copy(file)
			if err != nil {
				t.Fatal(err)
			}
			defer remove()
			before, after := texts(t, file), texts(t, copied)
			for name := range before.names {
				if after.names[name] {
					t.Errorf("%q is still there", name)
				}
			}
			if before.calls != after.calls || before.requests != after.requests {
				t.Errorf("%d calls and %d requests of %d and %d", after.calls, after.requests, before.calls, before.requests)
			}
			a, b := analysis(t, file), analysis(t, copied)
			if a.WallNS != b.WallNS || a.DurableNS != b.DurableNS || len(a.Files) != len(b.Files) ||
				a.Layers[0].Name != b.Layers[0].Name || len(a.Devices) != len(b.Devices) {
				t.Errorf("wall %d, durable %d, %d files; before %d, %d, %d", b.WallNS, b.DurableNS, len(b.Files), a.WallNS,
					a.DurableNS, len(a.Files))
			}
		})
	}
}

// The groups of limits are renamed, in a copy.
func TestGroupsOfLimits(t *testing.T) {
	e := trace.End{IOLimits: []trace.IOLimit{{Group: "/secret/job", WriteBytes: 1}},
		Memory:     []trace.MemoryLimit{{Group: "/secret/job", Bytes: 1}},
		Processors: &trace.Processors{Others: []trace.Runner{{PID: 1, Command: "secret", Time: 1}}}}
	renamed := NewKey().end(e)
	if len(renamed.Processors.Others) > 0 || len(e.Processors.Others) != 1 {
		t.Errorf("%+v of %+v", renamed.Processors, e.Processors)
	}
	if m := renamed.Memory; len(m) != 1 || strings.Contains(m[0].Group, "secret") || e.Memory[0].Group != "/secret/job" {
		t.Errorf("%+v of %+v", m, e.Memory)
	}
	got := renamed.IOLimits
	if len(got) != 1 || strings.Contains(got[0].Group, "secret") || got[0].WriteBytes != 1 ||
		e.IOLimits[0].Group != "/secret/job" {
		t.Errorf("%+v of %+v", got, e.IOLimits)
	}
}

// Mounts and directories are renamed, in a copy; of options those stay that can hold no name.
func TestMounts(t *testing.T) {
	e := trace.End{SyncedDirs: []string{"/secret/d"}, Mounts: []trace.Mount{{Point: "/secret", Source: "/dev/secret",
		FSType: "overlay", Options: "rw,nobarrier,data=journal,lowerdir=/secret/l,upperdir=/secret/u,username=secret"}}}
	renamed := NewKey().end(e)
	m := renamed.Mounts[0]
	if strings.Contains(fmt.Sprint(m, renamed.SyncedDirs), "secret") || m.Options != "rw,nobarrier,data=journal" {
		t.Errorf("%+v, %v", m, renamed.SyncedDirs)
	}
	if e.Mounts[0].Point != "/secret" || e.SyncedDirs[0] != "/secret/d" {
		t.Errorf("%+v", e)
	}
}

// Of samples, libraries and functions are renamed as files are, in a copy; those of the kernel are no secret.
func TestSamplesAreRenamed(t *testing.T) {
	e := trace.End{Samples: []trace.Sample{
		{Process: "job", Library: "libsecret.so", Function: "secret_of", Count: 2},
		{Process: "job", Library: trace.SampleKernel, Function: "clear_page", Count: 1},
	}}
	renamed := NewKey().end(e).Samples
	if strings.Contains(fmt.Sprint(renamed[0]), "secret") || renamed[0].Count != 2 || renamed[1] != e.Samples[1] ||
		e.Samples[0].Library != "libsecret.so" {
		t.Errorf("%+v of %+v", renamed, e.Samples)
	}
}

// Servers are renamed, what they were asked for stays.
func TestServersAreRenamed(t *testing.T) {
	b := trace.Batch{RPCs: []trace.RPC{{Server: "secret.example", Procedure: "READ"}, {Procedure: "NULL"}}}
	NewKey().batch(&b)
	if r := b.RPCs; strings.Contains(r[0].Server, "secret") || r[0].Server == "" || r[0].Procedure != "READ" ||
		r[1].Server != "" {
		t.Errorf("%+v", r)
	}
}

func analysis(t *testing.T, path string) *profile.Profile {
	t.Helper()
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// content is what a trace says: names of files and directories, arguments, the host.
type anonymousContent struct {
	names           map[string]bool
	calls, requests int
}

func texts(t *testing.T, path string) anonymousContent {
	t.Helper()
	in, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tracefile.NewReader(bytes.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	c := anonymousContent{names: map[string]bool{}}
	keep := func(path string) {
		for name := range strings.SplitSeq(path, "/") {
			if len(name) > 2 && !strings.Contains(name, ":[") {
				c.names[name] = true
			}
		}
	}
	h := r.Header()
	keep(h.Host)
	keep(h.Dir)
	for i, arg := range h.Command {
		if i > 0 {
			keep(arg)
		}
	}
	var b trace.Batch
	for r.Next(&b) == nil {
		c.calls, c.requests = c.calls+len(b.Syscalls), c.requests+len(b.Requests)
		for _, f := range b.Files {
			keep(f.Path)
			keep(f.Mount)
		}
		for _, p := range b.Processes {
			keep(p.Exe)
			keep(strings.ReplaceAll(p.Args, "\x00", "/"))
		}
		for _, d := range b.Devices {
			keep(d.Backing)
		}
	}
	if end, ok := r.End(); ok {
		for _, w := range end.Warnings {
			c.names[w] = true
		}
	}
	return c
}

// A damaged trace is refused, and nothing is left.
func TestDamageIsRefused(t *testing.T) {
	whole, err := os.ReadFile("../../testdata/cp.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 0xff
	path := filepath.Join(t.TempDir(), "damaged.iotrace")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	if _, _, err := NewKey().Copy(path); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
