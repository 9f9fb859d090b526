//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// elsewhere counts the requests of other devices that leave the kernel.
type elsewhere struct {
	trace.Sink
	device trace.DeviceID
	n      int
}

func (e *elsewhere) Request(q *trace.Request) error {
	if q.Device != e.device {
		e.n++
	}
	return e.Sink.Request(q)
}

// Of two devices in use at once one is recorded: its requests are those that the kernel counted, and nothing of the
// other leaves the kernel or is in the recording. A file system may have a number that is not its device's (btrfs,
// overlay).
func TestOneDeviceAlone(t *testing.T) {
	needBPF(t)
	for _, fstype := range []string{"ext4", "btrfs"} {
		t.Run(fstype, func(t *testing.T) {
			one, other := newDisk(t, imageSize), newDisk(t, imageSize)
			one.format(fstype)
			other.format(fstype)
			chosen, err := tracer.FindDisk(one.name)
			if err != nil {
				t.Fatal(err)
			}
			only := tracer.Narrow{Devices: []tracer.Disk{chosen}}
			var raw *elsewhere
			c := one.watch()
			s := beginTo(t, Options{}, tracer.Scope{All: true, Only: only}, func(to trace.Sink) trace.Sink {
				raw = &elsewhere{Sink: only.Sink(to), device: one.id}
				return raw
			})
			dirs := [2]string{one.mount(fstype, ""), other.mount(fstype, "")}
			for _, dir := range dirs {
				over := overlayOn(t, dir)
				run(t, workload.Args("write", dir, "1", "1048576", "65536", "fsync")...)
				run(t, workload.Args("write", over, "2", "1048576", "65536", "direct")...)
			}
			run(t, "dd", "if="+other.path(), "of=/dev/null", "bs=64k", "count=4", "iflag=direct", "status=none")
			run(t, "dd", "if="+one.path(), "of=/dev/null", "bs=64k", "count=4", "iflag=direct", "status=none")
			c.stop()
			rec := s.end()
			c.compare(rec)
			checkPlaces(t, one, rec, trace.ReqWrite)
			if raw.n > 0 {
				t.Errorf("%d requests of other devices left the kernel", raw.n)
			}
			written := map[string]int64{}
			for i := range rec.Syscalls {
				if e := &rec.Syscalls[i]; e.Op == trace.OpWrite {
					written[filepath.Base(rec.path(e.File))] += e.Result
				} else if e.Op == trace.OpRead {
					written[rec.path(e.File)] += e.Result
				}
			}
			if want := int64(1 << 20); written["pattern-1"] != want || written["pattern-2"] != want ||
				written[one.path()] != 256<<10 {
				t.Errorf("calls moved %v", written)
			}
			for _, f := range rec.Files {
				if strings.HasPrefix(f.Path, dirs[1]) || f.Path == other.path() {
					t.Errorf("%s of the other device is in the recording", f.Path)
				}
			}
		})
	}
}

// overlayOn mounts an overlay whose files lie below a directory.
func overlayOn(t *testing.T, dir string) string {
	t.Helper()
	for _, name := range []string{"lower", "upper", "work", "over"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	options := fmt.Sprintf("lowerdir=%[1]s/lower,upperdir=%[1]s/upper,workdir=%[1]s/work", dir)
	over := filepath.Join(dir, "over")
	if err := unix.Mount("overlay", over, "overlay", 0, options); err != nil {
		missing(t, "mounting an overlay: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(over, unix.MNT_DETACH) })
	return over
}
