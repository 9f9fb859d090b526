//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// reason is a workload that is slow for one reason.
type reason struct {
	name    string
	factor  string // that has to come first
	about   string
	slow    bool     // runs on the slow device
	image   bool     // runs on a file system of its own
	against string   // the benchmark
	payload string   // of each run of the experiment
	prepare []string // commands; {} is the directory
	command []string // "self" is a workload of this program
}

const mb = 1 << 20

// The benchmarks differ from the workloads in little else than the reason: with
// one request in flight, as these have, and for those that are not about the disk
// through the page cache.
const (
	single   = "adm/seq1m-qd1"
	buffered = "dd/zero-buffered"
)

// reasons are the six. The programs are dd where it can do it, otherwise the
// loops below.
var reasons = []reason{
	{name: "blocks", against: buffered, factor: "B", about: "dd of 48 MiB in blocks of 128 bytes", payload: "32MiB",
		command: []string{"dd", "if=/dev/zero", "of={}/new", "bs=128", "count=393216", "status=none"}},
	{name: "depth", against: "adm/seq1m-qd8", factor: "Q", about: "128 MiB in direct blocks of 1 MiB, one after the " +
		"other, on a device whose every request takes 4 ms", payload: "32MiB", slow: true,
		prepare: []string{"dd if=/dev/urandom of={}/there bs=1M count=128 status=none conv=fsync"},
		command: []string{"self", "depth", "{}/there"}},
	{name: "fsync", against: single, factor: "D",
		about: "64 MiB over an existing file in blocks of 64 KiB, each followed by an fsync", payload: "24MiB",
		prepare: []string{"dd if=/dev/urandom of={}/there bs=1M count=64 status=none conv=fsync"},
		command: []string{"self", "fsync", "{}/there"}},
	{name: "think", against: single, factor: "T", about: "24 MiB in blocks of 1 MiB, 50 ms of sleep after each",
		payload: "8MiB", command: []string{"self", "think", "{}/new"}},
	{name: "files", against: buffered, image: true, factor: "M", about: "5,000 new files of 4 KiB, in a new file system",
		payload: "8MiB", command: []string{"self", "files", "{}"}},
	{name: "read", against: single, factor: "R", about: "dd of 256 MiB from file to file in direct blocks of 1 MiB",
		payload: "64MiB", prepare: []string{"dd if=/dev/urandom of={}/source bs=1M count=256 status=none conv=fsync",
			"dd if=/dev/urandom of={}/there bs=1M count=256 status=none conv=fsync"},
		command: []string{"dd", "if={}/source", "of={}/there", "bs=1M", "iflag=direct", "oflag=direct", "conv=notrunc",
			"status=none"}},
}

// makeWork is the first argument of this program where it is one of these workloads.
const makeWork = "__work"

// work is a workload of this program.
func work(name, path string) error {
	switch name {
	case "depth":
		return blocks(path, mb, 128, unix.O_DIRECT, nothing)
	case "fsync":
		return blocks(path, 64<<10, 1024, 0, (*os.File).Sync)
	case "think":
		return blocks(path, mb, 24, 0, func(*os.File) error { time.Sleep(50 * time.Millisecond); return nil })
	case "files":
		zero, err := os.Open("/dev/zero")
		if err != nil {
			return err
		}
		defer zero.Close()
		data := make([]byte, 4096)
		for i := range 5000 {
			if _, err := zero.Read(data); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("f%04d", i)), data, 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("no workload %q", name)
}

func nothing(*os.File) error { return nil }

// noise is memory that direct I/O can use, with data that does not compress.
func noise(size int) ([]byte, error) {
	data, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	rand.NewChaCha8([32]byte{1}).Read(data)
	return data, nil
}

// blocks writes a file from its beginning on; what is there is overwritten.
func blocks(path string, size, count, flags int, after func(*os.File) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flags, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err := noise(size)
	if err != nil {
		return err
	}
	for range count {
		if _, err := f.Write(data); err != nil {
			return err
		}
		if err := after(f); err != nil {
			return err
		}
	}
	return nil
}
