//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
)

// treeOf is a device of 40 MB/s with a directory of files.
func treeOf(t testing.TB, n int) string {
	dir := rated(t, 40_000_000, 1)
	run(t, "mkdir", dir+"/dir")
	for i := range 20 * n {
		fill(t, filepath.Join(dir, fmt.Sprint("dir/f", i)), 1<<20)
	}
	anew(t, dir, "noatime")
	return dir
}

// lines are so many numbers in a file, in no order, on a device of 40 MB/s.
func lines(t testing.TB, n int) string {
	dir := rated(t, 40_000_000, 1)
	run(t, "sh", "-c", fmt.Sprintf("seq %d | shuf > %s/list && sync -f %[2]s", 1_500_000*n, dir))
	anew(t, dir, "noatime")
	return dir
}

// onDrive are the causes of what goes through a drive by way of memory.
var onDrive = is(cause.DeviceBandwidth, cause.DeviceLatency, cause.Sync, cause.Settling, cause.DirtyLimit, cause.OwnCPU,
	cause.Readahead)

// Files that are a step in between, each kind in two situations: a program writes them for another one, or for itself.
var ofSteps = []kind{
	{situation{"an archive in between", "40 MB/s; tar cf, tar xf, rm", func(t testing.TB, n int) []string {
		return in(treeOf(t, n), "mkdir other; tar cf step.tar dir && tar xf step.tar -C other && rm step.tar; sync -f .")
	}, onDrive, false}, "handed_over", "from tar to tar in step.tar, deleted afterwards; a pipe (tar | tar)",
		"a pipe (tar | tar)"},
	{situation{"a script's mktemp", "40 MB/s; tr > file, gzip < file", func(t testing.TB, n int) []string {
		return in(lines(t, n), "t=$(mktemp -p .); tr 0-9 a-j < list > $t; gzip -1 < $t > list.gz; rm $t; sync -f .")
	}, onDrive, false}, "handed_over", "a pipe (tr | gzip)", "a pipe (tr | gzip)"},
	{situation{"an archive that is read from its end", "40 MB/s; zip, unzip, rm", func(t testing.TB, n int) []string {
		needPrograms(t, "zip", "unzip")
		return in(treeOf(t, n), "zip -q -0 -r step.zip dir; unzip -q -d other step.zip; rm step.zip; sync -f .")
	}, onDrive, false}, "handed_over", "from zip to unzip in step.zip", "these files on another drive"},
	{situation{"unpacked, copied and removed", "40 MB/s; tar xf, cp -r, rm", func(t testing.TB, n int) []string {
		dir := treeOf(t, n)
		run(t, "sh", "-c", "cd "+dir+"; tar cf from.tar dir; rm -r dir")
		anew(t, dir, "noatime")
		return in(dir, "mkdir tmp; tar xf from.tar -C tmp; cp -r tmp/dir site; rm -r tmp; sync -f .")
	}, onDrive, false}, "via_temporary", "was copied on to site, and deleted", "write it to its place at once"},
	{situation{"a sort with little memory", "40 MB/s; sort -S 2M", func(t testing.TB, n int) []string {
		return in(lines(t, n), "LC_ALL=C sort -S 2M -T . -o sorted list; sync -f .")
	}, onDrive, false}, "temporary_files", "came back; more memory for the program", "went through temporary files, and"},
	{situation{"a sort that compresses its runs", "40 MB/s; sort --compress-program", func(t testing.TB, n int) []string {
		return in(lines(t, n), "LC_ALL=C sort -S 4M -T . --compress-program=gzip -o sorted list; sync -f .")
	}, onDrive, false}, "temporary_files", "came back; more memory for the program", "went through temporary files, and"},
	{situation{"git status after touch", "each read takes 4 ms; files are mapped", func(t testing.TB, n int) []string {
		needPrograms(t, "git")
		dir := manyRead(t, n, `git init -q src; cd src; git -c gc.auto=0 add .
git -c user.name=x -c user.email=x@x commit -q -m x; sleep 1.2; touch *`)
		return in(dir, "git -C src status > /dev/null")
	}, is(cause.DeviceLatency, cause.MappedReads, cause.OwnCPU, cause.ProgramStart), false}, "read_all",
		"contents decide then (touch, checkout", "Other times or inodes than it had kept"},
	{situation{"an index of sums after another copy", "each read takes 4 ms; files are mapped", func(t testing.TB,
		n int) []string {
		dir := manyRead(t, n, python(sums)+"; sleep 1.2; touch src/*")
		return in(dir, python(sums))
	}, is(cause.DeviceLatency, cause.MappedReads, cause.OwnCPU, cause.ProgramStart), false}, "read_all",
		"contents decide then (touch, checkout", "Other times or inodes than it had kept"},
}

// sums is a program of its own that keeps sums of what it maps, and looks at the times first.
const sums = `import glob, hashlib, json
old = json.load(open("state")) if os.path.exists("state") else {}
for p in sorted(glob.glob("src/f*")):
    s = os.stat(p)
    if old.get(p, [0])[0] == s.st_mtime_ns: continue
    f = os.open(p, os.O_RDONLY); m = mmap.mmap(f, 0, prot=mmap.PROT_READ)
    old[p] = [s.st_mtime_ns, hashlib.sha1(m).hexdigest()]
json.dump(old, open("state.new", "w")); os.rename("state.new", "state")`
