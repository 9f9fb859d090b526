//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The work: small writes and a large one past the page cache until they are safe, and reads.
const (
	snoopedReads     = 8
	snoopedReadBytes = 64 << 10
	snoopedWrites    = 16
	snoopedLarge     = 2 << 20
)

// snooped does it on the disk itself, where nobody writes besides. It writes what is there already.
func snooped(device string) error {
	buf, err := unix.Mmap(-1, 0, snoopedLarge, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_DIRECT, 0)
	if err != nil {
		return err
	}
	for i := range int64(snoopedReads) {
		if _, err := unix.Pread(fd, buf[i*snoopedReadBytes:][:snoopedReadBytes], i*snoopedReadBytes); err != nil {
			return err
		}
	}
	for i := range int64(snoopedWrites) {
		if _, err := unix.Pwrite(fd, buf[i*blockSize:][:blockSize], i*blockSize); err != nil {
			return err
		}
	}
	if _, err := unix.Pread(fd, buf, snoopedLarge); err != nil {
		return err
	}
	if _, err := unix.Pwrite(fd, buf, snoopedLarge); err != nil {
		return err
	}
	return errors.Join(unix.Fsync(fd), unix.Close(fd))
}

// biosnoopCheck compares what is imported of biosnoop's table with the kernel's counters.
func biosnoopCheck() (string, []string, error) {
	loader, _ := filepath.Glob("/lib/ld-linux-*")
	if len(loader) == 0 {
		return "not installed", nil, nil
	}
	// There it looks for what it can attach to.
	if err := unix.Mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, ""); err != nil && !errors.Is(err, unix.EBUSY) {
		return "", nil, err
	}
	if err := errors.Join(os.Chdir("/"), unix.Unmount(workDir, 0)); err != nil {
		return "", nil, err
	}
	const table, file = "/tmp/table", "/tmp/biosnoop.iotrace"
	kernel, there, err := snoop(table, loader[0], "--library-path", "/lib", "/biosnoop", "-Q")
	if err = errors.Join(err, mountDisk()); err != nil || !there {
		return "does not load here", nil, err
	}
	if _, err := iotrace("import", "-f", "--from", "biosnoop", "-o", file, table); err != nil {
		return "", nil, err
	}
	out, err := iotrace("show", "--json", file)
	if err != nil {
		return "", nil, err
	}
	var p profile
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		return "", nil, err
	}
	seen := p.diskstats()
	found := fmt.Sprintf("%d reads of %d bytes, %d writes of %d bytes", seen.Reads, seen.ReadBytes, seen.Writes,
		seen.WrittenBytes)
	kernel.Writes-- // it counts the flush as one
	if seen != kernel || seen.WrittenBytes != snoopedWrites*blockSize+snoopedLarge {
		return found, nil, fmt.Errorf("but the kernel counted %+v", kernel)
	}
	return found, nil, nil
}

// snoop runs biosnoop around the work, and returns what the kernel counted meanwhile; biosnoop may not run here.
func snoop(table string, command ...string) (counted diskstats, there bool, err error) {
	out, err := os.Create(table)
	if err != nil {
		return counted, false, err
	}
	defer out.Close()
	c := exec.Command(command[0], command[1:]...)
	c.Stdout, c.Stderr = out, os.Stderr
	if err := c.Start(); err != nil {
		return counted, false, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for !waits(c.Process.Pid) {
		select {
		case <-ended: // its functions are not there, or it may not attach to them
			return counted, false, nil
		case <-time.After(100 * time.Millisecond):
		}
	}
	before, err := readDiskstats()
	if err == nil {
		err = exec.Command(self, "snooped", disk).Run()
	}
	after, failed := readDiskstats()
	time.Sleep(time.Second) // until it has taken what lies in its buffer
	return after.since(before), true, errors.Join(err, failed, c.Process.Signal(unix.SIGINT), <-ended)
}

// waits tells whether a process waits for events (epoll_wait, on amd64): biosnoop does when it has attached.
func waits(pid int) bool {
	call, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
	return strings.HasPrefix(string(call), "232 ")
}
