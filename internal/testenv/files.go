//go:build linux

package testenv

// This file makes file systems to measure on that no other use of the disk
// disturbs: on loop devices over files in memory.

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// FS is a file system on a loop device: Device, mounted at Dir.
type FS struct{ Dir, Device, image string }

// InMemory makes a file system over a sparse file in memory, of a kind with options of mkfs.
func InMemory(kind, name string, size int64) (l *FS, err error) {
	l = &FS{}
	kind, options, _ := strings.Cut(kind, " ")
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	image, err := os.CreateTemp("/dev/shm", "iotrace-loop-")
	if err != nil {
		return l, err
	}
	l.image = image.Name()
	if err := errors.Join(image.Truncate(size), image.Close()); err != nil {
		return l, err
	}
	if l.Device, err = output("losetup", "--find", "--show", "--direct-io=off", l.image); err != nil {
		return l, err
	}
	if err := ResetDevice(l.Device); err != nil {
		return l, err
	}
	format := append(strings.Fields(options), "-q", l.Device)
	if kind == "ext4" { // or its kernel thread writes to the device meanwhile, which counts against the limit
		format = append(format, "-E", "lazy_itable_init=0,lazy_journal_init=0")
	}
	if _, err := output("mkfs."+kind, format...); err != nil {
		return l, err
	}
	dir, err := os.MkdirTemp("", "iotrace-"+name+"-")
	if err != nil {
		return l, err
	}
	if err := unix.Mount(l.Device, dir, kind, 0, ""); err != nil {
		return l, errors.Join(fmt.Errorf("mounting %s on %s: %w", l.Device, dir, err), os.Remove(dir))
	}
	l.Dir = dir
	return l, nil
}

// At is the file system that is mounted at dir already.
func At(dir string) (*FS, error) {
	device, err := output("findmnt", "--noheadings", "--output", "SOURCE", dir)
	return &FS{Dir: dir, Device: device}, err
}

// Close removes what InMemory made, and leaves alone what was there already.
func (l *FS) Close() error {
	if l.image == "" {
		return nil
	}
	var errs []error
	if l.Dir != "" {
		errs = append(errs, unix.Unmount(l.Dir, 0), os.Remove(l.Dir))
	}
	if l.Device != "" {
		_, err := output("losetup", "--detach", l.Device)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, os.Remove(l.image))...)
}

// Written is the number of bytes written to the device so far.
func (l *FS) Written() int64 {
	text, _ := os.ReadFile(filepath.Join("/sys/class/block", filepath.Base(l.Device), "stat"))
	var n [7]int64
	for i := range n {
		if f := strings.Fields(string(text)); i < len(f) {
			fmt.Sscan(f[i], &n[i])
		}
	}
	return n[6] * 512
}

func output(name string, args ...string) (string, error) {
	text, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("running %s %v: %w\n%s", name, args, err, text)
	}
	return strings.TrimSpace(string(text)), nil
}
