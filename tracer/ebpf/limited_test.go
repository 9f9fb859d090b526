//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"os/exec"
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

// Others' direct I/O on the same file stays theirs, held back or not.
func TestOthersDirect(t *testing.T) {
	needBPF(t)
	const block, n = 64 << 10, 50
	const limit = "/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device"
	d := newDisk(t, 64<<20)
	d.format("ext4")
	path := filepath.Join(d.mount("ext4", ""), "file")
	if err := os.WriteFile(path, make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	unix.Sync()
	for _, rate := range []int{0, 8 << 20} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			if _, err := os.Stat(limit); err != nil && rate > 0 {
				missing(t, "limiting a device needs the blkio controller of cgroup v1: %v", err)
			} else if err == nil {
				set := func(rate int) {
					text := fmt.Appendf(nil, "%d:%d %d", d.id.Major(), d.id.Minor(), rate)
					if err := os.WriteFile(limit, text, 0); err != nil {
						t.Fatal(err)
					}
				}
				set(rate)
				defer set(0)
			}
			others := exec.Command("sh", "-c",
				"while :; do dd if="+path+" of=/dev/null bs=32k iflag=direct status=none; done")
			others.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
			if err := others.Start(); err != nil {
				t.Fatal(err)
			}
			defer others.Wait() // how it ended is known
			defer unix.Kill(-others.Process.Pid, unix.SIGKILL)
			rec := recordCommand(t, Options{}, nil, "dd", "if="+path, "of=/dev/null", "iflag=direct", "status=none",
				fmt.Sprint("bs=", block), fmt.Sprint("count=", n))
			own, theirs := 0, 0
			for _, q := range rec.requests(d.id) {
				switch {
				case q.Op != trace.ReqRead:
				case q.Owner != 0 && q.Bytes == block && rec.path(q.File) == path:
					own++
				case q.Owner == 0 && q.Bytes == block/2 && q.Flags&trace.ReqForeign != 0:
					theirs++
				case q.Bytes >= block/2:
					t.Errorf("a request of %d bytes of %q, owner %d, flags %b", q.Bytes, rec.path(q.File), q.Owner, q.Flags)
				}
			}
			if own != n || theirs == 0 {
				t.Errorf("%d requests of the program's %d, %d of others", own, n, theirs)
			}
		})
	}
}
