//go:build linux

package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// attach makes a loop device of a new file; it is detached when the test ends.
func attach(t testing.TB, size int64) (device string) {
	t.Helper()
	image := filepath.Join(workDir(t), "image")
	f, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	device = run(t, "losetup", "--find", "--show", "--direct-io=on", image)
	t.Cleanup(func() { run(t, "losetup", "--detach", device) })
	if err := testenv.ResetDevice(device); err != nil {
		t.Fatal(err)
	}
	keepTo(t, device)
	return device
}

// private are the devices that nobody but a running test uses, by name, and that are at rest as a recording begins and
// ends: one that takes 200 ms for a request is not, and counts with -every alone.
var private = map[string]bool{}

// keepTo notes that a device is the test's own.
func keepTo(t testing.TB, device string) {
	name := filepath.Base(device)
	private[name] = true
	t.Cleanup(func() { delete(private, name) })
}

// unwritten sets how much of all unwritten data may be for a device, in percent, and whether that holds even if there
// is little of it.
func unwritten(t testing.TB, device string, percent int, strict bool) {
	t.Helper()
	bdi := "/sys/class/bdi/" + run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", device)
	strictly := "0"
	if strict {
		strictly = "1"
	}
	for file, value := range map[string]string{"max_ratio": strconv.Itoa(percent), "strict_limit": strictly} {
		if err := os.WriteFile(filepath.Join(bdi, file), []byte(value), 0o644); err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
	}
}

// mount mounts a new file system; it is unmounted when the test ends.
func mount(t testing.TB, fs string, size int64) (dir string) {
	t.Helper()
	needPrograms(t, "mkfs."+fs)
	device := attach(t, size)
	format(t, fs, device)
	dir = workDir(t)
	run(t, "mount", device, dir)
	t.Cleanup(func() { run(t, "umount", dir) })
	return dir
}

// format makes a file system on a device or in a file, such that the kernel has nothing of its own to do on it after it
// is mounted. Else a thread of ext4 writes 6 % of the device within seconds, and reads the bitmaps of its blocks a
// second later. Kernels that do not know the option pass it over.
func format(t testing.TB, fs, device string) {
	t.Helper()
	if fs != "ext4" {
		run(t, "mkfs."+fs, "-q", device)
		return
	}
	needPrograms(t, "tune2fs")
	run(t, "mkfs.ext4", "-q", device, "-E", "lazy_itable_init=0,lazy_journal_init=0")
	run(t, "tune2fs", "-E", "mount_opts=no_prefetch_block_bitmaps", device)
}

// mountable reports whether the kernel has a file system, perhaps as a module.
func mountable(t *testing.T, fs string) bool {
	_ = exec.Command("modprobe", "-q", fs).Run() // it may be built in
	text, err := os.ReadFile("/proc/filesystems")
	if err != nil {
		t.Fatal(err)
	}
	return slices.Contains(strings.Fields(string(text)), fs)
}
