package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// What a limit of a control group holds back is sent on by a worker of the
// kernel, and is the program's nevertheless.
func TestLimitedDirect(t *testing.T) {
	needBPF(t)
	const block, n, perSecond = 64 << 10, 100, 4 << 20
	limits := "/sys/fs/cgroup/blkio/blkio.throttle.%s_bps_device"
	if _, err := os.Stat(fmt.Sprintf(limits, "write")); err != nil {
		missing(t, "limiting a device needs the blkio controller of cgroup v1: %v", err)
	}
	for _, fs := range []string{"ext4", "xfs", "btrfs"} {
		d := newDisk(t, 512<<20)
		d.format(fs)
		path := filepath.Join(d.mount(fs, ""), "file")
		for _, op := range []trace.ReqOp{trace.ReqWrite, trace.ReqRead} {
			t.Run(fmt.Sprint(fs, " ", op), func(t *testing.T) {
				limit := func(rate int) {
					text := fmt.Sprintf("%d:%d %d", d.id.Major(), d.id.Minor(), rate)
					if err := os.WriteFile(fmt.Sprintf(limits, op), []byte(text), 0); err != nil {
						t.Fatal(err)
					}
				}
				command := []string{"dd", "if=/dev/zero", "of=" + path, "oflag=direct", "conv=notrunc"}
				if op == trace.ReqRead {
					command = []string{"dd", "if=" + path, "of=/dev/null", "iflag=direct"}
				}
				unix.Sync()
				limit(perSecond)
				defer limit(0)
				command = append(command, fmt.Sprint("bs=", block), fmt.Sprint("count=", n), "status=none")
				rec := recordCommand(t, Options{}, nil, command...)
				limit(0)
				at := map[int64]int{}
				for _, q := range rec.requests(d.id) {
					if q.Op != op || q.Bytes != block {
						continue
					}
					if rec.path(q.File) != path || q.Owner == 0 || q.Evidence == trace.EvidenceNone {
						t.Errorf("a request of %q, offset %d, process %d, owner %d, evidence %v", rec.path(q.File), q.Offset, q.PID,
							q.Owner, q.Evidence)
					}
					at[q.Offset]++
				}
				for i := range int64(n) {
					if i == 0 && fs == "btrfs" && op == trace.ReqRead {
						continue // through the page cache, with readahead
					}
					if at[i*block] != 1 {
						t.Errorf("%d requests at %d", at[i*block], i*block)
					}
				}
			})
		}
	}
}
