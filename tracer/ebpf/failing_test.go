//go:build linux

package ebpf

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// A loop device whose file lies on a full file system fails writes: each that
// the kernel logged as failed is recorded with its error, and no other.
func TestFailedRequestsCarryTheirError(t *testing.T) {
	needBPF(t)
	needTools(t, "dd")
	dir := workDir(t)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		missing(t, "mounting a tmpfs: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	d := newDiskOn(t, dir+"/image", 4<<20, 0)
	failed := startFtrace(t, fmt.Sprintf("dev == %d", d.id), "block/block_rq_error")
	rec := recordCommand(t, Options{}, nil, "sh", "-c", "dd if=/dev/zero of="+d.path()+
		" bs=64k count=64 oflag=direct; test $? = 1")
	want := len(failed.lines())
	if want == 0 {
		t.Fatal("no request failed: the file system took 4 MiB in 1 MiB")
	}
	ended := map[int32]int{}
	for _, q := range rec.requests(d.id) {
		if q.Op == trace.ReqWrite {
			ended[q.Error]++
		}
	}
	t.Logf("requests by error: %v; the kernel logged %d", ended, want)
	if n := ended[int32(unix.ENOSPC)] + ended[int32(unix.EIO)]; n != want || ended[0] == 0 {
		t.Errorf("%d requests are recorded as failed, the kernel logged %d; by error %v", n, want, ended)
	}
}
