//go:build linux

package main

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// socketPair is two sockets of this process. What is sent from one arrives at the other before the call returns, so
// nobody waits.
type socketPair struct {
	from, to int
	address  *unix.RawSockaddrInet4 // that each send names; nil if they are connected
}

// socketPairs make one of each kind.
var socketPairs = map[string]func() (socketPair, error){
	"unix": unixPair, "udp": udpPair, "tcp": tcpPair,
}

// sent is how many bytes each send has.
const sent = 64

// exchange sends and receives some bytes again and again. Receives ask who sent it.
func exchange(connect func() (socketPair, error), steps int) (time.Duration, error) {
	p, err := connect()
	if err != nil {
		return 0, err
	}
	defer p.close()
	var data [sent]byte
	var who unix.RawSockaddrInet4
	size := unsafe.Sizeof(who)
	if p.address == nil {
		size = 0
	}
	began := time.Now()
	for range steps {
		n, _, failed := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(p.from), uintptr(unsafe.Pointer(&data)), sent, 0,
			uintptr(unsafe.Pointer(p.address)), size)
		if n != sent {
			return 0, fmt.Errorf("sending %d bytes: %d, %w", sent, int(n), failed)
		}
		room := uint32(unsafe.Sizeof(who))
		n, _, failed = unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(p.to), uintptr(unsafe.Pointer(&data)), sent, 0,
			uintptr(unsafe.Pointer(&who)), uintptr(unsafe.Pointer(&room)))
		if n != sent {
			return 0, fmt.Errorf("receiving %d bytes: %d, %w", sent, int(n), failed)
		}
	}
	return time.Since(began), nil
}

func (p *socketPair) close() {
	for _, fd := range []int{p.from, p.to} {
		if fd > 0 {
			unix.Close(fd)
		}
	}
}

func unixPair() (socketPair, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	return socketPair{from: fds[0], to: fds[1]}, err
}

// udpPair is not connected.
func udpPair() (p socketPair, err error) {
	var address *unix.SockaddrInet4
	if p.from, _, err = boundSocket(unix.SOCK_DGRAM); err == nil {
		p.to, address, err = boundSocket(unix.SOCK_DGRAM)
	}
	if err != nil {
		p.close()
		return p, err
	}
	p.address = &unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: address.Addr}
	*(*[2]byte)(unsafe.Pointer(&p.address.Port)) = [2]byte{byte(address.Port >> 8), byte(address.Port)}
	return p, nil
}

// tcpPair sends what it is given at once.
func tcpPair() (p socketPair, err error) {
	listener, address, err := boundSocket(unix.SOCK_STREAM)
	if err != nil {
		return p, err
	}
	defer unix.Close(listener)
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if err := unix.Listen(listener, 1); err != nil {
		return p, err
	}
	if p.from, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return p, err
	}
	if err := errors.Join(unix.Connect(p.from, address),
		unix.SetsockoptInt(p.from, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)); err != nil {
		return p, err
	}
	p.to, _, err = unix.Accept4(listener, unix.SOCK_CLOEXEC)
	return p, err
}

// boundSocket is one at some port of this machine's own address.
func boundSocket(kind int) (fd int, address *unix.SockaddrInet4, err error) {
	if fd, err = unix.Socket(unix.AF_INET, kind|unix.SOCK_CLOEXEC, 0); err != nil {
		return 0, nil, err
	}
	err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	if err == nil {
		var name unix.Sockaddr
		if name, err = unix.Getsockname(fd); err == nil {
			return fd, name.(*unix.SockaddrInet4), nil
		}
	}
	unix.Close(fd)
	return 0, nil, err
}
