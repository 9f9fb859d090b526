//go:build linux

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// A kind is a situation of which more has to be said than its cause.
type kind struct {
	situation
	code  string // of the sentence
	how   string // what changes it, in the sentence; "DIR" stands for the mount point
	first string // of that in the first lines
}

// Options of mounts, and attributes of files and directories.
var ofMounts = []kind{
	{situation{"mounted with sync", "each write takes 8 ms; mount -o sync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		run(t, "mount", "-o", "remount,sync", dir)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=4k count=", 30*n))
	}, is(cause.Sync), false}, "mount_sync", "mount -o remount,async DIR", "mount -o remount,async"},
	{situation{"mounted with dirsync", "each write takes 8 ms; mount -o dirsync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		anew(t, dir, "dirsync")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do mkdir d$i; done", 30*n))
	}, is(cause.Sync), false}, "mount_dirsync", "umount DIR && mount /dev/", "dirsync"},
	{situation{"a file with the attribute S", "each write takes 8 ms; chattr +S", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		run(t, "chattr", "+S", dir+"/file")
		return in(dir, fmt.Sprint("dd if=/dev/zero of=file bs=4k conv=notrunc count=", 30*n))
	}, is(cause.Sync), false}, "synced_file", "chattr -S DIR/file", "chattr -S "},
	{situation{"a directory with the attribute D", "each write takes 8 ms; chattr +D", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		run(t, "mkdir", dir+"/d")
		run(t, "chattr", "+D", dir+"/d")
		return in(dir+"/d", fmt.Sprintf("for i in $(seq %d); do ln -s nowhere $i; done", 30*n))
	}, is(cause.Sync), false}, "synced_directory", "chattr -DS DIR/d", "chattr -DS "},
	{situation{"mounted with discard", "every second block of a file is freed; sync", func(t testing.TB, n int) []string {
		dir := mount(t, "ext4", 512<<20)
		run(t, "fallocate", "-l", fmt.Sprint(64*n, "M"), dir+"/new")
		run(t, "sync", "-f", dir)
		run(t, "mount", "-o", "remount,discard", dir)
		return in(dir, python(`import ctypes
f = os.open("new", os.O_RDWR); punch = ctypes.CDLL(None).fallocate; long = ctypes.c_long
for i in range(0, %d, 2): punch(f, 3, long(i * 4096), long(4096))
os.fsync(f)`, 16384*n))
	}, is(cause.Discards, cause.Sync, cause.Settling, cause.OwnCPU, cause.Names), false}, "mount_discard",
		"mount -o remount,nodiscard DIR", "Mount option discard"},
	{situation{"mounted with data=journal", "each write takes 10 ms; ext4", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 1)
		anew(t, dir, "data=journal")
		return in(dir, fmt.Sprint("dd if=/dev/urandom of=new bs=1M conv=fsync count=", 16*n))
	}, is(cause.Sync, cause.DeviceBandwidth, cause.DeviceLatency), false}, "mount_journal",
		"tune2fs -o journal_data_ordered", "Mount option data=journal"},
	{situation{"mounted with nobarrier", "each write takes 8 ms; dd conv=fsync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		run(t, "mount", "-o", "remount,nobarrier", dir)
		writeCache(t, filepath.Base(source(t, dir)), "write back")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do dd if=file of=new bs=4k count=4 conv=fsync; done", 10*n))
	}, is(cause.Sync), false}, "mount_nobarrier", "mount -o remount,barrier DIR", "mount -o remount,barrier"},
	{situation{"mounted with strictatime", "each read takes 4 ms; 300 files are read", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond}, 1)
		for i := range 300 * n {
			fill(t, filepath.Join(dir, fmt.Sprint("small", i)), 6000)
		}
		remount(t, dir)
		run(t, "mount", "-o", "remount,strictatime", dir)
		return in(dir, "cat small* > /dev/null; sync -f .")
	}, is(cause.DeviceLatency, cause.Names), false}, "mount_atime", "mount -o remount,noatime DIR", "noatime"},
}

// anew mounts a device with an option that no remount sets.
func anew(t testing.TB, dir, option string) {
	from := source(t, dir)
	run(t, "umount", dir)
	run(t, "mount", "-o", option, from, dir)
}

// TestMountOptions records each of them: its cause comes first, it is named, and so is what changes it.
func TestMountOptions(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "chattr", "dd", "fallocate", "mkfs.xfs", "mkfs.ext2")
	for _, s := range slices.Concat(ofMounts, ofOtherMounts) {
		t.Run(s.name, func(t *testing.T) { s.told(t) })
	}
	t.Log(ofKinds)
}

