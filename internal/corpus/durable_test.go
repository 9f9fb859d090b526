//go:build linux

package corpus

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// writer is a program that writes below $D, where a file system is mounted, perhaps from the file $S of another one.
type writer struct{ name, needs, script string }

// writing are programs that make that durable, each in its own way, or leave it to the recorder.
var writing = []writer{
	{"dd fsync", "", "dd if=$S of=$D/a bs=64k conv=fsync status=none"},
	{"cp, sync", "", "cp $S $D/a && sync && sleep .3"},
	{"rsync --fsync", "rsync", "rsync --fsync $S $D/a && sleep .3"},
	{"sqlite", "sqlite3", "sqlite3 $D/a 'create table t(a, b)' && for i in $(seq 12); do " +
		"sqlite3 $D/a \"insert into t values($i, hex(randomblob(500)))\"; done"},
	{"git", "git", "cd $D && git init -q . && cp $S f && git -c core.fsync=all add . && git -c core.fsync=all " +
		"-c user.name=a -c user.email=a@b commit -qm x"},
	{"tar, syncfs", "tar", "tar cf - -C $(dirname $S) source | tar xf - -C $D && sync -f $D && sleep .3"},
	{"os.fsync", "python3", "python3 -c \"import os\nf=os.open('$D/a',os.O_CREAT|os.O_WRONLY)\n" +
		"for i in range(40): os.write(f,os.urandom(5000)); os.fsync(f)\""},
	{"O_DSYNC", "", "dd if=$S of=$D/a bs=128k oflag=dsync status=none && sleep .3"},
	{"fdatasync, preallocated", "fallocate", "(fallocate -l 3M $D/a || true) && " +
		"dd if=$S of=$D/a bs=64k conv=notrunc,fdatasync status=none && sleep .3"},
	{"left to the recorder", "", "cp $S $D/a"},
	{"written, no flush", "python3", "cp $S $D/a && python3 -c \"import ctypes,os,time\nf=os.open('$D/a',os.O_RDWR)\n" +
		"ctypes.CDLL(None).sync_file_range(f,ctypes.c_long(0),ctypes.c_long(0),7)\ntime.sleep(.4)\""},
	{"direct", "", "dd if=$S of=$D/a bs=256k oflag=direct status=none && sleep .4"},
	{"a new version", "python3", "cp $S $D/a && python3 -c \"import os\nf=os.open('$D/new',os.O_CREAT|os.O_WRONLY)\n" +
		"os.write(f,os.urandom(700000)); os.fsync(f); os.rename('$D/new','$D/a')\nos.fsync(os.open('$D',0))\""},
	{"mv from elsewhere", "", "cp $S $T/moved && mv $T/moved $D/a && sync && sleep .3"},
	{"cut afterwards", "truncate", "dd if=$S of=$D/a bs=64k conv=fsync status=none && truncate -s 1000000 $D/a"},
	{"copied over", "", "for i in 1 2 3; do cp $S $D/a; sync $D/a; sleep .1; done"},
}

// leaving are programs of which others make durable what they wrote, while they sleep: the file system as it is
// unmounted, or a process that is not recorded, which begins when $T/written is there and then makes $T/safe.
var leaving = []writer{
	{"umount", "", "cp $S $D/a && umount $D && sleep .3"},
	{"two files, umount", "", "cp $S $D/a && head -c 70000 $S > $D/b && umount $D && sleep .3"},
	{"sync of another", "", "cp $S $D/a && touch $T/written && while ! [ -e $T/safe ]; do sleep .02; done; sleep .3"},
	{"parts, sync of another", "", "split -b 400k $S $D/part && touch $T/written && " +
		"while ! [ -e $T/safe ]; do sleep .02; done; sleep .3"},
}

