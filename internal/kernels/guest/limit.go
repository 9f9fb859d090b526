//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// The workload writes so much, past the page cache, in a control group that may write so much a second.
const (
	limitedBytes = 2 << 20
	limitedRate  = 1 << 20
	limitedGroup = "/limited"
	groups       = "/cgroup" // where they are mounted
)

// limited joins the group and writes.
func limited(file string) error {
	if err := os.WriteFile(groups+limitedGroup+"/cgroup.procs", []byte("0"), 0o600); err != nil {
		return err
	}
	fd, err := unix.Open(file, unix.O_WRONLY|unix.O_CREAT|unix.O_DIRECT, 0o600)
	if err != nil {
		return err
	}
	buf, err := unix.Mmap(-1, 0, 64<<10, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	for n := 0; n < limitedBytes; n += len(buf) {
		if _, err := unix.Write(fd, buf); err != nil {
			return err
		}
	}
	return unix.Close(fd)
}

// makeGroup makes the group, in version 2, and sets its limit for the disk.
func makeGroup() error {
	var of unix.Stat_t
	if err := unix.Stat(disk, &of); err != nil {
		return err
	}
	if err := os.MkdirAll(groups, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("none", groups, "cgroup2", 0, ""); err != nil && !errors.Is(err, unix.EBUSY) {
		return fmt.Errorf("mounting cgroup2: %w", err)
	}
	number := fmt.Sprintf("%d:%d", unix.Major(of.Rdev), unix.Minor(of.Rdev))
	return errors.Join(os.WriteFile(groups+"/cgroup.subtree_control", []byte("+io"), 0o600),
		os.MkdirAll(groups+limitedGroup, 0o755),
		os.WriteFile(groups+limitedGroup+"/io.max", fmt.Appendf(nil, "%s wbps=%d", number, limitedRate), 0o600))
}

// limitCheck asks whether the limit is known, and said to have held the program back.
func limitCheck() (string, []string, error) {
	if err := makeGroup(); err != nil {
		return "", nil, err
	}
	p, err := record("64MiB", "limited", filepath.Join(work, "limited"))
	if err != nil {
		return "", nil, err
	}
	if len(p.Trace.IOLimits) != 1 || len(p.Verdict.Causes) == 0 {
		return "", nil, fmt.Errorf("%d limits, %d causes", len(p.Trace.IOLimits), len(p.Verdict.Causes))
	}
	l, cause := p.Trace.IOLimits[0], p.Verdict.Causes[0]
	found := fmt.Sprintf("%d bytes/s to %s by %s: %s, %s", l.Write, l.Device, l.Group, cause.Code, cause.Certainty)
	if l.Group != limitedGroup || l.Write != limitedRate || "/dev/"+l.Device != disk || cause.Code != "limit_above" ||
		!strings.Contains(cause.Text, limitedGroup) {
		return found, nil, fmt.Errorf("(%s) but %s may write %d to %s", cause.Text, limitedGroup, limitedRate, disk)
	}
	return found, nil, nil
}
