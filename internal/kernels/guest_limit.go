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

// The workloads write so much in a control group that may write so much a second: past the page cache, and through it.
const (
	limitedBytes = 8 << 20
	heldBytes    = 12 << 20
	limitedRate  = 1 << 20
	limitedGroup = "/limited"
	groups       = "/cgroup" // where they are mounted
)

// limitedMemory is what the group may have of it: a fifth at most may wait to be written.
const limitedMemory = "16777216"

// limited joins the group and writes past the page cache.
func limited(file string) error {
	buf, err := unix.Mmap(-1, 0, 64<<10, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	return joined(file, unix.O_DIRECT, buf, limitedBytes)
}

// held does the same through it, where the kernel holds it back while too much waits to be written.
func held(file string) error {
	return joined(file, 0, make([]byte, 64<<10), heldBytes)
}

// joined writes a file as a member of the group. After each write it asks what memory the group has: by itself the
// kernel counts that every two seconds only (flush_memcg_stats_dwork of mm/memcontrol.c), and lets through what is
// written until then.
func joined(file string, how int, buf []byte, size int) error {
	if err := os.WriteFile(groups+limitedGroup+"/cgroup.procs", []byte("0"), 0o600); err != nil {
		return err
	}
	fd, err := unix.Open(file, unix.O_WRONLY|unix.O_CREAT|how, 0o600)
	if err != nil {
		return err
	}
	for n := 0; n < size; n += len(buf) {
		if _, err := unix.Write(fd, buf); err != nil {
			return err
		}
		if _, err := os.ReadFile(groups + limitedGroup + "/memory.stat"); err != nil {
			return err
		}
	}
	return unix.Close(fd)
}

// makeGroup makes the group, in version 2, and sets its limits for the disk and the memory.
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
	return errors.Join(os.WriteFile(groups+"/cgroup.subtree_control", []byte("+io +memory"), 0o600),
		os.MkdirAll(groups+limitedGroup, 0o755),
		os.WriteFile(groups+limitedGroup+"/memory.max", []byte(limitedMemory), 0o600),
		os.WriteFile(groups+limitedGroup+"/io.max", fmt.Appendf(nil, "%s wbps=%d", number, limitedRate), 0o600))
}

// limitCheck asks whether the limit is known, and said to have held the program back.
func limitCheck() (string, []string, error) {
	if err := makeGroup(); err != nil {
		return "", nil, err
	}
	found := fmt.Sprintf("%d bytes/s to %s by %s", limitedRate, filepath.Base(disk), limitedGroup)
	for _, workload := range []string{"limited", "held"} {
		p, err := record("64MiB", workload, filepath.Join(workDir, workload))
		if err != nil {
			return found, nil, err
		}
		if len(p.Trace.IOLimits) != 1 {
			return found, nil, fmt.Errorf("%s: %d limits", workload, len(p.Trace.IOLimits))
		}
		l, cause := p.Trace.IOLimits[0], p.heldBackBy()
		found += fmt.Sprintf("; %s: %s, %s", workload, cause.Code, cause.Certainty)
		if l.Group != limitedGroup || l.Write != limitedRate || "/dev/"+l.Device != disk || cause.Code != "limit_above" ||
			!strings.Contains(cause.Text, limitedGroup) {
			return found, nil, fmt.Errorf("(%s) by %+v, of %+v", cause.Text, l, p.Verdict.Causes)
		}
	}
	return found, nil, nil
}
