//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// fats are the file systems that carry files from machine to machine. They have no journal, and vfat flushes nothing as
// it is unmounted. The host puts one of each on the disk of a machine that is to try them.
var fats = []string{"vfat", "exfat"}

const (
	fatBytes     = 24 << 20 // of the device
	carriedBytes = 3 << 20  // of the file that is copied to it
)

// carried copies the beginning of a file to a file system, and unmounts that.
func carried(from, dir string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(dir, "copy"))
	if err != nil {
		return err
	}
	_, err = io.CopyN(out, in, carriedBytes)
	return errors.Join(err, in.Close(), out.Close(), unix.Unmount(dir, 0))
}

// fatCheck holds what is called durable to what a device has that loses its power at that moment.
func fatCheck() (string, []string, error) {
	want, err := os.ReadFile(workDir + "/source")
	if err != nil {
		return "", nil, err
	}
	want = want[:carriedBytes]
	var found []string
	for _, kind := range fats {
		if _, err := os.Stat(filepath.Join(workDir, kind)); err != nil {
			return "not tried here", nil, nil
		}
		held, err := unplugged(kind)
		found = append(found, fmt.Sprintf("%s: %d of %d bytes", kind, len(held), len(want)))
		if err == nil && !bytes.Equal(held, want) {
			err = errors.New("but the copy was called durable")
		}
		if err != nil {
			return strings.Join(found, ", "), nil, err
		}
	}
	return strings.Join(found, ", "), nil, nil
}

// unplugged records a copy to a file system that the program then unmounts, and returns what the device held of it when
// all was called durable: what it had not been told to flush by then is taken away.
func unplugged(kind string) (held []byte, err error) {
	dir, err := os.MkdirTemp("/tmp", kind)
	if err != nil {
		return nil, err
	}
	log, image := filepath.Join(dir, "log"), filepath.Join(dir, "image")
	mounted, end, err := testenv.StartModel(dir, &testenv.Model{Size: fatBytes, Write: time.Millisecond,
		FileSystem: kind, Image: filepath.Join(workDir, kind), Log: log})
	if err != nil {
		return nil, err
	}
	p, err := record("64MiB", "carried", workDir+"/source", mounted)
	if err = errors.Join(err, end()); err != nil {
		return nil, err
	}
	if p.Durable < 0 {
		return nil, errors.New("it was not seen when it was durable")
	}
	at := p.Trace.WallStart.Add(time.Duration(p.Start + p.Durable))
	if err := testenv.Image(log, image, fatBytes, at, false); err != nil {
		return nil, err
	}
	device, err := testenv.AttachLoop(image, 0)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(mounted, 0o700); err != nil {
		return nil, err
	}
	if err := unix.Mount(device, mounted, kind, 0, ""); err != nil {
		return nil, fmt.Errorf("mounting what %s held: %w", kind, err)
	}
	held, err = os.ReadFile(filepath.Join(mounted, "copy"))
	return held, errors.Join(err, unix.Unmount(mounted, 0), testenv.DetachLoop(device), os.RemoveAll(dir))
}
