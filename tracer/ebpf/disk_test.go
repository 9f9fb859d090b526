//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// disk is a loop device that a test has to itself.
type disk struct {
	t     testing.TB
	name  string // in /dev
	image string
	id    trace.DeviceID
}

const imageSize = 512 << 20 // bytes, sparse

// newDisk makes a loop device on a file of its own; both go when the test ends.
func newDisk(t testing.TB, size int64) *disk {
	t.Helper()
	return newDiskOn(t, workDir(t)+"/image", size, 0)
}

func newDiskOn(t testing.TB, image string, size int64, flags uint32) *disk {
	t.Helper()
	f, err := os.OpenFile(image, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		missing(t, "loop devices: %v", err)
	}
	defer control.Close()
	for range 20 { // another process may take the number first
		n, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			t.Fatalf("finding a free loop device: %v", err)
		}
		d := &disk{t: t, name: fmt.Sprintf("loop%d", n), image: image}
		if err := d.configure(f, flags); err == nil {
			return d
		} else if !errors.Is(err, unix.EBUSY) {
			t.Fatalf("setting up %s: %v", d.name, err)
		}
	}
	t.Fatal("every free loop device was taken by somebody else")
	return nil
}

func (d *disk) configure(image *os.File, flags uint32) error {
	dev, err := os.OpenFile(d.path(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer dev.Close()
	config := unix.LoopConfig{Fd: uint32(image.Fd()), Info: unix.LoopInfo64{Flags: flags}}
	if err := unix.IoctlLoopConfigure(int(dev.Fd()), &config); err != nil {
		return err
	}
	d.t.Cleanup(d.remove)
	var st unix.Stat_t
	if err := unix.Fstat(int(dev.Fd()), &st); err != nil {
		return err
	}
	d.id = trace.MakeDeviceID(unix.Major(st.Rdev), unix.Minor(st.Rdev))
	return testenv.ResetDevice(d.path())
}

func (d *disk) remove() {
	dev, err := os.Open(d.path())
	if err != nil {
		d.t.Error(err)
		return
	}
	defer dev.Close()
	if err := unix.IoctlSetInt(int(dev.Fd()), unix.LOOP_CLR_FD, 0); err != nil {
		d.t.Errorf("removing %s: %v", d.name, err)
	}
}

func (d *disk) path() string { return "/dev/" + d.name }

// format makes a file system that does no work of its own later on.
func (d *disk) format(fstype string) {
	d.t.Helper()
	options := map[string]string{
		"ext4":  "-q -F -b 4096 -E nodiscard,lazy_itable_init=0,lazy_journal_init=0",
		"xfs":   "-q -f -K",
		"btrfs": "-q -f -K",
	}[fstype]
	needTools(d.t, "mkfs."+fstype)
	run(d.t, append(append([]string{"mkfs." + fstype}, strings.Fields(options)...), d.path())...)
	run(d.t, "sync", d.path())
}

// mount mounts the disk and returns the mount point. It is unmounted when the
// test ends, unless it was before.
func (d *disk) mount(fstype, options string) string {
	d.t.Helper()
	dir := workDir(d.t)
	if err := unix.Mount(d.path(), dir, fstype, 0, options); err != nil {
		missing(d.t, "mounting %s: %v", fstype, err)
	}
	d.t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func unmount(t testing.TB, dir string) {
	t.Helper()
	if err := unix.Unmount(dir, 0); err != nil {
		t.Fatalf("unmounting %s: %v", dir, err)
	}
}

// diskstats are the kernel's own counters of a device, by direction.
type diskstats struct {
	Requests, Sectors map[trace.ReqOp]uint64
	InFlight          uint64
}

// idle waits until the device has nothing to do, and returns its counters.
func (d *disk) idle() (s diskstats) {
	d.t.Helper()
	await(d.t, d.name+" to be idle", func() bool { s = d.stats(); return s.InFlight == 0 })
	return s
}

// stats reads /proc/diskstats.
func (d *disk) stats() diskstats {
	d.t.Helper()
	text, err := os.ReadFile("/proc/diskstats")
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var major, minor uint32
		var name string
		var f [17]uint64
		dest := []any{&major, &minor, &name}
		for i := range f {
			dest = append(dest, &f[i])
		}
		if _, err := fmt.Sscan(line, dest...); err != nil || name != d.name {
			continue
		}
		return diskstats{ // Documentation/admin-guide/iostats.rst
			Requests: map[trace.ReqOp]uint64{trace.ReqRead: f[0], trace.ReqWrite: f[4], trace.ReqDiscard: f[11],
				trace.ReqFlush: f[15]},
			Sectors:  map[trace.ReqOp]uint64{trace.ReqRead: f[2], trace.ReqWrite: f[6], trace.ReqDiscard: f[13]},
			InFlight: f[8],
		}
	}
	d.t.Fatalf("%s is not in /proc/diskstats", d.name)
	return diskstats{}
}
