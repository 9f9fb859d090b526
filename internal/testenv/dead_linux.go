package testenv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// removeDead removes the slow devices whose server was killed together with its tests. While a loop device lies on
// one of them, no file system of btrfs can be made: its tools look at all loop devices.
func removeDead(w io.Writer) {
	if os.Geteuid() != 0 {
		return
	}
	for _, image := range deadImages() {
		fmt.Fprintf(w, "removing what a killed run left: %s\n", image)
		for _, loop := range loopsOver(image) {
			if err := errors.Join(unmountAll(loop), detach(loop)); err != nil {
				fmt.Fprintf(w, "%s: %v\n", loop, err)
			}
		}
		if err := unix.Unmount(image, unix.MNT_DETACH); err != nil {
			fmt.Fprintf(w, "%s: %v\n", image, err)
		}
	}
}

func mounts() []host.Mount {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	return host.ParseMounts(string(text))
}

// deadImages are the files that a slow device was served through, and that nobody serves any more.
func deadImages() (paths []string) {
	for _, m := range mounts() {
		if m.FSType != "fuse" || m.Source != "slow" {
			continue
		}
		var s unix.Statfs_t // what stat says is remembered, also of one that is dead
		if errors.Is(unix.Statfs(m.Point, &s), unix.ENOTCONN) {
			paths = append(paths, m.Point)
		}
	}
	return paths
}

// loopsOver are the loop devices whose backing file is this one.
func loopsOver(image string) (devices []string) {
	files, _ := filepath.Glob("/sys/block/loop*/loop/backing_file")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.TrimSpace(string(text)) == image {
			devices = append(devices, "/dev/"+filepath.Base(filepath.Dir(filepath.Dir(file))))
		}
	}
	return devices
}

func unmountAll(device string) (err error) {
	for _, m := range mounts() {
		if m.Source == device {
			err = errors.Join(err, unix.Unmount(m.Point, unix.MNT_DETACH))
		}
	}
	return err
}

func detach(loop string) error {
	f, err := os.Open(loop)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.IoctlSetInt(int(f.Fd()), unix.LOOP_CLR_FD, 0)
}
