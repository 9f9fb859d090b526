package machine

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// peer is the other end of a socket: one of this machine, or an address elsewhere.
type peer struct {
	inode   uint64 // 0 if it is elsewhere
	address string
}

// peers finds the other ends of some sockets of a process, as far as they are connected: by TCP or UDP in its network
// namespace, or as Unix sockets in this one.
func peers(pid uint32, sockets []uint64) map[uint64]peer {
	if len(sockets) == 0 {
		return nil
	}
	list := map[uint64]peer{}
	from, by := map[route]uint64{}, map[uint64]route{}
	datagrams := append(connections(network(pid, "udp")), connections(network(pid, "udp6"))...)
	for _, c := range append(connectionsBy(pid), datagrams...) {
		if !c.listens {
			from[c.route], by[c.inode] = c.inode, c.route
		}
	}
	for _, inode := range sockets {
		if r, ok := by[inode]; ok {
			list[inode] = peer{inode: cmp.Or(from[route{r.remote, r.local}], taker(datagrams, r)), address: r.remote.String()}
		}
	}
	unixPeers(sockets, list)
	return list
}

// taker is the socket that takes datagrams from anybody where a route leads to, at that address or at any of this
// machine; 0 if there is none.
func taker(datagrams []connection, r route) uint64 {
	here := r.remote.Addr().IsLoopback() || r.remote.Addr() == r.local.Addr()
	for _, c := range datagrams {
		at := c.local.Addr() == r.remote.Addr() || here && c.local.Addr().IsUnspecified()
		if c.listens && at && c.local.Port() == r.remote.Port() {
			return c.inode
		}
	}
	return 0
}

// connectionsBy are those of TCP in the network namespace of a process.
func connectionsBy(pid uint32) []connection {
	return append(connections(network(pid, "tcp")), connections(network(pid, "tcp6"))...)
}

// network is what the system lists of the network namespace of a process; "" if it does not, as without IPv6.
func network(pid uint32, name string) string {
	text, _ := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/net/" + name)
	return string(text)
}

// route is from where to where a connection goes.
type route struct{ local, remote netip.AddrPort }

// connection is one that is established, or a socket that listens, or takes datagrams from anybody.
type connection struct {
	route
	inode   uint64
	listens bool
}

// connections reads /proc/net/tcp, tcp6, udp or udp6 (proc_net_tcp.txt of the kernel's documentation).
func connections(text string) (list []connection) {
	const established, listens, takes = "01", "0A", "07" // TCP_ESTABLISHED, TCP_LISTEN, TCP_CLOSE of net/tcp_states.h
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 10 || f[3] != established && f[3] != listens && f[3] != takes {
			continue
		}
		local, ok := address(f[1])
		remote, also := address(f[2])
		inode, err := strconv.ParseUint(f[9], 10, 64)
		if ok && also && err == nil && inode != 0 {
			list = append(list, connection{route{local, remote}, inode, f[3] != established})
		}
	}
	return list
}

// address reads an address with its port: words of 32 bits as the processor has them in memory, in hexadecimal.
func address(text string) (netip.AddrPort, bool) {
	words, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(words)
	n, bad := strconv.ParseUint(port, 16, 16)
	if err != nil || bad != nil || len(raw) != 4 && len(raw) != 16 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	a, _ := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(a.Unmap(), uint16(n)), true
}

// unixPeers adds the other ends of Unix sockets, which the kernel tells through sock_diag(7) only.
func unixPeers(sockets []uint64, list map[uint64]peer) {
	var c *netlink.Conn
	for _, inode := range sockets {
		if _, ok := list[inode]; ok || inode > 1<<32-1 {
			continue
		}
		if c == nil {
			var err error
			if c, err = netlink.Dial(unix.NETLINK_SOCK_DIAG, nil); err != nil {
				return
			}
			defer c.Close()
		}
		if other := unixPeer(c, uint32(inode)); other != 0 {
			list[inode] = peer{inode: uint64(other)}
		}
	}
}

// unixPeer is the number of the socket that a Unix socket is connected with; 0 if it is none or has no other end.
func unixPeer(c *netlink.Conn, inode uint32) uint32 {
	const (
		byFamily   = 20     // SOCK_DIAG_BY_FAMILY of linux/sock_diag.h
		showPeer   = 1 << 2 // UDIAG_SHOW_PEER of linux/unix_diag.h, as are the sizes and the attribute
		thePeer    = 2
		answerSize = 16
	)
	ask := make([]byte, 24) // struct unix_diag_req: any state, no cookie
	ask[0] = unix.AF_UNIX
	ne := binary.NativeEndian
	ne.PutUint32(ask[4:], 1<<32-1)
	ne.PutUint32(ask[8:], inode)
	ne.PutUint32(ask[12:], showPeer)
	ne.PutUint64(ask[16:], 1<<64-1)
	answers, err := c.Execute(netlink.Message{
		Header: netlink.Header{Type: byFamily, Flags: netlink.Request}, Data: ask})
	if err != nil || len(answers) == 0 || len(answers[0].Data) < answerSize {
		return 0
	}
	attributes, err := netlink.NewAttributeDecoder(answers[0].Data[answerSize:])
	if err != nil {
		return 0
	}
	for attributes.Next() {
		if attributes.Type() == thePeer {
			return attributes.Uint32()
		}
	}
	return 0
}

// socketName is what a descriptor of a socket stands for.
func socketName(inode uint64) string { return "socket:[" + strconv.FormatUint(inode, 10) + "]" }
