//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// fileWorks make small files on file systems over memory, whose journals and logs are divided by who changed them. They
// are there until release is called.
func fileWorks(self string) (list []wakeWork, release func() error, err error) {
	var disks []*testenv.FS
	release = func() (err error) {
		for _, disk := range disks {
			err = errors.Join(err, disk.Close())
		}
		return err
	}
	for _, kind := range []string{"ext4", "xfs", "btrfs"} {
		dir, format := "", "mkfs."+kind
		if installed(format) {
			disk, err := testenv.InMemory(kind, "files", 512<<20)
			if err != nil {
				return nil, release, err
			}
			disks, dir = append(disks, disk), disk.Dir
		}
		for _, w := range makingFiles(self, kind, dir) {
			w.needs = []string{format}
			list = append(list, w)
		}
	}
	return list, release, nil
}

// makingFiles are the programs in a directory of a file system.
func makingFiles(self, kind, dir string) []wakeWork {
	words := []string{"env", "-C", dir, self, makeWakes}
	return []wakeWork{
		{name: "a file of 4 KiB made on " + kind, steps: 4000, words: append(words[:5:5], "files")},
		{name: "a file of 4 KiB made and synced on " + kind, steps: 1000, words: append(words[:5:5], "synced")},
	}
}

// makeFiles makes files of 4 KiB in the current directory. Afterwards they are removed, and that is written: each run
// finds the same.
func makeFiles(steps int, synced bool) (took time.Duration, err error) {
	dir, err := os.MkdirTemp(".", "")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, removed(dir)) }()
	data := make([]byte, 4096)
	began := time.Now()
	for i := range steps {
		f, err := os.OpenFile(fmt.Sprint(dir, "/", i), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return 0, err
		}
		_, err = f.Write(data)
		if synced && err == nil {
			err = f.Sync()
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// removed removes a directory, and has its file system write that.
func removed(dir string) error {
	err := os.RemoveAll(dir)
	around, failed := os.Open(".")
	if failed == nil {
		failed = unix.Syncfs(int(around.Fd()))
		around.Close()
	}
	return errors.Join(err, failed)
}
