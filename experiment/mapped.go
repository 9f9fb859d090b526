package experiment

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline/storage"
)

// smallFetch is the size up to which random pages were fetched one by one: more than a page at a time is what the
// kernel reads around a page unless it is told not to.
const smallFetch = 16 << 10

// mapFile maps a source for reading.
func mapFile(f *storage.File, c *gap.Setting) ([]byte, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.FD, &st); err != nil {
		return nil, &os.PathError{Op: "stat", Path: f.Path, Err: err}
	}
	m, err := unix.Mmap(f.FD, 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: f.Path, Err: err}
	}
	if c.Random && c.Block <= smallFetch {
		if err := unix.Madvise(m, unix.MADV_RANDOM); err != nil {
			return nil, errors.Join(&os.PathError{Op: "madvise", Path: f.Path, Err: err}, unix.Munmap(m))
		}
	}
	return m, nil
}

// touch waits for the mapped pages of a block, or has them in buf where they are to be written. An error of the device
// comes as a signal, which is made an error again.
func touch(f *storage.File, mapped, buf []byte, at int64, written bool) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading the mapped file %s: %v", f.Path, r)
		}
	}()
	end := int64(len(mapped))
	pages := mapped[min(at, end):min(at+int64(len(buf)), end)]
	if written {
		copy(buf, pages)
		return nil
	}
	for i := 0; i < len(pages); i += os.Getpagesize() {
		buf[0] ^= pages[i]
	}
	return nil
}
