//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer/ebpf"
)

// left is what is new since a list was made, for as long as it takes to look twice.
func left(t *testing.T, list string, m machine) string {
	t.Helper()
	things, err := run(list, m, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(things, "\n")
}

// A file, a process, a loop device, a group, a mount and a BPF program are found while they are there.
func TestLeftoversAreFound(t *testing.T) {
	testenv.NeedBPF(t)
	testenv.NeedTools(t, "losetup", "mount", "sleep")
	before, err := run("", machine{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "before")
	if err := os.WriteFile(list, []byte(strings.Join(before, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	things := map[string]bool{}
	note := func(thing string) { things[thing] = true }

	dir := testenv.WorkDir(t)
	note("file " + dir)
	sleep := sleeping(t, dir)
	note("sleep 86398")
	image := filepath.Join(dir, "image")
	if err := os.WriteFile(image, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	if err != nil {
		t.Fatal(err)
	}
	note(" of " + image)
	mounted := mountedIn(t, dir)
	note("mount " + mounted)
	detach, err := ebpf.Floor()
	if err != nil {
		t.Fatal(err)
	}
	note("BPF program ")
	text := left(t, list, machine{})
	for thing := range things {
		if !strings.Contains(text, thing) {
			t.Errorf("%q was not found in:\n%s", thing, text)
		}
	}
	foundInItsRoot(t, list, dir, "sleep 86398", " of "+image, "mount "+mounted)

	detach()
	sleep.Process.Kill()
	sleep.Wait()
	for _, undo := range [][]string{{"umount", mounted}, {"losetup", "--detach", strings.TrimSpace(string(out))},
		{"rm", "-r", dir}} {
		if out, err := exec.Command(undo[0], undo[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%q: %v: %s", undo, err, out)
		}
	}
	text = left(t, list, machine{})
	for thing := range things {
		if thing != "BPF program " && strings.Contains(text, thing) { // others may load programs
			t.Errorf("%q is found, though it is not there any more:\n%s", thing, text)
		}
	}
	if len(before) == 0 || !slices.Contains(before, "mount /") {
		t.Errorf("the root directory was not found: %q", before)
	}
}

// A control group in which a process of others runs is theirs, with those above it; an empty one may have been left.
func TestGroups(t *testing.T) {
	dir := t.TempDir()
	for group, processes := range map[string]string{"left": "", "theirs": "", "theirs/runs": "17\n", "theirs/empty": ""} {
		if err := os.MkdirAll(filepath.Join(dir, group), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, group, "cgroup.procs"), []byte(processes), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for root, want := range map[string]string{"/var/tmp/fresh": " left theirs/empty",
		"": " . left theirs theirs/empty theirs/runs"} {
		list, err := machine{root: root}.groupsIn(dir)
		got := ""
		for _, path := range list {
			name, _ := filepath.Rel(dir, path)
			got += " " + name
		}
		if err != nil || got != want {
			t.Errorf("root %q:%s (%v), want%s", root, got, err, want)
		}
	}
}

// sleeping is a process that was started for a directory.
func sleeping(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	c := exec.Command("sleep", "86398")
	c.Env = append(os.Environ(), "IOTRACE_FRESH="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

func mountedIn(t *testing.T, dir string) string {
	t.Helper()
	mounted := filepath.Join(dir, "mounted")
	if err := os.Mkdir(mounted, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mount", "-t", "tmpfs", "none", mounted).Run(); err != nil {
		t.Fatal(err)
	}
	return mounted
}

// foundInItsRoot: what was done in a directory is found for that directory, and not for another.
func foundInItsRoot(t *testing.T, list, dir string, things ...string) {
	t.Helper()
	for root, found := range map[string]bool{dir: true, dir + "/other": false} {
		text := left(t, list, machine{root: root})
		for _, thing := range things {
			if strings.Contains(text, thing) != found {
				t.Errorf("%q of what was done in %s: found is not %v:\n%s", thing, root, found, text)
			}
		}
	}
}
