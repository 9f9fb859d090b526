package testenv

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of all descendants that lose theirs, daemons too.
func adoptOrphans() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // fails on no kernel that we run on
}

// ending is how long a process that was killed may take to end, on a machine that is busy with other things.
const ending = 5 * time.Second

// endChildren reports the children that run, kills them and waits until none is left.
func endChildren(w io.Writer) (found bool) {
	left := children()
	for began := time.Now(); len(left) > 0 && time.Since(began) < ending; left = children() {
		time.Sleep(10 * time.Millisecond)
	}
	killed := map[int]bool{}
	for len(left) > 0 { // the children of those that end become ours
		for pid, command := range maps.All(left) {
			if !killed[pid] {
				fmt.Fprintf(w, "FAIL: a process that the tests started is still running: %d %s\n", pid, command)
				_ = unix.Kill(pid, unix.SIGKILL)
				killed[pid] = true
			}
		}
		time.Sleep(10 * time.Millisecond)
		left = children()
	}
	return len(killed) > 0
}

// children lists the command lines of this process's children that have not ended, and forgets those that have.
func children() map[int]string {
	running := map[int]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path) // none if it has ended meanwhile
		_, rest, _ := strings.Cut(string(text), ") ")
		var state string
		var parent int
		if _, err := fmt.Sscan(rest, &state, &parent); err != nil || parent != os.Getpid() {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			continue
		}
		if ended, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err != nil || ended == pid {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		running[pid] = strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " "))
	}
	return running
}
