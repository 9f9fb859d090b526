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

// narrow has the queue of the device that a directory is on hold few requests, and a scheduler choose among them.
func narrow(t testing.TB, dir, scheduler string, requests int) {
	from := source(t, dir)
	t.Cleanup(func() {
		if err := testenv.ResetQueue(from); err != nil {
			t.Error(err)
		}
	})
	run(t, "sh", "-c", fmt.Sprintf("cd /sys/block/%s/queue; echo none > scheduler; echo %d > nr_requests; "+
		"echo %s > scheduler; echo %[2]d > nr_requests", filepath.Base(from), requests, scheduler))
}

// singly has bfq give the device that a directory is on one request after another.
func singly(t testing.TB, dir string) {
	narrow(t, dir, "bfq", 4)
	run(t, "sh", "-c", "echo 1 > /sys/block/"+filepath.Base(source(t, dir))+"/queue/iosched/strict_guarantees")
}

// Queues that hold fewer requests than there are to do: the drive works at one after the other, all of the time.
var ofQueues = []situation{
	{"a cold copy through a short queue", "40 MB/s; bfq, nr_requests 4", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 48*n)
		narrow(t, dir, "bfq", 4)
		return in(dir, "cp file /dev/shm/iotrace-copy; rm /dev/shm/iotrace-copy")
	}, is(cause.DeviceBandwidth), true},
	{"a file read through a short queue", "40 MB/s; no scheduler, nr_requests 4", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 48*n)
		narrow(t, dir, "none", 4)
		return in(dir, "sha1sum file")
	}, is(cause.DeviceBandwidth), false},
	{"writing a large file through a short queue", "40 MB/s; bfq, nr_requests 4", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 1)
		narrow(t, dir, "bfq", 4)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=1M count=", 48*n))
	}, is(cause.DeviceBandwidth), true},
	{"a large file made safe through a short queue", "40 MB/s; mq-deadline, nr_requests 4", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 1)
		narrow(t, dir, "mq-deadline", 4)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=1M conv=fsync count=", 48*n))
	}, is(cause.DeviceBandwidth), false},
	{"a cold copy, one request at a time", "40 MB/s; bfq, strict_guarantees", func(t testing.TB, n int) []string {
		dir := rated(t, 40_000_000, 48*n)
		singly(t, dir)
		return in(dir, "cp file /dev/shm/iotrace-copy; rm /dev/shm/iotrace-copy")
	}, is(cause.DeviceBandwidth), true},
	{"writing a large file, one request at a time", "40 MB/s; bfq, strict_guarantees", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 1)
		singly(t, dir)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=new bs=1M count=", 48*n))
	}, is(cause.DeviceBandwidth), true},
	{"asynchronous reads, one request at a time", "40 MB/s; bfq, strict_guarantees; libaio, 8", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 32)
		singly(t, dir)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=128k --direct=1 --ioengine=libaio "+
			"--iodepth=8 --size=32m --number_ios=", 250*n))
	}, is(cause.DeviceBandwidth, cause.BlockingSubmit), false},
	{"a pool of readers, one request at a time", "40 MB/s; bfq, strict_guarantees; eight threads", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 32)
		singly(t, dir)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=64k --ioengine=psync --thread "+
			"--numjobs=8 --size=32m --number_ios=", 60*n))
	}, is(cause.DeviceBandwidth), false},
	{"reads of one thread, one request at a time", "each read takes 6 ms; bfq, strict_guarantees", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 32)
		singly(t, dir)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --ioengine=psync --size=32m "+
			"--number_ios=", 150*n))
	}, is(cause.DeviceLatency), false},
	{"in the class idle beside another", "40 MB/s; bfq, ionice -c 3; another process reads", func(t testing.TB,
		n int) []string {
		dir := rated(t, 40_000_000, 64)
		narrow(t, dir, "bfq", 64)
		queue(t, dir, "randread")
		return in(dir, fmt.Sprintf("ionice -c 3 dd if=file of=/dev/null bs=64k iflag=direct count=%d", 16*n)+leave)
	}, is(cause.OtherUsers), false},
	{"behind another's short queue", "one request at a time, 4 ms; bfq, nr_requests 4; another process keeps 16 writes " +
		"in flight", func(t testing.TB, n int) []string {
		dir := device(t, &testenv.Model{Read: 4 * time.Millisecond, Write: 4 * time.Millisecond, Alone: true}, 64)
		narrow(t, dir, "bfq", 4)
		queue(t, dir, "randwrite")
		return in(dir, python(`f = os.open("file", os.O_RDONLY | os.O_DIRECT); m = mmap.mmap(-1, 4096)
for i in range(%d): os.preadv(f, [m], (i * 7919 %% 16000) << 12)`, 120*n)+leave)
	}, is(cause.OtherUsers), false},
}
