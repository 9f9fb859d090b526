package machine

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Those that came in where one listens are accepted, and no others: not what goes out, nor what came in where another
// address is listened at.
func TestAcceptedConnections(t *testing.T) {
	at := netip.MustParseAddrPort
	all := []connection{
		{route{at("0.0.0.0:22"), at("0.0.0.0:0")}, 1, true},
		{route{at("127.0.0.1:25"), at("0.0.0.0:0")}, 2, true},
		{route{at("192.0.2.1:22"), at("192.0.2.2:40000")}, 3, false},
		{route{at("127.0.0.1:25"), at("127.0.0.1:40001")}, 4, false},
		{route{at("127.0.0.1:40001"), at("127.0.0.1:25")}, 5, false},
		{route{at("192.0.2.1:25"), at("192.0.2.2:22")}, 6, false},
	}
	if got := accepted(all); !slices.Equal(got, []uint64{3, 4}) {
		t.Errorf("%v", got)
	}
}

const unixSockets = `Num       RefCount Protocol Flags    Type St Inode Path
ffff888003acbc00: 00000002 00000000 00010000 0001 01 11 /run/a name
ffff888003acb800: 00000003 00000000 00000000 0001 03 12 /run/a name
ffff888003acb400: 00000003 00000000 00000000 0001 03 13
ffff888003acb000: 00000003 00000000 00000000 0001 03 14 /run/my-own
ffff888003acac00: 00000002 00000000 00010000 0005 01 15 @abstract
ffff888003aca800: 00000003 00000000 00000000 0005 03 16 @abstract
ffff888003aca400: 00000002 00000000 00000000 0002 01 17 /dev/log
ffff888003aca000: 00000002 00000000 00000000 0002 03 18 /run/client-of-log
ffff888003ac9c00: 00000002 00000000 00000000 0002 01 19
`

func TestAcceptedUnixSockets(t *testing.T) {
	if got := served(unixSockets); !slices.Equal(got, []uint64{17, 12, 16}) {
		t.Errorf("%v", got)
	}
}

func FuzzServed(f *testing.F) {
	f.Add(unixSockets)
	f.Fuzz(func(t *testing.T, text string) {
		if slices.Contains(served(text), 0) {
			t.Error("a socket without a number")
		}
	})
}

// ofProcess are the sockets of a process that are among those.
func ofProcess(pid uint32, list []trace.Socket) (n int) {
	for _, fd := range descriptors(pid, -1) {
		name, _, _ := descriptor(pid, fd)
		what, inode := numbered(name)
		if what == trace.HeldSocket && slices.Contains(list, trace.Socket{Inode: inode}) {
			n++
		}
	}
	return n
}
