//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

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
func (t *throttle) limit(l *testenv.FS, rate int64) error {
	var st unix.Stat_t
	if err := unix.Stat(l.Device, &st); err != nil {
		return err
	}
	line := fmt.Sprintf(t.format, unix.Major(st.Rdev), unix.Minor(st.Rdev), rate)
	if rate == 0 {
		line = strings.ReplaceAll(line, "wbps=0", "wbps=max")
	}
	return os.WriteFile(filepath.Join(t.group, t.file), []byte(line), 0)
}

func (t *throttle) close() error { return errors.Join(t.join(t.root), unix.Rmdir(t.group)) }
