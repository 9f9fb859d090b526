//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// makeSoak is the first argument of this program where it is the load of soak.
const makeSoak = "__soak"

// What the load does in each pace of time. A direct read is a call, a wait and a request, a file four calls: 20,000
// events a second.
const (
	pace       = 10 * time.Millisecond
	soakReads  = 60
	soakFiles  = 5
	soakBlock  = 4096
	soakBlocks = 64 << 20 / soakBlock // of the file that is read
)

// soakLoad reads a file at random, past the cache, and makes and removes files, until it is interrupted. Then it prints
// how many reads and files it made, in how many seconds. What it is late with it does at once.
func soakLoad(dir string) error {
	ended, release := signal.NotifyContext(context.Background(), os.Interrupt)
	defer release()
	data, err := noise(soakBlock)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "data")
	if err := blocks(file, soakBlock, soakBlocks, unix.O_DIRECT, nothing); err != nil {
		return err
	}
	fd, err := unix.Open(file, unix.O_RDONLY|unix.O_DIRECT|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	random := rand.New(rand.NewPCG(1, 2))
	reads, files := 0, 0
	began := time.Now()
	for due := began; ended.Err() == nil; time.Sleep(time.Until(due)) {
		for range soakReads {
			if n, err := unix.Pread(fd, data, random.Int64N(soakBlocks)*soakBlock); n != soakBlock {
				return fmt.Errorf("reading %s: %d bytes, %w", file, n, err)
			}
			reads++
		}
		for range soakFiles {
			if err := shortLived(filepath.Join(dir, fmt.Sprintf("new%09d", files)), data); err != nil {
				return err
			}
			files++
		}
		due = due.Add(pace)
	}
	fmt.Println(reads, files, time.Since(began).Seconds())
	return os.Remove(file)
}

// shortLived writes a new file and removes it.
func shortLived(path string, data []byte) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	_, err = unix.Write(fd, data)
	return errors.Join(err, unix.Close(fd), unix.Unlink(path))
}
