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

// submitting is fio, which submits n operations at a depth, past the page cache.
func submitting(rw string, depth, n int, more string) string {
	return fmt.Sprintf("fio --name=x --filename=file --rw=%s --bs=4k --direct=1 --ioengine=libaio --iodepth=%d "+
		"--size=64m --invalidate=0 --number_ios=%d %s", rw, depth, n, more)
}

// ring is fio, which has io_uring write n blocks at a depth, through the page cache.
func ring(depth, n int, more string) string {
	return fmt.Sprintf("fio --name=x --filename=file --rw=randwrite --bs=4k --ioengine=io_uring --iodepth=%d "+
		"--size=64m --invalidate=0 --number_ios=%d %s", depth, n, more)
}

// Calls that submit operations past the page cache, and wait all the same.
var ofSubmits = []kind{
	{situation{"direct reads of what is dirty in memory", "each write takes 6 ms; libaio, 16", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version")
		run(t, "dd", "if=/dev/urandom", "of="+dir+"/file", "bs=1M", "count=64", "conv=notrunc")
		return in(dir, submitting("randread", 16, 150*n, ""))
	}, is(cause.BlockingSubmit), false}, "blocking_submit", "what is dirty of a file in memory is written within",
		"sync what is dirty in memory before the direct reads"},
	{situation{"more at once than the queue holds", "each read takes 6 ms; nr_requests 4, libaio", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Read: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version")
		queue := "/sys/block/" + filepath.Base(source(t, dir)) + "/queue"
		t.Cleanup(func() {
			if err := testenv.ResetQueue(source(t, dir)); err != nil {
				t.Error(err)
			}
		})
		run(t, "sh", "-c", "cd "+queue+"; echo none > scheduler; echo 4 > nr_requests")
		return in(dir, submitting("randread", 32, 400*n, ""))
	}, is(cause.BlockingSubmit), false}, "blocking_submit", "holds 4 requests (nr_requests)",
		"as many at once as the queue holds (4)"},
	{situation{"synchronous writes of a ring", "each write takes 6 ms; io_uring, O_DSYNC, 16", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version")
		return in(dir, ring(16, 60*n, "--sync=dsync"))
	}, is(cause.BlockingSubmit), false}, "ring_in_turn", "io_uring was given", "writes asked at once, 1.0 in flight"},
	{situation{"writes of a ring to a file that waits", "each write takes 6 ms; chattr +S, io_uring, 8", func(t testing.TB,
		n int) []string {
		dir := device(t, &testenv.Model{Write: 6 * time.Millisecond}, 64)
		run(t, "fio", "--version")
		run(t, "chattr", "+S", dir+"/file")
		return in(dir, ring(8, 60*n, ""))
	}, is(cause.BlockingSubmit), false}, "ring_in_turn", "io_uring was given", "chattr -S "},
}
