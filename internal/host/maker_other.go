//go:build !linux && !darwin

package parentcheck

import "golang.org/x/sys/unix"

func makerOf(int) (maker, error) { return maker{}, unix.ENOTSUP }
