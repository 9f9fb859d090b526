//go:build !linux && !darwin

package host

import "golang.org/x/sys/unix"

func makerOf(int) (maker, error) { return maker{}, unix.ENOTSUP }