// told records the situation and looks for its cause, its sentence and what is said first.
func (s *kind) told(t *testing.T) {
	command := s.make(t, 1)
	p := attempt(t, command...)
	for range 3 {
		if p.Lost.Total == 0 {
			break
		}
		command = s.make(t, 1) // what completes under process 1 is not seen, and one request may be all that there is
		p = attempt(t, command...)
	}
	dir := strings.Fields(command[2])[1] // cd DIR
	c := p.Verdict.Causes
	switch {
	case len(c) > 0 && c[0].Code == cause.CPUContention && crowded(t): // it is true
	case len(c) > 0 && slices.Contains(s.want, c[0].Code):
		ofKinds.add(c[0].Certainty, true)
	default:
		t.Errorf("the causes are\n%swant %s first", causes(p.Verdict), s.want)
		if len(c) > 0 {
			ofKinds.add(c[0].Certainty, false)
		}
	}
	how := strings.ReplaceAll(s.how, "DIR", strings.TrimSuffix(dir, "/d"))
	i := slices.IndexFunc(p.Observations, func(x profile.Sentence) bool { return x.Code == s.code })
	if i < 0 || !strings.Contains(p.Observations[i].Text, how) {
		t.Errorf("nothing with %q: %+v\n%+v", how, p.Observations, p.Trace.Mounts)
	}
	if text := strings.Join(strings.Fields(p.Verdict.Text()), " "); !strings.Contains(text, s.first) {
		t.Errorf("the first lines do not say %q:\n%s", s.first, p.Verdict.Text())
	}
}

// TestMountsAsTheyShouldBe: of a mount without any of these options none is told, whatever waits there.
func TestMountsAsTheyShouldBe(t *testing.T) {
	needPrivilege(t)
	dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Write: 8 * time.Millisecond}, 2)
	p := attempt(t, in(dir, "cp -r /etc/default d; cat file > d/x; sync -f .; mkdir d/y; mv d/x d/y; rm -r d")...)
	for _, s := range p.Observations {
		if strings.HasPrefix(s.Code, "mount_") || strings.HasPrefix(s.Code, "synced_") {
			t.Errorf("%s: %s", s.Code, s.Text)
		}
	}
	if p.Trace.Mount(dir) == nil {
		t.Errorf("%s is not among %+v", dir, p.Trace.Mounts)
	}
}

// TestVolatile writes to drives with and without a volatile cache, which the file system on them flushes, or not: data
// that may still be in such a cache is not called durable.
func TestVolatile(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"ext4", "btrfs"} {
		for _, c := range []struct {
			option, cache string
			apart         bool
		}{
			{"nobarrier", "write back", true}, {"barrier", "write back", false}, {"nobarrier", "write through", false},
			{"barrier", "write through", false},
		} {
			t.Run(fs+"/"+c.option+", "+c.cache, func(t *testing.T) {
				dir := mount(t, fs, 256<<20)
				name := filepath.Base(source(t, dir))
				run(t, "mount", "-o", "remount,"+c.option, dir)
				writeCache(t, name, c.cache)
				volatile(t, dir, name, c.apart)
			})
		}
	}
	t.Run("below a loop device", func(t *testing.T) {
		below := mount(t, "ext4", 512<<20)
		name := filepath.Base(source(t, below))
		run(t, "mount", "-o", "remount,nobarrier", below)
		writeCache(t, name, "write back")
		image, dir := filepath.Join(below, "image"), workDir(t)
		run(t, "truncate", "-s", "128M", image)
		format(t, "ext4", image)
		run(t, "mount", "-o", "loop", image, dir)
		t.Cleanup(func() { run(t, "umount", dir) })
		volatile(t, dir, name, true)
	})
}

// volatile copies a file to a directory and looks at what is said of it.
func volatile(t *testing.T, dir, name string, apart bool) {
	t.Helper()
	from := filepath.Join(workDir(t), "from")
	fill(t, from, 4<<20)
	p := attempt(t, "dd", "if="+from, "of="+dir+"/new", "bs=256k", "conv=fsync")
	text := strings.Join(strings.Fields(p.Verdict.Text()), " ")
	said := strings.Contains(text, "unflushed in "+name+"'s cache (nobarrier)") &&
		!strings.Contains(text, "all data durable")
	if said != apart || !apart && !strings.Contains(text, "durable") {
		t.Errorf("the first lines are %q\n%+v", text, p.Trace.Mounts)
	}
	if m := p.Trace.Mount(dir); m == nil || (m.Unflushed == name) != apart {
		t.Errorf("%s is %+v", dir, m)
	}
	if len(p.Copies) != 1 || (p.Copies[0].DurableNS < 0) != apart {
		t.Errorf("the copies are %+v", p.Copies)
	}
}

// writeCache tells the kernel what cache a drive has.
func writeCache(t testing.TB, name, cache string) {
	t.Helper()
	if err := os.WriteFile("/sys/block/"+name+"/queue/write_cache", []byte(cache), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shownTwice has a file system's directory two shown by a mount of its own, and the file in the other one.
func shownTwice(t testing.TB, dir string) string {
	run(t, "sh", "-c", fmt.Sprintf("cd %s && mkdir one two && mv file one/ && mount --bind two two", dir))
	t.Cleanup(func() { run(t, "umount", dir+"/two") })
	run(t, "sh", "-c", "sync; echo 1 > /proc/sys/vm/drop_caches")
	return dir
}
