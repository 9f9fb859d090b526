//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/testenv"
)

// formatted is a device that takes as long for each write, with another file system than ext4, mounted with options.
func formatted(t testing.TB, write time.Duration, options string, format ...string) string {
	dir := device(t, &testenv.Model{Write: write}, 1)
	from := source(t, dir)
	run(t, "umount", dir)
	run(t, append(format, from)...)
	run(t, "mount", "-o", options, from, dir)
	return dir
}

// Each option and attribute once more, on another file system or with another program.
var ofOtherMounts = []kind{
	{situation{"xfs mounted with sync", "each write takes 8 ms; 700 bytes each", func(t testing.TB, n int) []string {
		dir := formatted(t, 8*time.Millisecond, "sync", "mkfs.xfs", "-q", "-f")
		return in(dir, python(`f = open("log", "ab", 0)
for i in range(%d): f.write(b"x" * 700)`, 30*n))
	}, is(cause.Sync), false}, "mount_sync", "mount -o remount,async DIR", "mount -o remount,async"},
	{situation{"xfs mounted with wsync", "each write takes 8 ms; links and renames", func(t testing.TB, n int) []string {
		dir := formatted(t, 8*time.Millisecond, "wsync", "mkfs.xfs", "-q", "-f")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do ln -s nowhere a; mv a b$i; done", 20*n))
	}, is(cause.Sync), false}, "mount_dirsync", "umount DIR && mount /dev/", "wsync"},
	{situation{"a file of xfs with the attribute S", "each write takes 8 ms; echo", func(t testing.TB, n int) []string {
		dir := formatted(t, 8*time.Millisecond, "noatime", "mkfs.xfs", "-q", "-f")
		run(t, "sh", "-c", "touch "+dir+"/log; chattr +S "+dir+"/log")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do echo $i; done >> log", 40*n))
	}, is(cause.Sync), false}, "synced_file", "chattr -S DIR/log", "chattr -S "},
	{situation{"a directory of ext2 with the attribute D", "each write takes 8 ms; files are renamed", func(t testing.TB,
		n int) []string {
		dir := formatted(t, 8*time.Millisecond, "noatime", "mkfs.ext2", "-q")
		run(t, "sh", "-c", fmt.Sprintf("mkdir %s/d; cd %[1]s/d; touch a; chattr +D .; sync", dir))
		return in(dir+"/d", python(`for i in range(%d): os.rename("a", "b"); os.rename("b", "a")`, 20*n))
	}, is(cause.Sync), false}, "synced_directory", "chattr -DS DIR/d", "chattr -DS "},
	{situation{"a file of btrfs with the attribute S", "each write takes 8 ms; numbers from a pipe", func(t testing.TB,
		n int) []string {
		dir := formatted(t, 8*time.Millisecond, "noatime", "mkfs.btrfs", "-q", "-f")
		run(t, "sh", "-c", "touch "+dir+"/log; chattr +S "+dir+"/log")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do echo $i; done >> log", 30*n))
	}, is(cause.Sync), false}, "synced_file", "chattr -S DIR/log", "chattr -S "},
	{situation{"a directory of ext4 with the attribute S", "each write takes 8 ms; mkdir, rmdir", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		run(t, "sh", "-c", "mkdir "+dir+"/d; chattr +S "+dir+"/d")
		return in(dir+"/d", fmt.Sprintf("for i in $(seq %d); do mkdir x; rmdir x; done", 20*n))
	}, is(cause.Sync), false}, "synced_directory", "chattr -DS DIR/d", "chattr -DS "},
	{situation{"ext2 mounted with dirsync", "each write takes 8 ms; touch and mv", func(t testing.TB, n int) []string {
		dir := formatted(t, 8*time.Millisecond, "dirsync", "mkfs.ext2", "-q")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do touch a$i; mv a$i b$i; done", 30*n))
	}, is(cause.Sync), false}, "mount_dirsync", "umount DIR && mount /dev/", "dirsync"},
	{situation{"xfs mounted with discard", "files of 64 KiB are deleted; sync", func(t testing.TB, n int) []string {
		dir := mount(t, "xfs", 512<<20)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for i in range(%d):
    for k in "ab": open("%s/%%s%%d" %% (k, i), "wb").write(bytes(1 << 16))`, 1500*n, dir))
		run(t, "sync", "-f", dir)
		anew(t, dir, "discard")
		return in(dir, python(`for i in range(%d): os.unlink("a%%d" %% i)
os.sync(); time.sleep(.5)`, 1500*n))
	}, is(cause.Discards, cause.Sync, cause.Settling, cause.OwnCPU, cause.Names, cause.ThinkTime), false},
		"mount_discard", "umount DIR && mount /dev/", "Mount option discard"},
	{situation{"a tree on a mount with data=journal", "each write takes 10 ms; cp -r, syncfs", func(t testing.TB,
		n int) []string {
		dir, from := device(t, &testenv.Model{Write: 10 * time.Millisecond}, 1), workDir(t)
		for i := range 60 * n {
			fill(t, filepath.Join(from, fmt.Sprint("f", i)), 150_000)
		}
		anew(t, dir, "data=journal")
		return in(dir, "cp -r "+from+" t && sync -f .")
	}, is(cause.Sync, cause.DeviceBandwidth, cause.DeviceLatency), false}, "mount_journal",
		"tune2fs -o journal_data_ordered", "Mount option data=journal"},
	{situation{"btrfs mounted with nobarrier", "each write takes 8 ms; a program syncs", func(t testing.TB,
		n int) []string {
		dir := formatted(t, 8*time.Millisecond, "nobarrier", "mkfs.btrfs", "-q", "-f")
		writeCache(t, filepath.Base(source(t, dir)), "write back")
		return in(dir, python(`f = open("new", "wb", 0)
for i in range(%d): f.write(os.urandom(9000)); os.fsync(f)`, 20*n))
	}, is(cause.Sync), false}, "mount_nobarrier", "mount -o remount,barrier DIR", "mount -o remount,barrier"},
	{situation{"xfs mounted with strictatime", "each write takes 4 ms; sums of 900 files", func(t testing.TB,
		n int) []string {
		dir := formatted(t, 4*time.Millisecond, "noatime", "mkfs.xfs", "-q", "-f")
		for i := range 900 * n {
			fill(t, filepath.Join(dir, fmt.Sprint("small", i)), 6000)
		}
		anew(t, dir, "strictatime")
		return in(dir, "sha256sum small* > /dev/null; sync -f .")
	}, is(cause.Sync, cause.DeviceLatency, cause.Names, cause.OwnCPU, cause.ProgramStart), false}, "mount_atime",
		"mount -o remount,noatime DIR", "noatime"},
}

// Kinds of work that cost more than they seem to, each in two situations.
var ofWork = []kind{
	{situation{"posix_fallocate where there is none", "ext2; each write takes 4 ms", func(t testing.TB, n int) []string {
		dir := formatted(t, 4*time.Millisecond, "noatime", "mkfs.ext2", "-q", "-b", "4096")
		return in(dir, python(`f = os.open("space", os.O_RDWR | os.O_CREAT)
os.posix_fallocate(f, 0, %d << 20); os.fsync(f)`, 48*n))
	}, is(cause.Sync, cause.DeviceBandwidth, cause.DeviceLatency, cause.SmallCalls), false}, "emulated_allocation",
		"posix_fallocate of space was", "posix_fallocate"},
	{situation{"room made by a byte for each block", "memory", func(t testing.TB, n int) []string {
		return in("/dev/shm", firstServed+python(`f = os.open("iotrace-corpus-new", os.O_WRONLY | os.O_CREAT)
for i in range(%d): os.pwrite(f, b"x", (i << 12) + 4095)
os.unlink("iotrace-corpus-new")`, 51200*n))
	}, is(cause.SmallCalls, cause.PageCache), false}, "emulated_allocation", "nearly all of one byte", "posix_fallocate"},
	{situation{"a log that grows", "each write takes 8 ms; append, then fdatasync", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, python(`f = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for i in range(%d): os.write(f, b"x" * 200); os.fdatasync(f)`, 60*n))
	}, is(cause.Sync), false}, "growing_log", "log grows by 200 B", "log grows"},
	{situation{"a log of xfs that grows", "each write takes 8 ms; a shell appends, sync", func(t testing.TB,
		n int) []string {
		dir := formatted(t, 8*time.Millisecond, "noatime", "mkfs.xfs", "-q", "-f")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do echo a line of the log >> journal; sync journal; done", 40*n))
	}, is(cause.Sync), false}, "growing_log", "journal grows by 18 B", "journal grows"},
	{situation{"a log that is synced by each write", "each write takes 8 ms; dd oflag=append,dsync", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 8 * time.Millisecond}, 1)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=wal bs=900 oflag=append,dsync conv=notrunc count=", 50*n))
	}, is(cause.Sync), false}, "growing_log", "wal grows by 900 B", "wal grows"},
	{situation{"asynchronous reads without O_DIRECT", "each read takes 6 ms; libaio, 16", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version") // its libraries are in memory
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=0 --ioengine=libaio "+
			"--iodepth=16 --size=64m --invalidate=1 --number_ios=", 150*n))
	}, is(cause.BlockingSubmit), false}, "blocking_submit", "io_submit waited", "asked at once, 1.0 in flight there"},
	{situation{"asynchronous writes that lengthen a file", "each write takes 6 ms; libaio, O_DIRECT", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 1)
		run(t, "fio", "--version")
		return in(dir, fmt.Sprint("fio --name=x --filename=new --rw=write --bs=64k --direct=1 --ioengine=libaio "+
			"--iodepth=8 --fallocate=none --overwrite=0 --file_append=1 --size=64m --number_ios=", 150*n))
	}, is(cause.BlockingSubmit), false}, "blocking_submit", "or that grow", "its length and its blocks already"},
	{situation{"settings read for each answer", "6,000 times", func(t testing.TB, n int) []string {
		return in(workDir(t), firstServed+python(`open("settings", "w").write("key = value")
for i in range(%d): open("settings").read()`, 6000*n))
	}, is(cause.OwnCPU, cause.Names, cause.SmallCalls), false}, "reopened", "settings was opened 6,00",
		"settings was opened"},
	{situation{"a log for each client, opened for each line", "40 files", func(t testing.TB, n int) []string {
		return in(workDir(t), firstServed+python(`for i in range(%d):
    with open("client" + str(i * 7 %% 40), "a") as f: f.write("one line of a log\n")`, 4000*n))
	}, is(cause.OwnCPU, cause.Names, cause.Settling, cause.SmallCalls), false}, "reopened_all",
		" of them again and again", "files were opened 4,"},
	{situation{"a file in memory, read page by page", "ext4; dd bs=4k", func(t testing.TB, n int) []string {
		dir := mount(t, "ext4", 384<<20)
		fill(t, filepath.Join(dir, "file"), 96*n<<20)
		run(t, "cat", filepath.Join(dir, "file")) // larger folios than it is written in
		return in(dir, firstServed+"dd if=file of=/dev/null bs=4k")
	}, is(cause.SmallCalls, cause.OwnCPU), false}, "per_call", "reads of 4 KiB, mostly of file", "reads of 4 KiB"},
	{situation{"a program that writes by 2 KiB", "xfs; python, unbuffered", func(t testing.TB, n int) []string {
		return in(mount(t, "xfs", 512<<20), firstServed+python(`f = open("out", "wb", 0); b = bytes(2048)
for i in range(%d): f.write(b)`, 60000*n))
	}, is(cause.SmallCalls, cause.OwnCPU, cause.PageCache, cause.DeviceBandwidth, cause.Settling), false}, "per_call",
		"60,000 writes of 2 KiB, mostly of out", "60,000 writes of 2 KiB"},
	{situation{"a directory listed for each file", "300 names, 6,000 times", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "sh", "-c", "mkdir "+dir+"/names; cd "+dir+"/names; seq -f name%g 300 | xargs touch")
		return in(dir, firstServed+python(`for i in range(%d): os.listdir("names")`, 6000*n))
	}, is(cause.Names, cause.OwnCPU), false}, "listed_again", "names was listed 6,000 times",
		"names was listed 6,000 times"},
	{situation{"a shell that waits for a file", "ls in a loop, 300 names", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "sh", "-c", "mkdir "+dir+"/names; cd "+dir+"/names; seq -f name%g 300 | xargs touch")
		return in(dir, fmt.Sprintf("for i in $(seq %d); do ls names > /dev/null; done", 400*n))
	}, is(cause.Names, cause.OwnCPU, cause.ProgramStart), false}, "listed_again", "names was listed 400 times",
		"names was listed 400 times"},
	{situation{"an edit of a large file", "60 MB/s; perl -i", func(t testing.TB, n int) []string {
		dir := rated(t, 60_000_000, 1)
		run(t, "sh", "-c", fmt.Sprintf("seq %d > %s/list && sync -f %[2]s", 3_000_000*n, dir))
		anew(t, dir, "noatime")
		return in(dir, "perl -i -pe 's/^77$/78/' list")
	}, is(cause.DeviceBandwidth, cause.DeviceLatency, cause.OwnCPU, cause.Readahead), false}, "replaced",
		"list was read and written anew as a whole", "written anew"},
	{situation{"mv between two mounts of one file system", "40 MB/s", func(t testing.TB, n int) []string {
		return in(shownTwice(t, rated(t, 40_000_000, 48*n)), "mv one/file two/")
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false}, "across_mounts", "through one mount it is a rename",
		"EXDEV"},
	{situation{"shutil.move between two mounts of one xfs", "each write takes 200 ms", func(t testing.TB, n int) []string {
		dir := formatted(t, 200*time.Millisecond, "noatime", "mkfs.xfs", "-q", "-f")
		fill(t, dir+"/file", 24*n<<20)
		return in(shownTwice(t, dir), `python3 -c 'import os,shutil; shutil.move("one/file", "two/file"); os.sync()'`)
	}, is(cause.DeviceBandwidth, cause.DeviceLatency, cause.Sync), false}, "across_mounts",
		"through one mount it is a rename", "EXDEV"},
	{situation{"through a temporary directory", "40 MB/s; cp, then mv to another drive", func(t testing.TB,
		n int) []string {
		dir, other := rated(t, 40_000_000, 24*n), mount(t, "ext4", 256<<20)
		return in(dir, fmt.Sprintf("mkdir %s/tmp; cp file %[1]s/tmp/x && mv %[1]s/tmp/x copy", other))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency, cause.Sync), false}, "via_temporary", "which was deleted afterwards",
		"written twice"},
	{situation{"an upload by way of /tmp", "40 MB/s; python, shutil", func(t testing.TB, n int) []string {
		dir, other := rated(t, 40_000_000, 24*n), mount(t, "xfs", 320<<20)
		return in(dir, fmt.Sprintf(`python3 -c 'import os,shutil
shutil.copyfile("file", "%s/upload"); shutil.copyfile("%[1]s/upload", "stored")
os.unlink("%[1]s/upload"); os.sync()'`, other))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency, cause.Sync), false}, "via_temporary", "which was deleted afterwards",
		"written twice"},
	{situation{"a database that is locked", "SQLite, busy for seconds", func(t testing.TB, n int) []string {
		needPrograms(t, "sqlite3")
		dir := workDir(t)
		run(t, "sqlite3", dir+"/base", "create table t(x)")
		lockedBase(t, dir, "exclusive", n+4)
		return in(dir, begun+`sqlite3 -cmd '.timeout 60000' base 'insert into t values(1)'`)
	}, is(cause.ThinkTime, cause.BlockedInCall), false}, "lock_polling", "tried again: sqlite3 (pid", "lock on base"},
	{situation{"a database that another connection writes to", "SQLite through python, 60 s", func(t testing.TB,
		n int) []string {
		needPrograms(t, "sqlite3")
		dir := workDir(t)
		run(t, "sqlite3", dir+"/base", "create table t(x)")
		lockedBase(t, dir, "immediate", n+4)
		return in(dir, begun+python(`import sqlite3
c = sqlite3.connect("base", timeout=60); c.execute("insert into t values(1)"); c.commit()`))
	}, is(cause.ThinkTime, cause.BlockedInCall), false}, "lock_polling", "tried again: sqlite3 (pid", "lock on base"},
	{situation{"rsync -c of files that are there", "each read takes 4 ms", func(t testing.TB, n int) []string {
		needPrograms(t, "rsync")
		dir := manyRead(t, n, "cp -a src dst")
		return in(dir, "rsync -a --checksum src/ dst/")
	}, is(cause.DeviceLatency, cause.OwnCPU, cause.ProgramStart), false}, "read_all", "without it sizes and times decide",
		"rsync --checksum compares contents"},
	{situation{"a backup after a change of modes", "each read takes 4 ms; borg", func(t testing.TB, n int) []string {
		needPrograms(t, "borg")
		dir := manyRead(t, n, `export HOME=$PWD; touch -d "3 days ago" src/*; borg init -e none repo
borg create repo::one src; sleep 1.2; chmod g+w src/*`)
		return in(dir, "export HOME=$PWD BORG_RELOCATED_REPO_ACCESS_IS_OK=yes\n"+
			"BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes borg create repo::two src")
	}, is(cause.DeviceLatency, cause.OwnCPU, cause.ProgramStart, cause.Sync), false},
		"read_all", "borg --files-cache=mtime,size", "ctime is later than mtime in"},
	{situation{"a lock tried again and again", "flock without waiting, every 50 ms", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, "flock queue sh -c 'touch held; "+afterBegun(n+1)+"'")
		exists(t, dir+"/held")
		return in(dir, begun+python(`f = open("queue")
while True:
    try: fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB); break
    except BlockingIOError: time.sleep(.05)`))
	}, is(cause.ThinkTime, cause.BlockedInCall), false}, "lock_polling", "tried again: flock (pid", "lock on queue"},
	{situation{"a link that serves as a lock", "another process removes it later", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, "touch theirs; ln theirs queue.lock; "+afterBegun(n+1)+"; rm queue.lock")
		exists(t, dir+"/queue.lock")
		return in(dir, begun+`perl -e 'open(F, ">", "own");
while (!link("own", "queue.lock")) { select(undef, undef, undef, .05) }'`)
	}, is(cause.ThinkTime), false}, "lock_polling", "queue.lock, a lock file, was there ", "queue.lock was there"},
	{situation{"a directory that serves as a lock", "another process removes it later", func(t testing.TB,
		n int) []string {
		dir := workDir(t)
		background(t, dir, "mkdir queue.lock; "+afterBegun(n+1)+"; rmdir queue.lock")
		exists(t, dir+"/queue.lock")
		return in(dir, begun+python(`while True:
    try: os.mkdir("queue.lock"); break
    except FileExistsError: time.sleep(.05)`))
	}, is(cause.ThinkTime), false}, "lock_polling", "queue.lock, a lock file, was there ", "queue.lock was there"},
}

// manyRead has 20 MB of files in src, on a device that takes 4 ms for each read, and what a script makes of them there;
// nothing of that is in memory.
func manyRead(t testing.TB, n int, script string) string {
	dir := device(t, &testenv.Model{Read: 4 * time.Millisecond}, 1)
	run(t, "mkdir", dir+"/src")
	for i := range 100 * n {
		fill(t, filepath.Join(dir, fmt.Sprint("src/f", i)), 200_000)
	}
	run(t, "sh", "-c", "cd "+dir+" && "+script)
	anew(t, dir, "noatime")
	return dir
}

// TestKinds records each of them: its cause comes first, and the kind is named in the first lines.
func TestKinds(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "chrt", "dd", "fio", "flock", "perl", "python3", "mkfs.xfs", "mkfs.ext2")
	for _, s := range slices.Concat(ofWork, ofSteps, ofSubmits, ofAgain) {
		t.Run(s.name, func(t *testing.T) { s.told(t) })
	}
	t.Log(ofKinds)
}
