package answer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// What came from elsewhere, or went there, is told with the other end, as far as that is known.
func TestOverSockets(t *testing.T) {
	type socket struct {
		read, written int64
		end           profile.Holder
	}
	server := profile.Holder{PID: 9, Command: "nginx"}
	elsewhere := profile.Holder{Address: "192.0.2.7:443"}
	for _, test := range []struct {
		name    string
		files   int64 // bytes that calls wrote in files
		sockets []socket
		want    string
	}{
		{"fetched", 5e6, []socket{{5e6, 80, elsewhere}}, "received 5.00 MB from 192.0.2.7:443"},
		{"fetched here", 5e6, []socket{{5e6, 80, server}}, "received 5.00 MB from nginx (9, not recorded)"},
		{"too short to be looked up", 5e6, []socket{{5e6, 80, profile.Holder{}}}, "received 5.00 MB over a socket"},
		{"fetched in parts", 5e6, []socket{{3e6, 80, elsewhere}, {2e6, 80, elsewhere}},
			"received 5.00 MB from 192.0.2.7:443"},
		{"several", 5e6, []socket{{3e6, 80, profile.Holder{}}, {2e6, 80, profile.Holder{}}},
			"received 5.00 MB over 2 sockets"},
		{"sent", 5e6, []socket{{80, 5e6, elsewhere}}, "sent 5.00 MB to 192.0.2.7:443"},
		{"both ends recorded", 5e6, []socket{{5e6, 80, server}, {80, 5e6, server}}, ""},
		{"a name looked up", 5e6, []socket{{300, 80, server}}, ""},
		{"thrown away", 0, []socket{{5e6, 80, elsewhere}}, "received 5.00 MB from 192.0.2.7:443"},
	} {
		p := &profile.Profile{Layers: []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: test.files}}}}
		for i, s := range test.sockets {
			inode := uint64(100 + i)
			p.Files = append(p.Files, profile.File{Type: trace.FileSocket, Inode: inode,
				Read: &profile.Flow{Bytes: s.read}, Write: &profile.Flow{Bytes: s.written}})
			s.end.What, s.end.Inode = trace.HeldSocket, inode
			if s.end.PID != 0 || s.end.Address != "" {
				p.Trace.Holders = append(p.Trace.Holders, s.end)
			}
		}
		if got := strings.Join(overSockets(p), " · "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A server that writes far more than it is sent says so: a queue that keeps pages for messages. One that keeps what it
// gets does not, nor does a command.
func TestWrittenForLittle(t *testing.T) {
	for _, test := range []struct {
		name          string
		read, written int64 // over its sockets
		files         int64
		operations    *profile.Operations
		want          string
	}{
		{"a broker that writes pages", 40e3, 9e3, 80e6, &profile.Operations{Count: 900},
			"wrote 80.0 MB for 40.0 kB received"},
		{"a store of what it gets", 70e6, 9e3, 80e6, &profile.Operations{Count: 900}, "wrote 80.0 MB in 900 calls"},
		{"a server that is only read", 9e3, 40e3, 80e6, &profile.Operations{Count: 900}, "wrote 80.0 MB in 900 calls"},
		{"a command", 40e3, 9e3, 80e6, nil, "wrote 80.0 MB in 900 calls"},
	} {
		p := &profile.Profile{Operations: test.operations, Layers: []profile.Layer{{Name: "calls",
			Write: &profile.Flow{Count: 900, Bytes: test.files}}}, Files: []profile.File{{Type: trace.FileSocket,
			Read: &profile.Flow{Bytes: test.read}, Write: &profile.Flow{Bytes: test.written}}}}
		if got := throughCalls(p); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// What scp hands to ssh stays within the recording: only what ssh sends is told.
func TestPairedSocketsAreNotTold(t *testing.T) {
	p := &profile.Profile{Layers: []profile.Layer{{Name: "calls", Read: &profile.Flow{Bytes: 5e6}}}}
	for i, n := range []int64{5e6, 0, 6e6} {
		f := profile.File{Type: trace.FileSocket, Inode: uint64(100 + i), Paired: i < 2}
		f.Read, f.Write = &profile.Flow{Bytes: 5e6 - min(n, 5e6)}, &profile.Flow{Bytes: n}
		p.Files = append(p.Files, f)
	}
	p.Trace.Holders = []profile.Holder{{What: trace.HeldSocket, Inode: 102, PID: 9, Command: "sshd"}}
	if got := strings.Join(overSockets(p), " · "); got != "sent 6.00 MB to sshd (9, not recorded)" {
		t.Errorf("%q", got)
	}
}
