//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/testenv"
)

// Kinds of work that lie in which names are asked for, and in where data lies.
var ofPlaces = []kind{
	{situation{"commands searched for in many directories", "dash, 60 directories in PATH", func(t testing.TB,
		n int) []string {
		dir := workDir(t)
		return in(dir, fmt.Sprintf(`dash -c 'p=/usr/bin; for i in $(seq 60); do p=$PWD/$i:$p; done
PATH=$p; for i in $(seq %d); do type nothing$i > /dev/null; done; true'`, 400*n))
	}, is(cause.OwnCPU, cause.Names, cause.ProgramStart), false}, "looked_for", "lookups found nothing, in 5", "places"},
	{situation{"a stop file that is asked for at each step", "python", func(t testing.TB, n int) []string {
		return in(workDir(t), python(`for i in range(%d): os.path.exists("stop")`, 150_000*n))
	}, is(cause.OwnCPU, cause.Names), false}, "looked_for", "stop was looked for 150,000 times and is not there",
		"not there"},
	{situation{"a search for new files in a cold tree", "each read takes 4 ms; find -newer", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for d in $(seq %d); do mkdir -p old/$d; (cd old/$d; seq -f f%%g 100 | "+
			"xargs touch); done", dir, 40*n))
		remount(t, dir)
		return in(dir, "find . -newer file")
	}, is(cause.DeviceLatency, cause.Names), false}, "looked_at", "files below old were only looked at",
		"only looked at"},
	{situation{"a scan that keeps a stamp", "each write takes 60 ms; python", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 60 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for d in $(seq %d); do mkdir -p old/$d; (cd old/$d; seq -f f%%g 100 | "+
			"xargs touch); done; sync -f .", dir, 80*n))
		return in(dir, python(`for d, _, names in os.walk("old"):
    for x in names: os.stat(d + "/" + x)
open("stamp", "w").write("done")`))
	}, is(cause.OwnCPU, cause.Names), false}, "looked_at", "files below old were only looked at", "or keep what is known"},
	{situation{"modules that are compiled each time", "a file system that is mounted read-only; python", func(t testing.TB,
		n int) []string {
		dir := mount(t, "xfs", 320<<20)
		run(t, "python3", "-c", fmt.Sprintf(`for i in range(%d):
    open("%s/m%%d.py" %% i, "w").write("\n".join("def f%%d(x):\n    return [x + %%d for y in range(x)]" %% (k, k)
        for k in range(1500)))`, 20*n, dir))
		from := source(t, dir)
		run(t, "umount", dir)
		run(t, "mount", "-o", "ro", from, dir)
		return in(dir, "unset PYTHONDONTWRITEBYTECODE; "+python(`import sys
sys.path.insert(0, ".")
for i in range(%d): __import__("m%%d" %% i)`, 20*n))
	}, is(cause.OwnCPU), false}, "not_kept", "__pycache__ (read-only)", "Nothing could be kept"},
	{situation{"two recordings in one file, mixed", "each read takes 6 ms; O_DIRECT", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		return in(dir, python(`f = os.open("file", os.O_RDONLY | os.O_DIRECT); b = mmap.mmap(-1, 65536)
for i in range(%d): os.preadv(f, [b], i << 16); os.preadv(f, [b], (32 << 20) + (i << 16))`, 100*n))
	}, is(cause.DeviceLatency), false}, "by_turns", "file was read in several places by turns", "by turns"},
	{situation{"an image that is wiped", "each write takes 3 ms; zeros behind a header", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 3 * time.Millisecond, Link: 60_000_000}, 1)
		return in(dir, python(`f = os.open("disk", os.O_WRONLY | os.O_CREAT)
for i in range(%d): os.write(f, b"header%%d" %% i + bytes(262000))
os.fsync(f)`, 200*n))
	}, is(cause.Sync, cause.DeviceBandwidth, cause.DirtyLimit), false}, "zeros", "written are zeros, most of them in disk",
		"written are zeros"},
	{situation{"pages of a file on btrfs", "each write takes 3 ms; pwrite, O_DSYNC", func(t testing.TB, n int) []string {
		dir := formatted(t, 3*time.Millisecond, "noatime", "mkfs.btrfs", "-q", "-f")
		fill(t, filepath.Join(dir, "base"), 64<<20)
		run(t, "sync", "-f", dir)
		return in(dir, python(`f = os.open("base", os.O_WRONLY | os.O_DSYNC)
for i in range(%d): os.pwrite(f, os.urandom(8192), random.randrange(8000) * 8192)`, 120*n))
	}, is(cause.Sync, cause.DeviceLatency, cause.DeviceBandwidth), false}, "copied_on_write",
		"btrfs wrote each piece of base to a new place", "new place"},
}

// TestKindsOfPlaces records each of them: its cause comes first, and the kind is named in the first lines.
func TestKindsOfPlaces(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "dash", "find", "cmp", "python3", "mkfs.xfs", "mkfs.btrfs")
	for _, s := range ofPlaces {
		t.Run(s.name, func(t *testing.T) { s.told(t) })
	}
}
