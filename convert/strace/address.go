package strace

import (
	"bytes"
	"net/netip"
	"strconv"

	"github.com/iotrace/iotrace/trace"
)

// address is a sockaddr as strace prints it, as text, as of trace.UnixAddress; "" if it is of another family.
func address(s []byte) string {
	_, family, _ := bytes.Cut(s, []byte("sa_family="))
	switch {
	case bytes.HasPrefix(family, []byte("AF_INET6")):
		_, ip, _ := bytes.Cut(family, []byte("inet_pton(AF_INET6, \""))
		return internet(ip, after(family, "sin6_port=htons("), after(family, "sin6_scope_id="))
	case bytes.HasPrefix(family, []byte("AF_INET")):
		_, ip, _ := bytes.Cut(family, []byte("inet_addr(\""))
		return internet(ip, after(family, "sin_port=htons("), 0)
	case bytes.HasPrefix(family, []byte("AF_UNIX")), bytes.HasPrefix(family, []byte("AF_LOCAL")):
		_, name, _ := bytes.Cut(family, []byte("sun_path="))
		at := ""
		if bytes.HasPrefix(name, []byte("@")) {
			at, name = "@", name[1:]
		}
		begin, end := bytes.IndexByte(name, '"'), bytes.LastIndexByte(name, '"')
		if begin != 0 || end <= begin {
			return ""
		}
		return trace.UnixAddress(at + string(unquote(name[1:end])))
	}
	return ""
}

// after is the number that follows a text, 0 if there is none.
func after(s []byte, text string) int64 {
	_, rest, _ := bytes.Cut(s, []byte(text))
	n, _ := number(rest)
	return n
}

func internet(quoted []byte, port, scope int64) string {
	text, _, _ := bytes.Cut(quoted, []byte("\""))
	ip, err := netip.ParseAddr(string(unquote(text)))
	if err != nil || port < 0 || port > 1<<16-1 {
		return ""
	}
	if scope > 0 && ip.Is6() {
		ip = ip.WithZone(strconv.FormatInt(scope, 10))
	}
	return netip.AddrPortFrom(ip, uint16(port)).String()
}