// itself are programs that leave nothing to be written when they return, and return at once.
var itself = []writer{
	{"dd fsync at its end", "", "dd if=$S of=$D/a bs=64k conv=fsync status=none"},
	{"cp, sync of the file", "", "cp $S $D/a && sync $D/a"},
	{"cp, sync of the file system", "", "cp $S $D/a && sync -f $D"},
	{"cp, sync of all", "", "cp $S $D/a && sync"},
	{"two files, fdatasync", "python3", "python3 -c \"import os\nfor n in 'ab':\n " +
		"f=os.open('$D/'+n,os.O_CREAT|os.O_WRONLY); os.write(f,os.urandom(300000)); os.fdatasync(f)\""},
	{"O_SYNC at its end", "", "head -c 500000 $S > $D/a && sync $D/a && " +
		"dd if=$S of=$D/a bs=64k count=4 conv=notrunc oflag=sync status=none"},
	{"a log, closed as it exits", "python3", "python3 -c \"import os\nf=os.open('$D/a',os.O_CREAT|os.O_WRONLY)\n" +
		"for i in range(9): os.write(f,os.urandom(70000)); os.fsync(f)\""},
	{"parts, one after the other", "", "for i in 0 1 2; do dd if=$S of=$D/p$i bs=64k skip=$((16*i)) count=16 " +
		"conv=fsync status=none; done"},
}

// syncing is what another program appends and syncs meanwhile.
const syncing = "while :; do echo appended >> $D/theirs; sync $D/theirs; done"

// elsewhere is what syncs the file system of $D, after a while in which it may write by itself.
const elsewhere = "while ! [ -e $T/written ]; do sleep .02; done; sleep .2; sync -f $D; touch $T/safe"

// writtenBack is what the kernel writes back by itself: what has been in memory for half a second.
var writtenBack = writer{"write-back", "", "cp $S $D/a && sleep 4"}

// settling is a program that syncs all, and sleeps while the kernel writes in place what the journal has.
var settling = writer{"written in place later", "", "dd if=$S of=$D/a bs=64k conv=fsync status=none && sleep 4"}

// TestDurable holds what is called durable against what a device held at that moment. The device notes all that it is
// given: what it had not flushed by then is taken away, and what is left is mounted. What others made durable is
// credited to them, not to the recorder, who would do it later.
func TestDurable(t *testing.T) {
	needPrivilege(t)
	// A device that has been written to looks again after the time that was set then: so this comes long before it
	// matters.
	writeBack(t, "dirty_writeback_centisecs", "50")
	rounds := 1
	if *every {
		rounds = 5
	}
	for _, fs := range []string{"ext4", "xfs", "btrfs", "ext2", unjournaled, "vfat", "exfat"} {
		journaled := slices.Contains([]string{"ext4", "xfs", "btrfs"}, fs)
		each := func(t *testing.T, p writer, c claim) {
			t.Run(p.name, func(t *testing.T) {
				needPrograms(t, strings.Fields(p.needs)...)
				for range rounds {
					c.fs = fs
					c.judge(t, p.script)
				}
			})
		}
		t.Run(fs, func(t *testing.T) {
			kind := strings.Fields(fs)[0]
			if !mountable(t, kind) {
				t.Skip("this kernel has none")
			}
			needPrograms(t, "mkfs."+kind)
			for _, p := range writing {
				each(t, p, claim{})
			}
			for _, p := range itself {
				each(t, p, claim{atOnce: journaled})
			}
			for _, p := range itself {
				p.name += " beside another"
				each(t, p, claim{beside: syncing})
			}
			for _, p := range leaving {
				each(t, p, claim{early: journaled})
			}
			if fs != "xfs" { // which writes its log every 30 s
				writeBack(t, "dirty_expire_centisecs", "50")
				each(t, writtenBack, claim{early: journaled})
				each(t, settling, claim{atOnce: journaled})
			}
		})
	}
}

// writeBack sets when the kernel writes what has been in memory for a while, until the test ends.
func writeBack(t *testing.T, setting, centiseconds string) {
	file := "/proc/sys/vm/" + setting
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(centiseconds), 0o644); err != nil {
		cannot(t)("%v", err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile(file, old, 0o644); err != nil {
			t.Error(err)
		}
	})
}

// unjournaled is an ext4 without a journal.
const unjournaled = "ext4 -O ^has_journal"

// claim is what is to be said of when data was durable.
type claim struct {
	fs     string
	beside string // runs meanwhile
	early  bool   // copies are durable while the command still runs
	atOnce bool   // all is when the command returns
}

