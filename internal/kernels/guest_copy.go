//go:build linux

package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func copyFile(from, to string) error {
	in, err := unix.Open(from, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	out, err := unix.Open(to, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for buffer := make([]byte, 128<<10); ; {
		n, err := unix.Read(in, buffer)
		if err != nil || n == 0 {
			return err
		}
		if _, err := unix.Write(out, buffer[:n]); err != nil {
			return err
		}
	}
}

// copyCheck compares the requests of a cold copy with the kernel's counters.
func copyCheck() (string, []string, error) {
	if err := dropCaches(); err != nil {
		return "", nil, err
	}
	before, err := readDiskstats()
	if err != nil {
		return "", nil, err
	}
	p, err := record("64MiB", "copy", workDir+"/source", workDir+"/copy")
	if err != nil {
		return "", nil, err
	}
	after, err := readDiskstats()
	if err != nil {
		return "", nil, err
	}
	kernel := after.since(before)
	seen := p.diskstats()
	lost := p.Lost.Kinds["request"]
	found := fmt.Sprintf("%d reads of %d bytes, %d writes of %d bytes, %d lost", seen.Reads, seen.ReadBytes, seen.Writes,
		seen.WrittenBytes, lost)
	// The journal may write between the end of the recording and the second look at the counters, at either end.
	if lost == 0 && seen.ReadBytes == kernel.ReadBytes && seen.Reads == kernel.Reads &&
		seen.WrittenBytes >= sourceBytes && seen.WrittenBytes <= kernel.WrittenBytes {
		return found, nil, nil
	}
	return found, nil, fmt.Errorf("but the kernel counted %d of %d and %d of %d", kernel.Reads, kernel.ReadBytes,
		kernel.Writes, kernel.WrittenBytes)
}
