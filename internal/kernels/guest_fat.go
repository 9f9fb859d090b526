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

// carried copies the beginning of a file to each of some file systems, and unmounts these.
func carried(from string, dirs []string) error {
	for _, dir := range dirs {
		in, err := os.Open(from)
		if err != nil {
			return err
		}
		out, err := os.Create(filepath.Join(dir, "copy"))
		if err != nil {
			return err
		}
		_, err = io.CopyN(out, in, carriedBytes)
		if err := errors.Join(err, in.Close(), out.Close(), unix.Unmount(dir, 0)); err != nil {
			return err
		}
	}
	return nil
}

// fatCheck holds what is called durable to what a device has that loses its power at that moment. One recording has all
// of them, as to begin one takes longest.
func fatCheck() (string, []string, error) {
	source := workDir + "/source"
	var devices []*fatDevice
	var dirs []string
	for _, kind := range fats {
		if _, err := os.Stat(filepath.Join(workDir, kind)); err != nil {
			return "not tried here", nil, nil
		}
		d, err := plugIn(kind)
		if err != nil {
			return "", nil, err
		}
		devices, dirs = append(devices, d), append(dirs, d.mounted)
	}
	p, err := record("64MiB", append([]string{"carried", source}, dirs...)...)
	if err != nil {
		return "", nil, err
	}
	if p.Durable < 0 {
		return "", nil, errors.New("it was not seen when it was durable")
	}
	want, err := os.ReadFile(source)
	if err != nil {
		return "", nil, err
	}
	want = want[:carriedBytes]
	at := p.Trace.WallStart.Add(time.Duration(p.Start + p.Durable))
	var found []string
	for _, d := range devices {
		held, failed := d.unplugged(at)
		found = append(found, fmt.Sprintf("%s: %d of %d bytes", d.kind, len(held), len(want)))
		if err = errors.Join(err, failed); failed == nil && !bytes.Equal(held, want) {
			err = errors.Join(err, fmt.Errorf("but the copy on %s was called durable", d.kind))
		}
	}
	return strings.Join(found, ", "), nil, err
}

// fatDevice is one with such a file system. It notes all that it is given.
type fatDevice struct {
	kind, dir, mounted, log string
	end                     func() error
}

func plugIn(kind string) (*fatDevice, error) {
	dir, err := os.MkdirTemp("/tmp", kind)
	if err != nil {
		return nil, err
	}
	d := &fatDevice{kind: kind, dir: dir, log: filepath.Join(dir, "log")}
	d.mounted, d.end, err = testenv.StartModel(dir, &testenv.Model{Size: fatBytes, Write: time.Millisecond,
		FileSystem: kind, Image: filepath.Join(workDir, kind), Log: d.log})
	return d, err
}

// unplugged returns what the device held of the copy at a time: what it had not been told to flush by then is taken
// away.
func (d *fatDevice) unplugged(at time.Time) (held []byte, err error) {
	if err := d.end(); err != nil {
		return nil, err
	}
	image := filepath.Join(d.dir, "image")
	if err := testenv.Image(d.log, image, fatBytes, at, false); err != nil {
		return nil, err
	}
	device, err := testenv.AttachLoop(image, 0)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(d.mounted, 0o700); err != nil {
		return nil, err
	}
	if err := unix.Mount(device, d.mounted, d.kind, 0, ""); err != nil {
		return nil, fmt.Errorf("mounting what %s held: %w", d.kind, err)
	}
	held, err = os.ReadFile(filepath.Join(d.mounted, "copy"))
	return held, errors.Join(err, unix.Unmount(d.mounted, 0), testenv.DetachLoop(device), os.RemoveAll(d.dir))
}
