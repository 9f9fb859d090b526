package host

import "golang.org/x/sys/unix"

func makerOf(fd int) (maker, error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return maker{}, err
	}
	return maker{int(c.Pid), int(c.Uid)}, nil
}
