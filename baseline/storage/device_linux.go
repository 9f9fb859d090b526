package storage

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/rights"
)

// OpenDevice takes a block device for the run alone. The kernel refuses that
// for one that is mounted or part of a running array.
func OpenDevice(path string) (*Device, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return nil, fmt.Errorf("opening device %s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFBLK {
		return nil, fmt.Errorf("opening device %s: it is not a block device", path)
	}
	fd, err := output.Open(path, unix.O_RDWR|unix.O_EXCL)
	if errors.Is(err, unix.EBUSY) {
		return nil, fmt.Errorf("opening device %s: it is in use (mounted, or part of something that is); unmount it first",
			path)
	}
	if errors.Is(err, unix.EACCES) && rights.CanRoot() {
		return nil, fmt.Errorf("opening device %s: %w: in directories of user %d this run has that user's rights; name the "+
			"device in a run of its own", path, err, os.Geteuid())
	}
	if err != nil {
		return nil, fmt.Errorf("opening device %s: %w", path, err)
	}
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFBLK { // it may have changed meanwhile
		return nil, errors.Join(err, unix.Close(fd), fmt.Errorf("opening device %s: it is not a block device", path))
	}
	d := &Device{Path: path, hold: &File{FD: fd, Path: path}, Place: Volume{Place: baseline.Place{Path: path}}}
	d.Place.describeDevice(st.Rdev)
	if d.Place.SizeBytes, err = d.hold.Size(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Discard tells the device that nothing on it is needed any more.
func (d *Device) Discard() error {
	span := [2]uint64{0, uint64(d.Place.SizeBytes)}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(d.hold.FD), unix.BLKDISCARD,
		uintptr(unsafe.Pointer(&span))); errno != 0 {
		return errno
	}
	return nil
}
