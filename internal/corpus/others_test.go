//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// theirs is what another process does on the same device meanwhile, in which it moves so many bytes. It stays for a
// moment: whoever is gone before it is asked for its name has none.
var theirs = []struct {
	name, program string
	read, write   int64
}{
	{"reads past the page cache", "f = direct()\nfor i in range(320): os.preadv(f, [b], i << 16)", 20 << 20, 0},
	{"writes past the page cache", "f = direct()\nfor i in range(320): os.pwritev(f, [b], i << 16)", 0, 20 << 20},
	{"reads and writes", "f = direct()\nfor i in range(192): os.preadv(f, [b], i << 16); os.pwritev(f, [b], i << 16)",
		12 << 20, 12 << 20},
	{"reads what is not in memory", `open("cold", "rb").read()`, 16 << 20, 0},
	{"writes and syncs", `f = os.open("theirs", os.O_RDWR)
for i in range(24): os.pwrite(f, bytes(1 << 20), i << 20)
os.fsync(f)`, 0, 24 << 20},
	{"small and many", "f = direct()\nfor i in range(3000): os.preadv(f, [memoryview(b)[:4096]], i << 12)", 3000 << 12, 0},
}

// stays is what comes before and after that. The program waits for the recorded one, which waits for it.
const stays = `def direct(): return os.open("theirs", os.O_RDWR | os.O_DIRECT)
b = mmap.mmap(-1, 1 << 16)
os.posix_fadvise(os.open("cold", os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)
open("%[1]s/ready", "w").write(str(os.getpid()))
while not os.path.exists("%[1]s/begun"): time.sleep(.02)
%[2]s
time.sleep(.5)
open("%[1]s/done", "w")
time.sleep(60)`

// TestOthers has another process move a known number of bytes on a device while a program that uses the device, too, is
// recorded: others did as much, within a twentieth, and the process is named.
func TestOthers(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"ext4", "xfs", "btrfs"} {
		t.Run(fs, func(t *testing.T) {
			top := mount(t, fs, 512<<20)
			run(t, "dd", "if=/dev/urandom", "of="+top+"/theirs", "bs=1M", "count=32", "conv=fsync")
			run(t, "dd", "if=/dev/urandom", "of="+top+"/cold", "bs=1M", "count=16", "conv=fsync")
			for _, x := range theirs {
				t.Run(x.name, func(t *testing.T) { others(t, top, x.program, x.read, x.write) })
			}
		})
	}
}

// others records a program beside another one and compares what is said of that.
func others(t *testing.T, top, program string, read, write int64) {
	t.Helper()
	device := filepath.Base(source(t, top))
	stop := func() {}
	p := prepared(t, func() []string {
		stop() // of a recording before this one, which lost requests
		signs := workDir(t)
		stop = background(t, top, python(stays, signs, program))
		exists(t, signs+"/ready")
		return in(top, fmt.Sprintf("dd if=/dev/zero of=own bs=64k count=64 oflag=direct; "+
			"dd if=/dev/zero of=more bs=1M count=4 conv=fsync; "+
			"touch %s/begun; while ! [ -e %[1]s/done ]; do sleep .02; done", signs))
	})
	a := amountOf(t, p, device)
	for what, x := range map[string][2]int64{
		"read": {a.Read.Of(profile.ByOther), read}, "written": {a.Write.Of(profile.ByOther), write},
	} {
		if off := x[0] - x[1]; max(off, -off)*20 > x[1] && max(off, -off) > 64<<10 {
			t.Errorf("others are said to have %s %d bytes, they have %d: %+v %+v", what, x[0], x[1], a.Read.Reasons,
				a.Write.Reasons)
		}
	}
	named := func(u profile.User) bool {
		off := u.Bytes - read - write
		return strings.HasPrefix(u.Command, "python") && max(off, -off)*20 <= read+write
	}
	serving := func(u profile.User) bool { return strings.HasPrefix(u.Command, "kworker/") }
	if !slices.ContainsFunc(p.Trace.Users, named) || slices.ContainsFunc(p.Trace.Users, serving) {
		t.Errorf("whoever moved %d bytes is not named with about as many, or its loop device is: %+v", read+write,
			p.Trace.Users)
	}
}

// TestStamps reads files long after they were read before, for which a file system mounted with relatime writes when
// they were: that is the reader's, not others'.
func TestStamps(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"ext4", "btrfs"} {
		for _, script := range []string{"cat f* > /dev/null; sleep 3", "tar cf - . | cat > /dev/null; sleep 3"} {
			t.Run(fs+"/"+strings.Fields(script)[0], func(t *testing.T) {
				top := mount(t, fs, 256<<20)
				for i := range 40 {
					fill(t, fmt.Sprintf("%s/f%d", top, i), 9000)
				}
				p := prepared(t, func() []string { // what has been read once today is not written to again
					run(t, "sh", "-c", "touch -a -d 2020-01-01 "+top+"/*; sync -f "+top)
					remounted(t, top, "relatime,commit=1")
					return in(top, script)
				})
				a := amountOf(t, p, filepath.Base(source(t, top)))
				if a.Write.Of(profile.ByOther) > 0 || a.Write.Of(profile.Metadata) == 0 {
					t.Errorf("nobody else was there, and was told of: %+v", a.Write.Reasons)
				}
			})
		}
	}
}

// remounted mounts a file system anew, with options: it has nothing in memory.
func remounted(t *testing.T, dir, options string) {
	t.Helper()
	anew(t, dir, options)
	run(t, "fsfreeze", "--freeze", dir)
	run(t, "fsfreeze", "--unfreeze", dir)
}
