package workload

import (
	"fmt"
	"io"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/uring"
)

func init() { programs["meets"] = meets }

// Opcodes of enum io_uring_op (linux/io_uring.h).
const (
	opAccept  = 13
	opConnect = 16
)

// meets FILE listens at addresses of the own machine, connects to each, and accepts the connection: by calls that ask
// whom it is from, by calls that do not, and by io_uring. It writes into the file to and from where each one was.
func meets(args []string) error {
	runtime.LockOSThread()
	r, err := uring.New(8)
	if err != nil {
		return err
	}
	defer r.Close()
	var made strings.Builder
	for _, at := range []string{"127.0.0.1", "::1", "::ffff:127.0.0.2"} {
		for _, by := range []func(*uring.Ring, int, int, netip.AddrPort) (int, error){asking, notAsking, byRing} {
			if err := meet(r, netip.MustParseAddr(at), by, &made); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
		}
	}
	return os.WriteFile(args[0], []byte(made.String()), 0o666)
}

// meet makes a connection to an address of the own machine, and accepts it.
func meet(r *uring.Ring, at netip.Addr, by func(*uring.Ring, int, int, netip.AddrPort) (int, error),
	made io.Writer) error {
	family := unix.AF_INET
	if at.Is6() {
		family = unix.AF_INET6
	}
	listener, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(listener)
	all := netip.IPv4Unspecified()
	if at.Is6() {
		all = netip.IPv6Unspecified()
	}
	if err := unix.Bind(listener, socketAddress(netip.AddrPortFrom(all, 0))); err != nil {
		return err
	}
	if err := unix.Listen(listener, 1); err != nil {
		return err
	}
	bound, err := unix.Getsockname(listener)
	if err != nil {
		return err
	}
	asker, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(asker)
	to := netip.AddrPortFrom(at, addressOf(bound).Port())
	accepted, err := by(r, asker, listener, to)
	if err != nil {
		return err
	}
	defer unix.Close(accepted)
	from, err := unix.Getpeername(accepted)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(made, to, addressOf(from))
	return err
}

func asking(_ *uring.Ring, asker, listener int, to netip.AddrPort) (int, error) {
	if err := unix.Connect(asker, socketAddress(to)); err != nil {
		return -1, err
	}
	fd, _, err := unix.Accept4(listener, unix.SOCK_CLOEXEC)
	return fd, err
}

func notAsking(_ *uring.Ring, asker, listener int, to netip.AddrPort) (int, error) {
	if err := unix.Connect(asker, socketAddress(to)); err != nil {
		return -1, err
	}
	fd, _, e := unix.Syscall6(unix.SYS_ACCEPT4, uintptr(listener), 0, 0, unix.SOCK_CLOEXEC, 0, 0)
	if e != 0 {
		return -1, e
	}
	return int(fd), nil
}

func byRing(r *uring.Ring, asker, listener int, to netip.AddrPort) (int, error) {
	var raw4 unix.RawSockaddrInet4
	var raw6 unix.RawSockaddrInet6
	port := to.Port()<<8 | to.Port()>>8
	address, size := unsafe.Pointer(&raw4), unsafe.Sizeof(raw4)
	if to.Addr().Is6() {
		raw6 = unix.RawSockaddrInet6{Family: unix.AF_INET6, Port: port, Addr: to.Addr().As16()}
		address, size = unsafe.Pointer(&raw6), unsafe.Sizeof(raw6)
	} else {
		raw4 = unix.RawSockaddrInet4{Family: unix.AF_INET, Port: port, Addr: to.Addr().As4()}
	}
	raw(r.Next(), opConnect, int32(asker), uint64(size), uint64(uintptr(address)), 0, 0)
	err := inTurn(r, 0)
	runtime.KeepAlive(&raw4)
	runtime.KeepAlive(&raw6)
	if err != nil {
		return -1, err
	}
	raw(r.Next(), opAccept, int32(listener), 0, 0, 0, 1)
	if err := r.Submit(1); err != nil {
		return -1, err
	}
	c, ok := r.Take()
	if !ok || c.Res < 0 {
		return -1, fmt.Errorf("completion %+v of an accept", c)
	}
	return int(c.Res), nil
}

func socketAddress(a netip.AddrPort) unix.Sockaddr {
	if a.Addr().Is6() {
		return &unix.SockaddrInet6{Port: int(a.Port()), Addr: a.Addr().As16()}
	}
	return &unix.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()}
}

func addressOf(a unix.Sockaddr) netip.AddrPort {
	switch a := a.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr), uint16(a.Port))
	}
	return netip.AddrPort{}
}
