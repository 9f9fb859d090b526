//go:build !darwin

package backends

import "golang.org/x/sys/unix"

func fullSync(fd int) error { return unix.Fsync(fd) }

// clone needs a file system that can; what it does is not expected.
func clone(string, string) error { return nil }

var expectedHere []expectation
