//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	self    = "/guest" // this program, in the machine
	disk    = "/dev/vda"
	workDir = "/work" // where the disk is mounted
)

// prepare makes a usable system out of what the kernel has at its start.
func prepare() error {
	for _, m := range []struct{ source, at, kind string }{
		{"proc", "/proc", "proc"}, {"sysfs", "/sys", "sysfs"}, {"devtmpfs", "/dev", "devtmpfs"}, {"tmpfs", "/tmp", "tmpfs"},
	} {
		if err := os.MkdirAll(m.at, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(m.source, m.at, m.kind, 0, ""); err != nil && !errors.Is(err, unix.EBUSY) {
			return fmt.Errorf("mounting %s: %w", m.at, err)
		}
	}
	os.Setenv("PATH", "/")
	os.Setenv("HOME", "/tmp")
	if err := loadModules("/modules/order"); err != nil {
		return err
	}
	for range 100 { // the disk is found in the background
		if _, err := os.Stat(disk); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return mountDisk()
}

// mountDisk mounts the disk, and goes there.
func mountDisk() error {
	if err := os.MkdirAll(workDir, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(disk, workDir, "ext4", 0, ""); err != nil {
		return fmt.Errorf("mounting %s: %w", disk, err)
	}
	return os.Chdir(workDir)
}

// loadModules loads the files of a list, which stand in the order that they need each other.
func loadModules(list string) error {
	f, err := os.Open(list)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		name := s.Text()
		module, err := os.Open("/modules/" + name)
		if err != nil {
			return err
		}
		err = unix.FinitModule(int(module.Fd()), "", 0)
		module.Close()
		if err != nil && !errors.Is(err, unix.EEXIST) {
			return fmt.Errorf("loading %s: %w", name, err)
		}
	}
	return nil
}

// diskstats are the kernel's counters of the disk.
type diskstats struct{ Reads, ReadBytes, Writes, WrittenBytes int64 }

func (d diskstats) since(before diskstats) diskstats {
	return diskstats{d.Reads - before.Reads, d.ReadBytes - before.ReadBytes, d.Writes - before.Writes,
		d.WrittenBytes - before.WrittenBytes}
}

func readDiskstats() (d diskstats, err error) {
	text, err := os.ReadFile("/proc/diskstats")
	if err != nil {
		return d, err
	}
	for line := range strings.Lines(string(text)) {
		var major, minor int
		var name string
		var n [11]int64
		dest := []any{&major, &minor, &name}
		for i := range n {
			dest = append(dest, &n[i])
		}
		if _, err := fmt.Sscan(line, dest...); err == nil && "/dev/"+name == disk {
			return diskstats{n[0], n[2] * 512, n[4], n[6] * 512}, nil
		}
	}
	return d, fmt.Errorf("%s is not in /proc/diskstats", disk)
}

// dropCaches has the next reads go to the disk.
func dropCaches() error {
	unix.Sync()
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0)
}
