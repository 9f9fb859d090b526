package host

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"

	"golang.org/x/sys/unix"
)

// IgnoringEINTR repeats a call that a signal interrupted. The Go runtime sends itself signals.
func IgnoringEINTR(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// Retry is IgnoringEINTR for a call that returns nothing but an error.
func Retry(call func() error) error {
	_, err := IgnoringEINTR(func() (int, error) { return 0, call() })
	return err
}

// IgnoreMissing leaves out the error that a file is not there.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// SetKernel writes to a file by which the kernel takes a setting. It has to be there.
func SetKernel(path, value string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// OpenQuietly opens what is there to be read or synced, and changes nothing: it waits for no pipe, rewinds no tape, and
// takes no terminal. A link of that name is not followed.
func OpenQuietly(path string, flags int) (*os.File, error) {
	flags &^= unix.O_ACCMODE | unix.O_CREAT | unix.O_TRUNC
	fd, err := unix.Open(path, flags|unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// FillRandom fills p with data that does not compress; the same seed gives the same data.
func FillRandom(p []byte, seed uint64) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	rand.NewChaCha8(key).Read(p)
}
