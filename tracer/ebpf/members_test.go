//go:build linux

package ebpf

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// groupRoots are where hierarchies of control groups are mounted: that of version 2, and one of version 1.
func groupRoots(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(host.OwnMounts)
	if err != nil {
		t.Fatal(err)
	}
	roots := map[string]string{}
	for _, m := range host.ParseMounts(string(text)) {
		switch {
		case m.FSType == "cgroup2":
			roots["version 2"] = m.Point
		case m.FSType == "cgroup" && slices.Contains(strings.Split(m.Options, ","), "pids"):
			roots["version 1"] = m.Point
		}
	}
	if len(roots) == 0 {
		missing(t, "no hierarchy of control groups is mounted")
	}
	return roots
}

// makeGroup makes a control group for the time of a test.
func makeGroup(t *testing.T, elements ...string) machine.Group {
	t.Helper()
	dir := filepath.Join(elements...)
	if err := os.Mkdir(dir, 0o755); err != nil {
		missing(t, "no control group: %v", err)
	}
	t.Cleanup(func() {
		await(t, "a control group to be empty", func() bool { return os.Remove(dir) == nil })
	})
	g, err := machine.FindGroup(dir)
	if err != nil {
		t.Fatal(err)
	}
	if g.Dir != dir {
		t.Fatalf("found %+v, want %s", g, dir)
	}
	return g
}

// enters is the line of a shell by which it enters a group.
func enters(g machine.Group) string { return "echo $$ > '" + g.Dir + "/cgroup.procs'; " }

// writes is the line by which it has blocks of 64 KiB written directly.
func writes(file string, blocks int) string {
	return fmt.Sprintf("dd if=/dev/zero of='%s' bs=64k count=%d oflag=direct conv=notrunc status=none; ", file, blocks)
}

// waits is the line by which it waits for a file.
func waits(file string) string { return "while [ ! -e '" + file + "' ]; do sleep 0.02; done; " }

// bytesOf is what was recorded of a file: bytes at the calls, and at the device in requests of recorded processes.
func (r *recording) bytesOf(path string) (calls, requests int64) {
	for _, s := range r.Syscalls {
		if s.Op == trace.OpWrite && r.path(s.File) == path {
			calls += max(s.Result, 0)
		}
	}
	for i := range r.Requests {
		q := &r.Requests[i]
		if q.Op != trace.ReqWrite || q.Flags&trace.ReqForeign != 0 {
			continue
		}
		for _, e := range extents(q) {
			if r.path(e.File) == path {
				requests += e.Bytes
			}
		}
	}
	return calls, requests
}

// wrote checks what was recorded of a file that blocks were written to, past the cache: all calls, and all requests but
// those that no probe can see (see hidden).
func (r *recording) wrote(t *testing.T, path string, blocks int64) {
	t.Helper()
	const block = 64 << 10
	want := blocks * block
	if calls, requests := r.bytesOf(path); calls != want || requests > want || want-requests > int64(r.hidden)*block {
		t.Errorf("%s: %d bytes in calls and %d in requests, want %d; %d requests cannot be seen", filepath.Base(path), calls,
			requests, want, r.hidden)
	}
}

