package workload

import "golang.org/x/sys/unix"

func init() { programs["vectors"] = vectors }

// vectors FILE writes 1024 buffers of 10 bytes at the position, 20 of them at 100 by
// pwritev, 30 at 200 by pwritev2 with RWF_DSYNC, 40 at the position by pwritev2 with
// RWF_SYNC, 5 at the end by pwritev2 with RWF_APPEND, and reads 1000 of them at 0 by preadv2.
func vectors(args []string) error {
	fd, err := create(args[0])
	if err != nil {
		return err
	}
	iov := make([][]byte, 1024)
	for i := range iov {
		iov[i] = make([]byte, 10)
	}
	_, err1 := unix.Writev(fd, iov)
	_, err2 := unix.Pwritev(fd, iov[:20], 100)
	_, err3 := unix.Pwritev2(fd, iov[:30], 200, unix.RWF_DSYNC)
	_, err4 := unix.Pwritev2(fd, iov[:40], -1, unix.RWF_SYNC)
	_, err5 := unix.Pwritev2(fd, iov[:5], 0, unix.RWF_APPEND)
	_, err6 := unix.Preadv2(fd, iov[:1000], 0, 0)
	return first(err1, err2, err3, err4, err5, err6, unix.Close(fd))
}
