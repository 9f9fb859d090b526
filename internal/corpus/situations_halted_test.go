//go:build linux

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
)

// Programs that somebody else halts, and file systems that somebody freezes under them.
var ofHalts = []situation{
	{"slowed down by signals", "stopped for 90 ms of each 100 ms, as cpulimit does", func(t testing.TB, n int) []string {
		return halting(t, workDir(t), fmt.Sprintf("for i in $(seq %d); do kill -STOP $p; sleep .09; kill -CONT $p; "+
			"sleep .01; done", 25*n))
	}, is(cause.Stopped), false},
	{"traced by a debugger", "attached for a second", func(t testing.TB, n int) []string {
		return halting(t, workDir(t), "exec "+python(`import ctypes, sys
c = ctypes.CDLL(None); p = int(sys.argv[1])
c.ptrace(16, p, 0, 0); os.waitpid(p, 0); time.sleep(%d); c.ptrace(17, p, 0, 0)`, 2*n)+" $p")
	}, is(cause.Traced), false},
	{"traced at each call", "strace -f of a shell, inside of the recording", func(t testing.TB, n int) []string {
		needPrograms(t, "strace")
		return in(workDir(t), fmt.Sprintf("strace -f -o /dev/null sh -c 'for i in $(seq %d); do echo $i > f; done'", 6000*n))
	}, is(cause.Traced), false},
	{"frozen with its group", "cgroup v2", func(t testing.TB, n int) []string {
		group := freezer(t, "cgroup.freeze")
		return halting(t, workDir(t), fmt.Sprintf("echo $p > %s/cgroup.procs; echo 1 > %[1]s/cgroup.freeze; sleep %d; "+
			"echo 0 > %[1]s/cgroup.freeze", group, 2*n))
	}, is(cause.Frozen), false},
	{"frozen while it sleeps", "cgroup v1; sleeps of 20 ms", func(t testing.TB, n int) []string {
		group := freezer(t, "freezer.state")
		dir := workDir(t)
		background(t, dir, fmt.Sprintf("%s; echo $p > %s/cgroup.procs; echo FROZEN > %[2]s/freezer.state; sleep %d; "+
			"echo THAWED > %[2]s/freezer.state", awaited, group, 2*n))
		return in(dir, python(`open("new", "w").write(str(os.getpid())); os.rename("new", "pid")
for i in range(60): time.sleep(.02)`))
	}, is(cause.Frozen), false},
	{"a frozen file system", "fsfreeze; ext4; data is written", func(t testing.TB, n int) []string {
		needPrograms(t, "fsfreeze")
		dir := mount(t, "ext4", 256<<20)
		return halting(t, dir, fmt.Sprintf("cd /; fsfreeze -f %s; sleep %d; fsfreeze -u %[1]s", dir, 2*n))
	}, is(cause.FrozenFS), false},
	{"a snapshot while directories are made", "FIFREEZE three times, as a guest agent does; xfs; mkdir", func(t testing.TB,
		n int) []string {
		dir := mount(t, "xfs", 512<<20)
		background(t, dir, awaited+"; cd /; exec "+python(`import sys
f = os.open(sys.argv[1], os.O_RDONLY)
for i in range(%d): fcntl.ioctl(f, 0xc0045877, 0); time.sleep(1); fcntl.ioctl(f, 0xc0045878, 0); time.sleep(.05)`,
			3*n)+" "+dir)
		return in(dir, python(`open("new", "w").write(str(os.getpid())); os.rename("new", "pid")
while time.process_time() < .4 + .2 * %d: os.mkdir("d"); os.rmdir("d")`, n))
	}, is(cause.FrozenFS), false},
}

// awaited waits for the recorded program and sets p to its number.
const awaited = "for i in $(seq 1000); do [ -s pid ] && break; sleep .01; done; p=$(cat pid)"

// halting records a program that writes for a moment, beside a script that does something to that program, $p.
func halting(t testing.TB, dir, script string) []string {
	background(t, dir, awaited+"; "+script)
	return in(dir, python(`open("new", "w").write(str(os.getpid())); os.rename("new", "pid")
while time.process_time() < .4: open("out", "wb").write(bytes(100000))`))
}

// freezer is an empty control group that can be frozen, of the version that has a file of that name.
func freezer(t testing.TB, file string) string {
	for _, root := range []string{"/sys/fs/cgroup/unified", "/sys/fs/cgroup/freezer", "/sys/fs/cgroup"} {
		dir := filepath.Join(root, fmt.Sprint("iotrace-corpus-", os.Getpid()))
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(dir) })
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return dir
		}
	}
	cannot(t)("no control groups with %s", file)
	return ""
}
