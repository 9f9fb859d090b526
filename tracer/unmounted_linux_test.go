package tracer

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// A device is flushed whose file system was unmounted: not every kind does so itself. One that is mounted is left to
// the sync of its file system.
func TestDrainOfWhatWasUnmounted(t *testing.T) {
	needRoot(t)
	for name, unmounted := range map[string]bool{"unmounted": true, "deleted there": false} {
		t.Run(name, func(t *testing.T) {
			l, err := testenv.InMemory("ext2", "drain", 16<<20)
			if err != nil {
				t.Fatal(err)
			}
			files := written(t, l.Dir, 2, 10_000)
			var st unix.Stat_t
			if err := unix.Stat(l.Device, &st); err != nil {
				t.Fatal(err)
			}
			for i := range files {
				files[i].Device, files[i].FSType = trace.MakeDeviceID(unix.Major(st.Rdev), unix.Minor(st.Rdev)), "ext2"
				if err := os.Remove(files[i].Path); err != nil {
					t.Fatal(err)
				}
			}
			if unmounted {
				err = unix.Unmount(l.Dir, 0)
			} else {
				err = os.WriteFile(files[0].Path, nil, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			before := flushes(t, l.Device)
			if err := drain(files, later(), nil); err != nil {
				t.Error(err)
			}
			if n := flushes(t, l.Device) - before; unmounted && n != 1 || n == 0 {
				t.Errorf("%d flushes", n)
			}
			if unmounted {
				err = unix.Mount(l.Device, l.Dir, "ext2", 0, "")
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// flushes is how often a device was flushed so far.
func flushes(t *testing.T, device string) int {
	t.Helper()
	fields := strings.Fields(readText(t, filepath.Join("/sys/class/block", filepath.Base(device), "stat")))
	n, err := strconv.Atoi(fields[15])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
