//go:build linux

package testenv

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"
)

// Errands are what a device needs of the kernel that waits for the device itself. So another process does them, of the
// same program: where one that serves its own device is killed as it waits for that, both would stay for ever. Programs
// for them are not to be had in each machine.
const (
	errandWord    = "__errand"
	attachErrand  = "attach"  // a file: it prints the loop device
	detachErrand  = "detach"  // a loop device
	mountErrand   = "mount"   // a device, a directory and a kind
	unmountErrand = "unmount" // a directory, where the workload may have done so
	lazyErrand    = "unmount-lazily"
)

// errand has another process do one, and returns what it printed.
func errand(words ...string) (string, error) {
	out, err := exec.Command("/proc/self/exe", append([]string{errandWord}, words...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// run does an errand in this process.
func run(words []string) error {
	switch {
	case len(words) == 2 && words[0] == attachErrand:
		device, err := AttachLoop(words[1], unix.LO_FLAGS_DIRECT_IO)
		fmt.Println(device)
		return err
	case len(words) == 2 && words[0] == detachErrand:
		return DetachLoop(words[1])
	case len(words) == 4 && words[0] == mountErrand:
		return unix.Mount(words[1], words[2], words[3], unix.MS_NOATIME, "")
	case len(words) == 2 && words[0] == unmountErrand:
		if err := unix.Unmount(words[1], 0); !errors.Is(err, unix.EINVAL) {
			return err
		}
		return nil
	case len(words) == 2 && words[0] == lazyErrand:
		return unix.Unmount(words[1], unix.MNT_DETACH)
	}
	return fmt.Errorf("no errand %q", words)
}

// AttachLoop makes a loop device of a file, with flags of linux/loop.h.
func AttachLoop(image string, flags uint32) (device string, err error) {
	f, err := os.OpenFile(image, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer control.Close()
	for range 20 { // another process may take the number first
		n, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			return "", fmt.Errorf("finding a free loop device: %w", err)
		}
		device = fmt.Sprintf("/dev/loop%d", n)
		if err = configure(device, f, flags); err == nil {
			return device, nil
		} else if !errors.Is(err, unix.EBUSY) {
			return "", fmt.Errorf("setting up %s: %w", device, err)
		}
	}
	return "", errors.New("every free loop device was taken by somebody else")
}

func configure(device string, image *os.File, flags uint32) error {
	dev, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer dev.Close()
	config := unix.LoopConfig{Fd: uint32(image.Fd()), Info: unix.LoopInfo64{Flags: flags}}
	return unix.IoctlLoopConfigure(int(dev.Fd()), &config)
}

// DetachLoop takes its file away from a loop device.
func DetachLoop(device string) error {
	dev, err := os.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	if err := unix.IoctlSetInt(int(dev.Fd()), unix.LOOP_CLR_FD, 0); err != nil {
		return fmt.Errorf("detaching %s: %w", device, err)
	}
	return nil
}
