//go:build linux

package testenv

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const list = "/proc/self/mountinfo"

// Whether or not the machine has tracefs mounted, both ways reach it, and its mounts stay as they are.
func TestMountsStayAsTheyAre(t *testing.T) {
	NeedRoot(t)
	before, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	dir, closed, err := OpenTracefs()
	if err != nil {
		t.Fatal(err)
	}
	const event = "/events/block/block_rq_complete/id"
	ours, err := os.ReadFile(dir + event)
	if err != nil {
		t.Fatal(err)
	}
	words := WithTracefs("cat", "/sys/kernel/tracing"+event)
	theirs, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil || string(theirs) != string(ours) {
		t.Errorf("a program of its own reads %q (%v), the open directory has %q", theirs, err, ours)
	}
	if err := closed(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir + event); err == nil {
		t.Error("the directory is still there after it was closed")
	}
	if after, err := os.ReadFile(list); err != nil || string(after) != string(before) {
		t.Errorf("mounts before:\n%s\nafter:\n%s", before, after)
	}
}

// The program keeps its arguments and its status.
func TestCommandIsTheProgram(t *testing.T) {
	NeedRoot(t)
	words := WithTracefs("sh", "-c", `printf '%s|' "$0" "$@"; exit 3`, "a b", "$c")
	out, err := exec.Command(words[0], words[1:]...).Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || strings.TrimSpace(string(out)) != "a b|$c|" {
		t.Errorf("%q, %v", out, err)
	}
}
