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

// Situations whose first cause, or what was said of it, was wrong when they were tried first.
var ofMistakes = []situation{
	{"posix message queue", "another program sends one each 50 ms", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, python(`import ctypes
c = ctypes.CDLL("librt.so.1"); q = c.mq_open(b"/iotrace-more", 0o102, 0o600, None)
open("ready", "w")
while True: time.sleep(.05); c.mq_send(q, b"x", ctypes.c_size_t(1), 0)`))
		exists(t, dir+"/ready")
		t.Cleanup(func() {
			run(t, "python3", "-c", `import ctypes; ctypes.CDLL("librt.so.1").mq_unlink(b"/iotrace-more")`)
		})
		return in("/", python(`import ctypes
c = ctypes.CDLL("librt.so.1"); q = c.mq_open(b"/iotrace-more", 2); b = ctypes.create_string_buffer(8192)
for i in range(%d): c.mq_receive(q, b, ctypes.c_size_t(8192), None)`, 30*n))
	}, is(cause.OtherEnd, cause.BlockedInCall), false},
	{"syncs behind a limit of operations", "blkio, 60 writes a second", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "write_iops_device", 60)
		return in(dir, python(`f = open("new", "wb", 0)
for i in range(%d): f.write(b"x" * 3000); os.fsync(f)`, 30*n))
	}, is(cause.LimitAbove), false},
	{"a drive that does not answer for a second", "once, in the middle", func(t testing.TB, n int) []string {
		stall := filepath.Join(workDir(t), "stall")
		dir := device(t, &testenv.Model{Stall: stall}, 64)
		background(t, dir, fmt.Sprintf("while ! [ -e begun ]; do sleep .02; done; sleep .2; "+
			"touch %s; sleep %d; rm %[1]s", stall, 2*n))
		return in(dir, "touch begun; for i in 1 2 3 4 5 6; do dd if=file of=/dev/null bs=64k iflag=direct "+
			"skip=$((i*100)) count=100; sleep .05; done")
	}, is(cause.SlowingDown), false},
	{"a check of a file system", "each read takes 4 ms; e2fsck -f", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond}, 1)
		run(t, "sh", "-c", fmt.Sprintf("cd %s; for i in $(seq %d); do mkdir d$i; touch d$i/a; done; sync", dir,
			1500*n))
		from := source(t, dir)
		run(t, "umount", dir)
		t.Cleanup(func() { run(t, "mount", from, dir) })
		return []string{"e2fsck", "-f", "-n", from}
	}, is(cause.DeviceLatency), false},
	{"a child that reads", "each read takes 6 ms; python, subprocess", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		return in(dir, python(`import subprocess
subprocess.run(["dd", "if=file", "of=/dev/null", "bs=4k", "iflag=direct", "count=%d"])`, 150*n))
	}, is(cause.DeviceLatency), false},
	{"a disk written through the page cache", "40 MB/s; no file system", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		from := source(t, dir)
		run(t, "umount", dir)
		t.Cleanup(func() { run(t, "mkfs.ext4", "-q", "-F", from); run(t, "mount", from, dir) })
		return in("/", fmt.Sprint("dd if=/dev/zero of="+from+" bs=1M count=", 60*n))
	}, is(cause.DeviceBandwidth), false},
	{"records of a raw disk, at random", "each read takes 5 ms; buffered pread of 512 bytes", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 1)
		from := source(t, dir)
		return in("/", python(`f = os.open("%s", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
for i in range(%d): os.pread(f, 512, random.randrange(100000) * 4096)`, from, 150*n))
	}, is(cause.DeviceLatency), false},
}
