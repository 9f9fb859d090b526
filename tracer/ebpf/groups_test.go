//go:build linux

package ebpf

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Two groups do the same at once, in programs that begin there and have been there before. In a recording of all each
// of their processes is told with its group, and so the bytes of a group are exact. It does not matter that processes
// end at once, nor whether their parents are there still.
func TestGroupOfEachProcess(t *testing.T) {
	needBPF(t)
	for version, root := range groupRoots(t) {
		t.Run(version, func(t *testing.T) {
			if version == "version 1" { // of several groups that of the hierarchy for disks counts
				root = filepath.Join(filepath.Dir(root), "blkio")
			}
			name := "iotrace-groups-" + strconv.Itoa(os.Getpid())
			one, two := makeGroup(t, root, name), makeGroup(t, root, name+"-two")
			dir := workDir(t)
			file := func(name string) string { return filepath.Join(dir, name) }
			line := waits(file("go")) + writes(file("one"), 31)
			before := start(t, "/bin/sh", "-c", enters(one)+"> "+file("in")+"; "+line)
			await(t, "it to be in its group", func() bool { return size(file("in")) == 0 })
			s := begin(t, Options{}, tracer.Scope{All: true})
			// It is told with the group in which it began its program, and what it starts with the one that it is moved to.
			later := start(t, "/bin/sh", "-c", enters(two)+"(echo x >'"+file("sub")+"'); "+writes(file("two"), 31))
			if err := os.WriteFile(file("go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(before.Wait(), later.Wait()); err != nil {
				t.Fatal(err)
			}
			r := s.end()
			groups := map[uint32]string{}
			for _, p := range r.Processes {
				if p.Cgroup != "" {
					groups[p.PID] = p.Cgroup
				}
			}
			bytes := map[string]int64{}
			for _, c := range r.Syscalls {
				switch path := r.path(c.File); {
				case c.Op == trace.OpWrite && (path == file("one") || path == file("two")):
					bytes[groups[c.PID]] += max(c.Result, 0)
				case c.Op == trace.OpWrite && path == file("sub") && groups[c.PID] != two.Path:
					t.Errorf("a process that begins no program is in %q, want that of its parent, %q", groups[c.PID], two.Path)
				}
			}
			if len(bytes) != 2 || bytes[one.Path] != 31<<16 || bytes[two.Path] != 31<<16 {
				t.Errorf("%v, want %d each of %s and %s", bytes, 31<<16, one.Path, two.Path)
			}
		})
	}
}

// A process may begin in another group than its parent's (CLONE_INTO_CGROUP), some levels down, and be gone with its
// group before anybody can ask.
func TestGroupFromTheFirstMoment(t *testing.T) {
	needBPF(t)
	root, ok := groupRoots(t)["version 2"]
	if !ok {
		missing(t, "no control groups of version 2 are mounted")
	}
	outer := makeGroup(t, root, "iotrace-first-"+strconv.Itoa(os.Getpid()))
	inner := filepath.Join(outer.Dir, "a b", strings.Repeat("c", 200))
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	exe, out := buildProcesses(t), filepath.Join(workDir(t), "out")
	s := begin(t, Options{}, tracer.Scope{All: true})
	c := exec.Command("/bin/sh", "-c", `"$0" clone3 "$1"; true`, exe, out)
	c.Env = append(os.Environ(), "GROUP="+inner)
	if err := c.Run(); err != nil || size(out) != 1 {
		t.Fatalf("%d bytes written, %v", size(out), err)
	}
	for _, dir := range []string{inner, filepath.Dir(inner)} {
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
	}
	r, want := s.end(), strings.TrimPrefix(inner, root)
	list := r.calls("write", out)
	if len(list) != 1 {
		t.Fatalf("%d writes", len(list))
	}
	if told := r.processes(trace.ProcessFork)[list[0].PID].Cgroup; told != want {
		t.Errorf("its fork: %q, want %q", told, want)
	}
}

// What the groups of hierarchies tell follows from their controllers, whatever their numbers.
func TestHierarchyRanks(t *testing.T) {
	ranks := hierarchyRanks("12:cpu,cpuacct:/x\n9:blkio:/y\n3:name=systemd:/z\n2:memory:/m\n70:pids:/p\nx\n0::/u\n")
	for number, want := range map[int]uint8{0: 0, 3: 1, 9: 2, 2: 3, 12: 4, 1: 4, 63: 4} {
		if ranks[number] != want {
			t.Errorf("hierarchy %d: %d, want %d", number, ranks[number], want)
		}
	}
}