// Two groups do the same at the same time. What is recorded of one, the groups below it and those who enter it later is
// to the byte what they wrote, and nothing is recorded of the other, nor of who has left.
func TestGroupsAreToldApart(t *testing.T) {
	needBPF(t)
	for version, root := range groupRoots(t) {
		t.Run(version, func(t *testing.T) {
			name := "iotrace-members-" + strconv.Itoa(os.Getpid())
			mine := makeGroup(t, root, name)
			below, other := makeGroup(t, mine.Dir, "below"), makeGroup(t, root, name+"-other")
			dir := workDir(t)
			file := func(name string) string { return filepath.Join(dir, name) }
			before := start(t, "/bin/sh", "-c", enters(below)+"> "+file("in")+"; "+waits(file("go"))+writes(file("before"), 31))
			beside := start(t, "/bin/sh", "-c", enters(other)+"> "+file("in2")+"; "+waits(file("go"))+writes(file("beside"), 31))
			await(t, "both to be in their groups", func() bool { return size(file("in")) == 0 && size(file("in2")) == 0 })
			s := begin(t, Options{}, tracer.Scope{Groups: []machine.Group{mine}})
			later := start(t, "/bin/sh", "-c", writes(file("not yet"), 3)+enters(mine)+writes(file("later"), 17)+enters(below)+
				writes(file("still"), 5)+enters(other)+writes(file("left"), 3)+enters(mine)+writes(file("back"), 2))
			never := start(t, "/bin/sh", "-c", enters(other)+writes(file("never"), 17))
			if err := os.WriteFile(file("go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, c := range []interface{ Wait() error }{before, beside, later, never} {
				if err := c.Wait(); err != nil {
					t.Fatal(err)
				}
			}
			rec := s.end()
			for name, blocks := range map[string]int64{"before": 31, "later": 17, "still": 5, "back": 2, "beside": 0,
				"not yet": 0, "left": 0, "never": 0} {
				rec.wrote(t, file(name), blocks)
			}
			pids := map[uint32]bool{}
			for _, p := range rec.Processes {
				pids[p.PID] = pids[p.PID] || p.Action != trace.ProcessHelper
			}
			for what, pid := range map[string]int{"before": before.Process.Pid, "later": later.Process.Pid} {
				if !pids[uint32(pid)] {
					t.Errorf("the process that was to write %q is not described", what)
				}
			}
			for what, pid := range map[string]int{"beside": beside.Process.Pid, "never": never.Process.Pid} {
				if pids[uint32(pid)] {
					t.Errorf("the process that was to write %q is recorded", what)
				}
			}
			var life []trace.ProcessAction
			for _, p := range rec.Processes {
				if p.PID == uint32(later.Process.Pid) && p.Action != trace.ProcessHelper {
					life = append(life, p.Action)
				}
			}
			if want := []trace.ProcessAction{trace.ProcessPresent, trace.ProcessRunning, trace.ProcessPresent,
				trace.ProcessExit}; !slices.Equal(life, want) {
				t.Errorf("what is told of the process that comes, goes and comes back: %v, want %v", life, want)
			}
		})
	}
}

// All threads of a member are recorded, and its children.
func TestThreadsOfMembers(t *testing.T) {
	needBPF(t)
	needTools(t, "setpriv")
	exe := buildProcesses(t)
	uid := unusedUser()
	for version, root := range groupRoots(t) {
		g := makeGroup(t, root, "iotrace-threads-"+strconv.Itoa(os.Getpid()))
		for by, scope := range map[string]tracer.Scope{version: {Groups: []machine.Group{g}},
			"user, beside " + version: {Users: []tracer.Account{{UID: uid}}}} {
			t.Run(by, func(t *testing.T) {
				dir := workDir(t)
				if err := os.Chmod(dir, 0o755); err != nil { // it asks as that user whether it may begin
					t.Fatal(err)
				}
				file := filepath.Join(dir, "out")
				args := []string{"/bin/sh", "-c", enters(g) + `exec "$0" "$@"`}
				if len(scope.Users) > 0 {
					args = []string{"setpriv", "--ruid", fmt.Sprint(uid)}
				}
				c := start(t, append(args, exe, "wait, then fork", file)...)
				await(t, "the program to run", func() bool {
					runs, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", c.Process.Pid))
					return runs == exe
				})
				s := begin(t, Options{}, scope)
				if err := os.WriteFile(file+".go", nil, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := c.Wait(); err != nil {
					t.Fatal(err)
				}
				rec := s.end()
				tids := map[uint32]bool{}
				list := rec.calls("write", file)
				for _, w := range list {
					tids[w.TID] = true
				}
				if len(list) != 3 || len(tids) != 3 {
					t.Errorf("%d writes by %d threads, want 3 by 3", len(list), len(tids))
				}
			})
		}
	}
}

// unusedUser is the number of a user that nobody else is.
func unusedUser() uint32 { return 1<<30 + uint32(os.Getpid())<<1 }

// A process is recorded for as long as it has the user, and so are its children; a user that a recorded process changes
// to is not recorded by that.
func TestUsersAreToldApart(t *testing.T) {
	needBPF(t)
	needTools(t, "setpriv")
	uid := unusedUser()
	dir := workDir(t)
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mine", "others", "changes"} {
		if err := errors.Join(os.WriteFile(file(name), nil, 0o600), os.Chmod(file(name), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	s := begin(t, Options{}, tracer.Scope{Users: []tracer.Account{{UID: uid}}})
	as := func(uid uint32, line string) *exec.Cmd {
		return start(t, "setpriv", "--clear-groups", "--reuid", fmt.Sprint(uid), "/bin/sh", "-c", line)
	}
	mine, others := as(uid, writes(file("mine"), 31)), as(uid+1, writes(file("others"), 31))
	changes := start(t, workload.Args("users", file("changes"), fmt.Sprint(uid), fmt.Sprint(uid+1))...)
	for _, c := range []interface{ Wait() error }{mine, others, changes} {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	rec := s.end()
	for name, blocks := range map[string]int64{"mine": 31, "others": 0} {
		rec.wrote(t, file(name), blocks)
	}
	list := rec.calls("write", file("changes"))
	slices.SortFunc(list, func(a, b trace.Syscall) int { return cmp.Compare(a.Start, b.Start) })
	var sizes []int64
	for _, w := range list {
		sizes = append(sizes, w.Result)
	}
	if want := []int64{1, 3, 5}; !slices.Equal(sizes, want) {
		t.Errorf("writes of %v bytes by a process that changes its user, want %v", sizes, want)
	}
}
