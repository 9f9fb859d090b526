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

// Delays of a device, limits above it, and others who use it.
var ofDevices = []situation{
	{"direct reads, one at a time", "each request takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), fmt.Sprint("dd if=file of=/dev/null bs=64k iflag=direct count=", 70*n))
	}, is(cause.DeviceLatency), true},
	{"direct writes, one at a time", "each request takes 10 ms", func(t testing.TB, n int) []string {
		return in(slowDir(t), fmt.Sprint("dd if=/dev/zero of=new bs=64k oflag=direct count=", 70*n))
	}, is(cause.DeviceLatency), false},
	{"reads at random, one at a time", "each read takes 8 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 8 * time.Millisecond}, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 --ioengine=psync "+
			"--size=32m --number_ios=", 100*n))
	}, is(cause.DeviceLatency), false},
	{"reads of many threads", "one request at a time, 4 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Alone: true}, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 --ioengine=psync --thread "+
			"--numjobs=8 --size=32m --number_ios=", 40*n))
	}, is(cause.DeviceBandwidth), false},
	{"small files", "each read takes 5 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 1)
		for i := range 80 * n {
			fill(t, filepath.Join(dir, fmt.Sprint("small", i)), 6000)
		}
		remount(t, dir)
		return in(dir, "cat small* > /dev/null")
	}, is(cause.DeviceLatency, cause.Names), false},
	{"small files, two at a time", "each read takes 6 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 1)
		for i := range 200 * n {
			fill(t, filepath.Join(dir, fmt.Sprint("small", i)), 6000)
		}
		remount(t, dir)
		return in(dir, python(`import concurrent.futures as c
with c.ThreadPoolExecutor(2) as e: list(e.map(lambda p: p[:5] == "small" and open(p, "rb").read(),
    os.listdir(".")))`))
	}, is(cause.DeviceLatency), false},
	{"files of two sizes by four threads", "each read takes 2 ms and its bytes 20 MB/s, all at the same time",
		func(t testing.TB, n int) []string {
			dir := device(t, &testenv.Model{Read: 2 * time.Millisecond, Rate: 20_000_000}, 1)
			for i := range 180 * n {
				fill(t, filepath.Join(dir, fmt.Sprint("page", i)), 4096+116<<10*min(i%6, 1))
			}
			remount(t, dir)
			return in(dir, python(`import concurrent.futures as c
def read(p): return len(open(p, "rb").read())
pages = sorted(p for p in os.listdir(".") if p[:4] == "page")
for p in pages[:36]: read(p)
with c.ThreadPoolExecutor(4) as e: list(e.map(read, pages[36:]))`))
		}, is(cause.DeviceLatency), false},
	{"a cold copy", "40 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 48*n), "cp file /dev/shm/iotrace-copy; rm /dev/shm/iotrace-copy")
	}, is(cause.DeviceBandwidth), true},
	{"writing a large file", "40 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 1), fmt.Sprint("dd if=/dev/zero of=new bs=1M count=", 48*n))
	}, is(cause.DeviceBandwidth), true},
	{"writing a large file until it is safe", "each write takes 15 ms, one at a time", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Write: 15 * time.Millisecond, Alone: true}, 1)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=1M conv=fsync count=", 48*n))
	}, is(cause.DeviceBandwidth), false},
	{"a device that becomes slower", "100 MB/s, a sixth of it after 32 MiB", func(t testing.TB, n int) []string {
		since := filepath.Join(t.TempDir(), "since")
		dir := device(t, &testenv.Model{Rate: 100_000_000, Alone: true, After: 32 << 20, Slower: 6, Since: since}, 1)
		fill(t, since, 1)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=1M oflag=direct count=", 64+32*n))
	}, is(cause.SlowingDown), true},
	{"no readahead", "each request takes 10 ms; blockdev --setra 0", func(t testing.TB, n int) []string {
		dir := slowDir(t)
		run(t, "blockdev", "--setra", "0", source(t, dir))
		return in(dir, fmt.Sprint("dd if=file of=/dev/null bs=64k count=", 8*n))
	}, is(cause.Readahead), true},
	{"dropped by its reader", "40 MB/s; read five times, and dropped each time", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 12*n),
			"for i in 1 2 3 4 5; do cat file > /dev/null; dd if=file iflag=nocache count=0; done")
	}, is(cause.CacheDropped), false},
	{"little readahead", "each request takes 5 ms; blockdev --setra 64", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 8*n)
		run(t, "blockdev", "--setra", "64", source(t, dir))
		return in(dir, "dd if=file of=/dev/null bs=4k")
	}, is(cause.Readahead), false},
	{"a fragmented file", "pieces of 32 KiB; one request at a time, 4 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Alone: true}, 1)
		fragmented(t, dir, 10*n, 32)
		return in(dir, "cat pieces > /dev/null")
	}, is(cause.Fragmentation), true},
	{"a large directory", "each read takes 2 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 2 * time.Millisecond}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
os.mkdir(%q)
for i in range(%d): os.mknod("%[1]s/%%0200d" %% i)`, dir+"/large", 6000*n))
		remount(t, dir)
		return in(dir, "ls -f large > /dev/null")
	}, is(cause.Names), false},
	{"a limit of bytes on reads", "blkio control group, 20 MB/s", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "read_bps_device", 20<<20)
		fill(t, filepath.Join(dir, "file"), 32*n<<20)
		remount(t, dir)
		return in(dir, "dd if=file of=/dev/null bs=1M")
	}, is(cause.LimitAbove), false},
	{"a limit of bytes on direct writes", "blkio control group, 20 MB/s", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "write_bps_device", 20<<20)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=1M oflag=direct count=", 32*n))
	}, is(cause.LimitAbove), false},
	{"a limit of bytes on write-back", "blkio control group, 20 MB/s", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "write_bps_device", 20<<20)
		return in(dir, "cp "+warmFile(t, 32*n<<20)+" new")
	}, is(cause.LimitAbove), true},
	{"a limit of operations on reads", "blkio control group, 100 a second", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "read_iops_device", 100)
		fill(t, filepath.Join(dir, "file"), 2*n<<20)
		return in(dir, "sync file; dd if=file of=/dev/null bs=16k iflag=direct")
	}, is(cause.LimitAbove), false},
	{"a limit of operations on small files", "blkio control group, 100 a second", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "read_iops_device", 100)
		for i := range 120 * n {
			fill(t, filepath.Join(dir, fmt.Sprint("file", i)), 8<<10)
		}
		remount(t, dir)
		return in(dir, "cat file* > /dev/null")
	}, is(cause.LimitAbove), false},
	{"a limit of operations on writes", "blkio control group, 100 a second", func(t testing.TB, n int) []string {
		dir := limitedDevice(t, "write_iops_device", 100)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=16k oflag=direct count=", 100*n))
	}, is(cause.LimitAbove), false},
	{"others read", "one request at a time, 4 ms; four others read", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Alone: true}, 32)
		for range 4 {
			background(t, dir, "while :; do dd if=file of=/dev/null bs=64k iflag=direct; done")
		}
		return in(dir, fmt.Sprint("dd if=file of=/dev/null bs=64k iflag=direct skip=100 count=", 60*n))
	}, is(cause.OtherUsers), true},
	{"others write", "40 MB/s; another process writes", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		background(t, dir, "while :; do dd if=/dev/zero of=theirs bs=512k count=64 oflag=direct conv=notrunc; done")
		background(t, dir, "while :; do dd if=/dev/zero of=more bs=512k count=64 oflag=direct conv=notrunc; done")
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=512k oflag=direct count=", 50*n))
	}, is(cause.OtherUsers), false},
	{"behind another's queue", "one request at a time, 4 ms; another process keeps 16 writes in flight", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Write: 4 * time.Millisecond, Alone: true}, 64)
		queue(t, dir, "randwrite")
		return in(dir, python(`f = os.open("file", os.O_RDONLY | os.O_DIRECT); m = mmap.mmap(-1, 4096)
for i in range(%d): os.preadv(f, [m], (i * 7919 %% 16000) << 12)`, 40*n)+leave)
	}, is(cause.OtherUsers), true},
	{"beside another's queue", "each read takes 5 ms; another process keeps 16 in flight", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 5 * time.Millisecond}, 64)
		queue(t, dir, "randread")
		return in(dir, python(`f = os.open("file", os.O_RDONLY | os.O_DIRECT); m = mmap.mmap(-1, 4096)
for i in range(%d): os.preadv(f, [m], (i * 7919 %% 16000) << 12)`, 300*n)+leave)
	}, is(cause.DeviceLatency), false},
	{"files that are replaced while they are written", "60 MB/s; mv of a new file over the old one", func(t testing.TB,
		n int) []string {
		dir := rated(t, 60_000_000, 1)
		return in(dir, fmt.Sprintf("for i in $(seq %d); do for f in a b c d; do head -c 2000000 /dev/zero > new; "+
			"mv new $f; done; done", 12*n))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"files of xfs that are written anew", "60 MB/s; python truncates each", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Rate: 60_000_000, Alone: true, FileSystem: "xfs"}, 1)
		return in(dir, python(`for i in range(%d): open("f%%d" %% (i %% 5), "wb").write(b"x" * 2000000)`, 50*n))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency), false},
	{"two copies against each other", "one request at a time, 3 ms", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond, Write: 3 * time.Millisecond, Alone: true}, 24*n)
		run(t, "cp", dir+"/file", dir+"/second")
		remount(t, dir)
		return in(dir, "cp file one & cd "+dir+" && cp second two; wait")
	}, is(cause.DeviceBandwidth, cause.OtherUsers), false},
}

// queue is another process that keeps 16 small requests in flight on a device, until the recorded one leaves.
func queue(t testing.TB, dir, rw string) {
	fill(t, filepath.Join(dir, "theirs"), 64<<20)
	run(t, "sync", "-f", dir)
	background(t, dir, "fio --name=x --filename=theirs --rw="+rw+" --bs=4k --direct=1 --ioengine=libaio --iodepth=16 "+
		"--size=64m --time_based --runtime=600 & while ! [ -e done ]; do sleep .02; done; kill $!; wait")
	time.Sleep(2 * time.Second)
}

// leave has what others began end within the recording, which makes it comparable with what the kernel counted.
const leave = "; touch done; sleep .4"
