package host

import "golang.org/x/sys/unix"

// makerOf asks who used the other end last, which is the parent: it alone has it.
func makerOf(fd int) (maker, error) {
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		return maker{}, err
	}
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return maker{}, err
	}
	return maker{pid, int(c.Uid)}, nil
}
