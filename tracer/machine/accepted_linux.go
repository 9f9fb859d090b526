package machine

import (
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Accepted lists the open sockets at which programs wait to be asked, in the network namespaces of processes: those
// that were accepted from a listening one, and named Unix sockets for datagrams.
func Accepted(pids []uint32) (list []trace.Socket) {
	seen := map[string]bool{}
	for _, pid := range pids {
		namespace, err := os.Readlink("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/ns/net")
		if err != nil || seen[namespace] {
			continue
		}
		seen[namespace] = true
		for _, inode := range append(accepted(connectionsBy(pid)), served(network(pid, "unix"))...) {
			if len(list) < trace.MaxAccepted {
				list = append(list, trace.Socket{Inode: inode})
			}
		}
	}
	return list
}

// accepted are the connections that came in where a socket listens, at their address or at any.
func accepted(all []connection) (inodes []uint64) {
	listens := map[netip.AddrPort]bool{}
	everywhere := map[uint16]bool{}
	for _, c := range all {
		switch {
		case c.listens && c.local.Addr().IsUnspecified():
			everywhere[c.local.Port()] = true
		case c.listens:
			listens[c.local] = true
		}
	}
	for _, c := range all {
		if !c.listens && (listens[c.local] || everywhere[c.local.Port()]) {
			inodes = append(inodes, c.inode)
		}
	}
	return inodes
}

// served reads /proc/net/unix (proc(5)). A socket that was accepted has the name of the one that listens.
func served(text string) (inodes []uint64) {
	const listens = 0x10000 // SO_ACCEPTCON of linux/net.h
	const datagrams, unconnected, connected = "0002", "01", "03"
	type socket struct {
		inode uint64
		name  string
	}
	var candidates []socket
	named := map[string]bool{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 8 {
			continue // without a name
		}
		flags, err := strconv.ParseUint(f[3], 16, 32)
		inode, bad := strconv.ParseUint(f[6], 10, 64)
		name := strings.Join(f[7:], " ")
		switch {
		case err != nil || bad != nil || inode == 0:
		case flags&listens != 0:
			named[name] = true
		case f[4] == datagrams && f[5] == unconnected:
			inodes = append(inodes, inode)
		case f[4] != datagrams && f[5] == connected:
			candidates = append(candidates, socket{inode, name})
		}
	}
	for _, s := range candidates {
		if named[s.name] {
			inodes = append(inodes, s.inode)
		}
	}
	return inodes
}
