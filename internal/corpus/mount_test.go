//go:build linux

package corpus

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// attach makes a loop device of a new file; it is detached when the test ends. Limits that a killed run set for a
// device of this number are lifted.
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
	unlimit(t, device)
	return device
}

// unlimit lifts the limits of the root group (version 1 of control groups) for a device, and that of its unwritten
// data: they outlive it.
func unlimit(t testing.TB, device string) {
	t.Helper()
	unwritten(t, device, 100, false)
	limits, err := filepath.Glob("/sys/fs/cgroup/blkio/blkio.throttle.*_device")
	if err != nil || len(limits) == 0 {
		return
	}
	number := run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", device)
	for _, limit := range limits {
		if err := os.WriteFile(limit, []byte(number+" 0"), 0o644); err != nil {
			t.Error(err)
		}
	}
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
	format := []string{"mkfs." + fs, "-q", device}
	if fs == "ext4" { // or its kernel thread writes 6 % of the device meanwhile
		format = append(format, "-E", "lazy_itable_init=0,lazy_journal_init=0")
	}
	run(t, format...)
	dir = workDir(t)
	run(t, "mount", device, dir)
	t.Cleanup(func() { run(t, "umount", dir) })
	return dir
}
