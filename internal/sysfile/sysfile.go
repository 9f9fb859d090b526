// Package sysfile holds what packages that work on files by system calls share: calls are made again after a signal,
// a file that is missing is no error where it was to go anyway, and data is random where drives could compress it.
package sysfile

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"

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

// Random fills p with data that does not compress; the same seed gives the same data.
func Random(p []byte, seed uint64) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	rand.NewChaCha8(key).Read(p)
}
