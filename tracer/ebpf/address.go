//go:build linux

package ebpf

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// Where the parts of an Internet address are (linux/in.h, linux/in6.h); the port comes before.
const (
	portAt, ip4At, ip6At, scopeAt  = 2, 4, 8, 24
	ip4Length, ip6Least, ip6Length = 8, 24, 28
)

// address is a sockaddr as text, as of trace.UnixAddress; "" if it is of another family.
func address(b []byte) string {
	if len(b) < portAt {
		return ""
	}
	switch family := binary.NativeEndian.Uint16(b); {
	case family == unix.AF_INET && len(b) >= ip4Length:
		ip := netip.AddrFrom4([4]byte(b[ip4At:]))
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(b[portAt:])).String()
	case family == unix.AF_INET6 && len(b) >= ip6Least:
		ip := netip.AddrFrom16([16]byte(b[ip6At:]))
		if len(b) >= ip6Length {
			if scope := binary.NativeEndian.Uint32(b[scopeAt:]); scope != 0 {
				ip = ip.WithZone(strconv.FormatUint(uint64(scope), 10))
			}
		}
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(b[portAt:])).String()
	case family == unix.AF_UNIX:
		return trace.UnixAddress(unixName(b[portAt:]))
	}
	return ""
}

// unixName is the name of a Unix socket: a path, or "@" and a name that is in no directory.
func unixName(b []byte) string {
	if len(b) > 0 && b[0] == 0 {
		return "@" + string(b[1:])
	}
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}
