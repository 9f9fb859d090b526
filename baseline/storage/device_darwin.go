package storage

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/output"
)

// OpenDevice takes a device for the run. macOS refuses to write to the disk of
// a mounted volume (EBUSY).
func OpenDevice(path string) (*Device, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return nil, fmt.Errorf("opening device %s: %w", path, err)
	}
	if kind := st.Mode & unix.S_IFMT; kind != unix.S_IFBLK && kind != unix.S_IFCHR {
		return nil, fmt.Errorf("opening device %s: it is not a disk", path)
	}
	fd, err := output.Open(path, unix.O_RDWR|unix.O_EXLOCK|unix.O_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("opening device %s: %w (unmount its volumes first)", path, err)
	}
	d := &Device{Path: path, hold: &File{FD: fd, Path: path}, Place: Volume{Place: baseline.Place{Path: path}}}
	if d.Place.SizeBytes, err = d.hold.Size(); err == nil && d.Place.SizeBytes == 0 {
		err = errors.New("its size is not known")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening device %s: %w", path, err), d.Close())
	}
	return d, nil
}

func (d *Device) Discard() error { return ErrUnsupported }
