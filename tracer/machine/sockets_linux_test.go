package machine

import (
	"encoding/binary"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// A line of each file as the kernel prints it on little-endian machines: a connection, and a socket that listens.
func TestConnections(t *testing.T) {
	const text = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		"   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0\n" +
		"   1: 0100007F:1F90 020200C0:01BB 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0\n" +
		"   2: 00000000000000000000000001000000:0016 0000000000000000FFFF00000100007F:0050 01 0:0 0:0 0 0 0 13\n" +
		"   3: xyz:1 0100007F:1 01 0:0 0:0 0 0 0 14\n"
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the lines are those of a little-endian machine")
	}
	end := netip.MustParseAddrPort
	want := []connection{
		{route{end("127.0.0.1:8080"), end("0.0.0.0:0")}, 11, true},
		{route{end("127.0.0.1:8080"), end("192.0.2.2:443")}, 12, false},
		{route{end("[::1]:22"), end("127.0.0.1:80")}, 13, false},
	}
	if got := connections(text); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Datagrams go to whoever takes them at their address, or, on this machine, at any.
func TestDatagrams(t *testing.T) {
	at := netip.MustParseAddrPort
	all := []connection{
		{route{at("127.0.0.77:53"), at("0.0.0.0:0")}, 1, true},
		{route{at("0.0.0.0:123"), at("0.0.0.0:0")}, 2, true},
		{route{at("127.0.0.1:40000"), at("127.0.0.77:53")}, 3, false},
	}
	for _, c := range []struct {
		local, remote string
		want          uint64
	}{
		{"127.0.0.1:40000", "127.0.0.77:53", 1}, {"127.0.0.1:40000", "127.0.0.1:123", 2},
		{"192.0.2.1:40000", "192.0.2.1:123", 2}, {"192.0.2.1:40000", "192.0.2.2:123", 0},
		{"127.0.0.1:40001", "127.0.0.77:54", 0},
	} {
		if got := taker(all, route{at(c.local), at(c.remote)}); got != c.want {
			t.Errorf("from %s to %s: %d, want %d", c.local, c.remote, got, c.want)
		}
	}
}

// A client that asks by UDP: who is to answer, and, where nobody is, the address.
func TestDatagramPeers(t *testing.T) {
	dir := t.TempDir()
	python := func(program string) uint32 {
		c := exec.Command("python3", "-c", "import socket, time, os\n"+program)
		c.Dir = dir
		return started(t, c)
	}
	server := python(`s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0))
open("new", "w").write(str(s.getsockname()[1])); os.rename("new", "port"); time.sleep(60)`)
	client := python(`while not os.path.exists("port"): time.sleep(0.01)
s = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for i in range(2)]
s[0].connect(("127.0.0.1", int(open("port").read()))); s[1].connect(("127.0.0.88", 1))
open("ready", "w"); time.sleep(60)`)
	for range 500 {
		if list, _ := filepath.Glob(filepath.Join(dir, "ready")); list != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	found := around(client)
	has := func(of func(trace.Holder) bool) {
		if !slices.ContainsFunc(found, of) {
			t.Errorf("%+v", found)
		}
	}
	has(func(h trace.Holder) bool { return h.What == trace.HeldSocket && h.PID == server && h.Address == "" })
	has(func(h trace.Holder) bool {
		return h.What == trace.HeldSocket && h.PID == 0 && h.Address == "127.0.0.88:1"
	})
}

func FuzzConnections(f *testing.F) {
	f.Add("0: 0100007F:1F90 020200C0:01BB 01 0:0 0:0 0 0 0 12\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range connections(text) {
			if c.inode == 0 || !c.local.IsValid() || !c.remote.IsValid() {
				t.Errorf("%+v", c)
			}
		}
	})
}

// A client with a Unix socket and a TCP connection to a server that is not recorded: the server has both other ends,
// and has accepted them.
func TestSockets(t *testing.T) {
	dir := t.TempDir()
	python := func(program string) uint32 {
		c := exec.Command("python3", "-c", "import socket, time, os\n"+program)
		c.Dir = dir
		return started(t, c)
	}
	server := python(`u = socket.socket(socket.AF_UNIX); u.bind("peer"); u.listen()
s = socket.create_server(("127.0.0.1", 0)); open("new", "w").write(str(s.getsockname()[1])); os.rename("new", "port")
a, b = u.accept(), s.accept(); open("ready", "w"); time.sleep(60)`)
	client := python(`while not os.path.exists("port"): time.sleep(0.01)
u = socket.socket(socket.AF_UNIX); u.connect("peer")
s = socket.create_connection(("127.0.0.1", int(open("port").read()))); time.sleep(60)`)
	for range 500 {
		if list, _ := filepath.Glob(filepath.Join(dir, "ready")); list != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	found := around(client)
	sockets := map[uint64]bool{}
	for _, h := range found {
		if h.What == trace.HeldSocket && h.PID == server && h.Command == "python3" && h.Address == "" {
			sockets[h.Inode] = true
		}
	}
	for _, fd := range descriptors(client, -1) {
		if name, _, _ := descriptor(client, fd); name != "" {
			if what, inode := numbered(name); what == trace.HeldSocket && !sockets[inode] {
				t.Errorf("the other end of %s is not in %+v", name, found)
			}
		}
	}
	if len(sockets) != 2 {
		t.Errorf("the server has %d sockets, want 2: %+v", len(sockets), found)
	}
	all := Accepted([]uint32{client, server})
	if s, c := ofProcess(server, all), ofProcess(client, all); s != 2 || c != 0 {
		t.Errorf("of the server %d sockets are accepted, of the client %d: want 2 and 0", s, c)
	}
}

// Of many sockets so many are kept that there is room for a lock.
func TestManySockets(t *testing.T) {
	var s HolderSearch
	for i := range uint64(3 * trace.MaxHolders) {
		s.add(trace.Holder{What: trace.HeldSocket, Inode: i, Address: "192.0.2.7:443"})
	}
	lock := trace.Holder{What: trace.HeldLock, Inode: 1, PID: 7}
	s.add(lock)
	if len(s.found) != maxSockets+1 || s.found[maxSockets] != lock {
		t.Errorf("%+v", s.found)
	}
}
