package workload

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

func init() { programs["connects"] = connects }

// Connects are what the workload "connects" connects to, in turn: nobody listens there. "DIR" is its directory.
var Connects = []string{"127.0.0.1:1", "[::1]:2", "unix:DIR/socket", "unix:@abstract"}

// connects DIR connects to Connects. Each is refused.
func connects(args []string) error {
	for i, to := range []unix.Sockaddr{&unix.SockaddrInet4{Port: 1, Addr: [4]byte{127, 0, 0, 1}},
		&unix.SockaddrInet6{Port: 2, Addr: [16]byte{15: 1}}, &unix.SockaddrUnix{Name: args[0] + "/socket"},
		&unix.SockaddrUnix{Name: "@abstract"}} {
		family := []int{unix.AF_INET, unix.AF_INET6, unix.AF_UNIX, unix.AF_UNIX}[i]
		fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		switch err := unix.Connect(fd, to); {
		case err == nil:
			return fmt.Errorf("somebody listens at %s", Connects[i])
		case !errors.Is(err, unix.ECONNREFUSED) && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EADDRNOTAVAIL):
			return err
		}
		if err := unix.Close(fd); err != nil {
			return err
		}
	}
	return nil
}
