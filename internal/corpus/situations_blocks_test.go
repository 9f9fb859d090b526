//go:build linux

package corpus

import (
	"fmt"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/internal/testenv"
)

// Blocks that are read though nobody asked for what is in them, and operations that are to begin and are done at once.
var ofBlocks = []situation{
	{"records of 5,000 bytes over a file", "each read takes 6 ms; dd over 2 MB of a cold file", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 16)
		return in(dir, fmt.Sprint("dd if=/dev/zero of=file bs=5000 conv=notrunc count=", 200*n))
	}, is(cause.PartialWrites), false},
	{"parts of blocks through a ring", "xfs; each read takes 6 ms; io_uring, 1 KiB", func(t testing.TB,
		n int) []string {
		dir := formattedToRead(t, 6*time.Millisecond, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randwrite --bs=1k --ioengine=io_uring --iodepth=8 "+
			"--size=32m --overwrite=1 --fallocate=none --number_ios=", 200*n))
	}, is(cause.PartialWrites), false},
	{"a batch of asynchronous reads", "xfs; each read takes 6 ms; 16 in one io_submit", func(t testing.TB,
		n int) []string {
		dir := formattedToRead(t, 6*time.Millisecond, 64)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=16k --ioengine=libaio --iodepth=16 "+
			"--iodepth_batch=16 --iodepth_batch_complete=16 --size=64m --number_ios=", 200*n))
	}, is(cause.BlockingSubmit), false},
}

// formattedToRead is a device with xfs that takes as long for each read, with a file of which nothing is in memory.
func formattedToRead(t testing.TB, read time.Duration, mebibytes int) string {
	run(t, "fio", "--version") // its libraries are in memory
	dir := device(t, &testenv.Model{Read: read, FileSystem: "xfs"}, mebibytes)
	remount(t, dir)
	return dir
}
