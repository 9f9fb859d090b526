package output

import "golang.org/x/sys/unix"

// Reserve keeps n bytes of the disk of a new file until release, by a file without a name, which is gone with the
// process. A file system that has no such files keeps none.
func (f *File) Reserve(n int64) (release func()) {
	if f.stream {
		return func() {}
	}
	fd := -1
	err := f.as.Do(func() (err error) {
		fd, err = unix.Openat(f.place.Dir, ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, newMode)
		return err
	})
	if err != nil {
		return func() {}
	}
	_ = unix.Fallocate(fd, 0, 0, n)
	return func() { _ = unix.Close(fd) }
}
