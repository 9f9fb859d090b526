package workload

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"

	"golang.org/x/sys/unix"
)

func init() { programs["datagrams"] = datagrams }

// datagrams DIR sends datagrams over sockets that are not connected, and receives them, to and from addresses of all
// families, and looks at one of each before. One is sent to nobody.
func datagrams(args []string) error {
	runtime.LockOSThread()
	loop4, loop6 := netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()
	for _, ends := range [][2]unix.Sockaddr{
		{socketAddress(netip.AddrPortFrom(loop4, 0)), socketAddress(netip.AddrPortFrom(loop4, 0))},
		{socketAddress(netip.AddrPortFrom(loop6, 0)), socketAddress(netip.AddrPortFrom(loop6, 0))},
		{&unix.SockaddrUnix{Name: args[0] + "/one"}, &unix.SockaddrUnix{Name: args[0] + "/other"}},
		{&unix.SockaddrUnix{Name: "@iotrace one"}, &unix.SockaddrUnix{Name: "@iotrace other"}},
	} {
		if err := between(ends[0], ends[1]); err != nil {
			return fmt.Errorf("%+v: %w", ends, err)
		}
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	nobody := &unix.SockaddrUnix{Name: args[0] + "/nobody"}
	if err := unix.Sendto(fd, []byte("hello"), 0, nobody); !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("sent to nobody: %w", err)
	}
	return unix.Close(fd)
}

// between sends a datagram each way, by calls with and without a message header.
func between(one, other unix.Sockaddr) error {
	from, fromAddress, err := datagramSocket(one)
	if err != nil {
		return err
	}
	defer unix.Close(from)
	to, toAddress, err := datagramSocket(other)
	if err != nil {
		return err
	}
	defer unix.Close(to)
	room := make([]byte, 16)
	if err := unix.Sendto(from, []byte("ping"), 0, toAddress); err != nil {
		return err
	}
	if _, _, err := unix.Recvfrom(to, room, unix.MSG_PEEK); err != nil {
		return err
	}
	if _, _, err := unix.Recvfrom(to, room, 0); err != nil {
		return err
	}
	if err := unix.Sendmsg(to, []byte("answer"), nil, fromAddress, 0); err != nil {
		return err
	}
	if _, _, _, _, err := unix.Recvmsg(from, room, nil, unix.MSG_PEEK); err != nil {
		return err
	}
	_, _, _, _, err = unix.Recvmsg(from, room, nil, 0)
	return err
}

func datagramSocket(at unix.Sockaddr) (fd int, bound unix.Sockaddr, err error) {
	family := unix.AF_UNIX
	switch at.(type) {
	case *unix.SockaddrInet4:
		family = unix.AF_INET
	case *unix.SockaddrInet6:
		family = unix.AF_INET6
	}
	if fd, err = unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return -1, nil, err
	}
	if err := unix.Bind(fd, at); err != nil {
		return -1, nil, err
	}
	bound, err = unix.Getsockname(fd)
	return fd, bound, err
}