// judge records a program on a new device and looks at what is called durable.
func (c *claim) judge(t *testing.T, script string) {
	t.Helper()
	log := filepath.Join("/dev/shm", fmt.Sprintf("iotrace-corpus-log-%d", os.Getpid()))
	defer os.Remove(log)
	m := &testenv.Model{Size: 384 << 20, Write: time.Millisecond, FileSystem: c.fs, Log: log}
	dir, end, err := testenv.StartModel(workDir(t), m)
	if err != nil {
		t.Fatal(err)
	}
	device, from := source(t, dir), filepath.Join(workDir(t), "source")
	fill(t, from, 3<<20)
	run(t, "sync", "-f", dir)
	trace, signs := filepath.Join(workDir(t), "trace"), workDir(t)
	names := "D=" + dir + "; S=" + from + "; T=" + signs + "; "
	if c.fs == "ext4" || c.fs == "btrfs" {
		run(t, "mount", "-o", "remount,commit=1", dir)
	}
	stop := background(t, "/", names+cmp.Or(c.beside, elsewhere))
	keep(t, trace, "bash", "-c", "set -e; "+names+script)
	stop()
	if run(t, "sh", "-c", "findmnt -n "+dir+" || true") == "" {
		run(t, "mount", device, dir)
	}
	live := files(t, dir)
	delete(live, "theirs")
	if err := end(); err != nil {
		t.Fatal(err)
	}
	p := show(t, trace)
	if p.DurableNS < 0 {
		t.Errorf("not seen when it was durable")
	}
	held := heldAt(t, c.fs, log, m.Size, p.Trace.WallStart.Add(time.Duration(p.StartNS+p.DurableNS)))
	for name, want := range live {
		if !bytes.Equal(held[name], want) {
			t.Errorf("all is called durable after %v, and %s has %d of %d bytes", time.Duration(p.DurableNS), name,
				same(held[name], want), len(want))
		}
	}
	seen := p.Lost.Total == 0 // else it is not known what had been left to write
	if c.atOnce && seen && p.DurableNS != p.WallNS {
		t.Errorf("it had synced all when it returned after %v, which is called durable after %v", time.Duration(p.WallNS),
			time.Duration(p.DurableNS))
	}
	early := c.early && seen
	if early && len(p.Copies) == 0 {
		t.Errorf("there is no copy")
	}
	for i := range p.Copies[:min(len(p.Copies), 4)] {
		if c := &p.Copies[i]; early && (c.DurableNS < 0 || c.StartNS+c.DurableNS >= p.StartNS+p.WallNS) {
			t.Errorf("the copy of %s is called durable %v after it began, %v before the command ended", c.Source,
				time.Duration(c.DurableNS), time.Duration(p.StartNS+p.WallNS-c.StartNS-c.DurableNS))
		}
		copied(t, &p.Copies[i], live, dir, func(when time.Duration) contents {
			return heldAt(t, c.fs, log, m.Size, p.Trace.WallStart.Add(when))
		})
	}
}

// copied looks at what was held at the moment at which a copy is called durable. It may have had another name then.
func copied(t *testing.T, c *profile.Copy, live contents, dir string, heldAt func(time.Duration) contents) {
	t.Helper()
	name, within := strings.CutPrefix(c.Destination, dir+"/")
	want, stays := live[name]
	if !within || !stays || c.DurableNS < 0 || c.Bytes != int64(len(want)) {
		return
	}
	at := time.Duration(c.StartNS + c.DurableNS)
	held := heldAt(at)
	most := 0
	for _, b := range held {
		most = max(most, same(b, want))
	}
	if most < len(want) {
		t.Errorf("the copy %s → %s is called durable after %v, and %d of its %d bytes were", c.Source, name,
			time.Duration(c.DurableNS), most, len(want))
	}
}

// same is how many bytes are equal from the beginning on.
func same(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// heldAt is what files held when a device lost its power.
func heldAt(t *testing.T, fs, log string, size int64, when time.Time) contents {
	t.Helper()
	image := filepath.Join("/dev/shm", fmt.Sprintf("iotrace-corpus-image-%d", os.Getpid()))
	defer os.Remove(image)
	if err := testenv.Image(log, image, size, when, false); err != nil {
		t.Fatal(err)
	}
	dir := workDir(t)
	if fs == "ext2" || fs == unjournaled { // what was changed at that moment is mended
		run(t, "sh", "-c", "e2fsck -fy "+image+" || [ $? = 1 ]")
	}
	run(t, "mount", "-o", "loop", image, dir) // the journal is replayed
	defer run(t, "umount", dir)
	return files(t, dir)
}
