//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// loopFS is a file system on a loop device over a file in memory: no other use
// of the disk disturbs it.
type loopFS struct{ dir, device, image string }

func newLoopFS(kind, name string, size int64) (l *loopFS, err error) {
	l = &loopFS{}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
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
	if l.device, err = output("losetup", "--find", "--show", "--direct-io=off", l.image); err != nil {
		return l, err
	}
	format := []string{"-q", l.device}
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
	if err := unix.Mount(l.device, dir, kind, 0, ""); err != nil {
		return l, errors.Join(fmt.Errorf("mounting %s on %s: %w", l.device, dir, err), os.Remove(dir))
	}
	l.dir = dir
	return l, nil
}

func (l *loopFS) close() error {
	var errs []error
	if l.dir != "" {
		errs = append(errs, unix.Unmount(l.dir, 0), os.Remove(l.dir))
	}
	if l.device != "" {
		_, err := output("losetup", "--detach", l.device)
		errs = append(errs, err)
	}
	if l.image != "" {
		errs = append(errs, os.Remove(l.image))
	}
	return errors.Join(errs...)
}

// written is the number of bytes written to the device so far.
func (l *loopFS) written() int64 {
	text, _ := os.ReadFile(filepath.Join("/sys/class/block", filepath.Base(l.device), "stat"))
	var n [7]int64
	for i := range n {
		if f := strings.Fields(string(text)); i < len(f) {
			fmt.Sscan(f[i], &n[i])
		}
	}
	return n[6] * 512
}

// throttle limits what this process and its children write to devices: a group
// of the blkio controller (cgroup v1), or of io (v2).
type throttle struct{ root, group, file, format string }

func newThrottle() (*throttle, error) {
	for _, t := range []throttle{
		{root: "/sys/fs/cgroup/blkio", file: "blkio.throttle.write_bps_device", format: "%d:%d %d"},
		{root: "/sys/fs/cgroup", file: "io.max", format: "%d:%d wbps=%d"},
	} {
		t.group = filepath.Join(t.root, fmt.Sprintf("iotrace-baselines-%d", os.Getpid()))
		if os.Mkdir(t.group, 0o755) != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(t.group, t.file)); err == nil && t.join(t.group) == nil {
			return &t, nil
		}
		_ = os.Remove(t.group)
	}
	return nil, errors.New("no control group that limits the rate of a device (needs root and the blkio or io controller)")
}

func (t *throttle) join(group string) error {
	return os.WriteFile(filepath.Join(group, "cgroup.procs"), fmt.Append(nil, os.Getpid()), 0)
}

// limit is in bytes per second; 0 takes it away.
func (t *throttle) limit(l *loopFS, rate int64) error {
	var st unix.Stat_t
	if err := unix.Stat(l.device, &st); err != nil {
		return err
	}
	line := fmt.Sprintf(t.format, unix.Major(st.Rdev), unix.Minor(st.Rdev), rate)
	if rate == 0 {
		line = strings.ReplaceAll(line, "wbps=0", "wbps=max")
	}
	return os.WriteFile(filepath.Join(t.group, t.file), []byte(line), 0)
}

func (t *throttle) close() error { return errors.Join(t.join(t.root), unix.Rmdir(t.group)) }

func output(name string, args ...string) (string, error) {
	text, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("running %s %v: %w\n%s", name, args, err, text)
	}
	return strings.TrimSpace(string(text)), nil
}
