package tracer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// A command returns when its data is in memory. How long it takes until the
// data is on the device is part of the answer, and waiting for it would not
// give that: the kernel lets dirty pages age for 30 seconds before it writes
// them, so the wait would measure that timer and not the drive. The recorder
// therefore asks for the write-back itself, as soon as the command has ended.

// syncEach is the number of files up to which each is synced by itself. Beyond
// it the file systems are: thousands of fdatasyncs would cost a journal commit
// each, which is not what the kernel's own write-back does.
const syncEach = 16

// errDrainLimit is the reason of a drain that took too long.
var errDrainLimit = errors.New("the limit of time was reached")

// drain has the files' data written to their devices. It returns nil when that
// is done for all of them, and otherwise says why it is not. It checks for stop
// and for the deadline often enough to end within a fraction of a second.
func drain(files []trace.File, deadline time.Time, stop <-chan struct{}) error {
	d := &drainer{deadline: deadline, stop: stop, systems: map[uint64]*os.File{},
		flushed: map[trace.DeviceID]bool{}}
	defer d.close()
	for i := range files {
		f := &files[i]
		// A sync of a file that keeps no journal may leave its name in memory, so all of the file system is synced.
		if err := d.push(f, len(files) <= syncEach && !unjournaled(f)); err != nil {
			return err
		}
	}
	for _, f := range d.systems {
		if err := d.check(); err != nil {
			return err
		}
		if err := syncSystem(f); err != nil {
			return fmt.Errorf("syncing the file system of %q: %w", f.Name(), err)
		}
		if err := Sync(f); err != nil { // which flushes the drive's cache, where the other does not
			return fmt.Errorf("syncing %q: %w", f.Name(), err)
		}
	}
	return nil
}

// unjournaled reports whether a file's system keeps no journal.
func unjournaled(f *trace.File) bool {
	return trace.Unjournaled(f.FSType) || host.Unjournaled(f.FSType, f.Device.Major(), f.Device.Minor())
}

type drainer struct {
	deadline time.Time
	stop     <-chan struct{}
	systems  map[uint64]*os.File // a file of each file system to sync as a whole, by device
	flushed  map[trace.DeviceID]bool
}

func (d *drainer) check() error {
	select {
	case <-d.stop:
		return errors.New("it was interrupted")
	default:
	}
	if time.Now().After(d.deadline) {
		return errDrainLimit
	}
	return nil
}

// push writes one file's data, and either syncs the file or leaves that to a
// sync of its file system.
func (d *drainer) push(w *trace.File, each bool) error {
	if err := d.check(); err != nil {
		return err
	}
	f, same, err := openWritten(w)
	if err != nil {
		return fmt.Errorf("opening %q to sync it: %w", w.Path, err)
	}
	if !same {
		d.keep(f)
		return d.flush(w)
	}
	if err := writeBack(f, each, d.check); err != nil {
		f.Close()
		return err
	}
	if !each {
		d.keep(f)
		return nil
	}
	defer f.Close()
	if err := Sync(f); err != nil {
		return fmt.Errorf("syncing %q: %w", w.Path, err)
	}
	return nil
}

// flush has the device of a file keep it whose file system was unmounted. Numbers without a major one are of no device.
func (d *drainer) flush(w *trace.File) error {
	if w.Device.Major() == 0 || d.flushed[w.Device] {
		return nil
	}
	d.flushed[w.Device] = true
	if err := host.FlushUnmounted(w.Device.Major(), w.Device.Minor()); err != nil {
		return fmt.Errorf("flushing the device that had %q: %w", w.Path, err)
	}
	return nil
}

// keep remembers f's file system, closing f if that is known already.
func (d *drainer) keep(f *os.File) {
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) == nil && d.systems[uint64(st.Dev)] == nil {
		d.systems[uint64(st.Dev)] = f
		return
	}
	f.Close()
}

func (d *drainer) close() {
	for _, f := range d.systems {
		f.Close()
	}
}

// openWritten opens a file without side effects: links are not followed, and a
// pipe or a device that has taken the name does not block. If the name is gone
// or belongs to something else now, the file was renamed, replaced or deleted;
// same is then false and f is a directory on what has to be assumed to be the
// file's file system.
//
// Device numbers are not compared: btrfs and overlayfs show user space another
// number than the kernel uses inside.
func openWritten(w *trace.File) (f *os.File, same bool, err error) {
	f, err = host.OpenQuietly(w.Path, 0)
	if err == nil {
		var st unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &st); err == nil && uint64(st.Ino) == w.Inode && holdsData(uint32(st.Mode)) {
			return f, true, nil
		}
		f.Close()
	} else if !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.ENOTDIR) && !errors.Is(err,
		unix.ELOOP) && !errors.Is(err, unix.ENXIO) {
		return nil, false, err
	}
	for dir := filepath.Dir(w.Path); ; dir = filepath.Dir(dir) {
		f, err = host.OpenQuietly(dir, unix.O_DIRECTORY)
		if err == nil || dir == filepath.Dir(dir) || !errors.Is(err, unix.ENOENT) {
			return f, false, err
		}
	}
}

// holdsData is true for files and block devices.
func holdsData(mode uint32) bool {
	kind := mode & unix.S_IFMT
	return kind == unix.S_IFREG || kind == unix.S_IFBLK
}
