package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestFlushedForOthers: a copy of which nobody who was recorded synced anything is durable with the last flush of its
// device before the command's end, if the device then had nothing left to write for the recorder's own sync.
func TestFlushedForOthers(t *testing.T) {
	const disk = trace.DeviceID(8 << 20)
	flush := func(at int64) trace.Request {
		return trace.Request{Op: trace.ReqFlush, Issued: at, Completed: at + 2*ms}
	}
	journal := func(at int64, flags trace.ReqFlags) trace.Request {
		return trace.Request{Op: trace.ReqWrite, Bytes: 4096, Sector: 9000, Flags: flags, Issued: at, Completed: at + 2*ms}
	}
	another := trace.Request{Op: trace.ReqWrite, Bytes: 4096, File: 1, Evidence: trace.EvidenceInode, Issued: 110 * ms,
		Completed: 112 * ms} // in place: the journal has nothing of it
	const recorder = 200 * ms // its own sync
	type did = []trace.Request
	cases := map[string]struct {
		cache string
		did   did // after the copy returned; its data is on the device after 10 ms, the command ends after 100
		lost  bool
		want  int64 // after the copy returned
	}{
		"a flush":                       {"write back", did{journal(20*ms, trace.ReqSync), flush(30 * ms)}, false, 32 * ms},
		"several":                       {"write back", did{flush(30 * ms), flush(50 * ms)}, false, 32 * ms},
		"past the cache":                {"write back", did{flush(30 * ms), journal(40*ms, trace.ReqFUA)}, false, 42 * ms},
		"past the cache, data is not":   {"write back", did{journal(40*ms, trace.ReqFUA)}, false, recorder},
		"before its data":               {"write back", did{flush(9 * ms)}, false, recorder},
		"something was left to write":   {"write back", did{flush(30 * ms), journal(120*ms, trace.ReqSync)}, false, recorder},
		"written in its own time":       {"write back", did{flush(30 * ms), journal(120*ms, trace.ReqMeta)}, false, 32 * ms},
		"only a flush was left":         {"write back", did{flush(30 * ms), flush(120 * ms)}, false, 32 * ms},
		"a write at the command's end":  {"write back", did{flush(30 * ms), journal(99*ms, trace.ReqSync)}, false, recorder},
		"another file's data was left":  {"write back", did{flush(30 * ms), another, flush(120 * ms)}, false, 32 * ms},
		"no flush":                      {"write back", nil, false, recorder},
		"an unknown cache":              {"", did{flush(30 * ms)}, false, 32 * ms},
		"no volatile cache":             {"write through", did{journal(20*ms, trace.ReqSync)}, false, 22 * ms},
		"no volatile cache, data alone": {"write through", nil, false, 10 * ms},
		"requests are missing":          {"write back", did{flush(30 * ms)}, true, recorder},
	}
	for name, c := range cases {
		s, a, _ := copying(t, 4*MiB)
		s.put(s.now, &trace.Device{ID: disk, Name: "sda", WriteCache: c.cache})
		b := s.identify(trace.File{Path: "/x/new", Device: disk, Inode: 9, FSType: "ext4", Mount: "/x"})
		s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc)
		s.loop(a, b, 4*MiB, MiB)
		begun := s.now
		data := trace.Request{Op: trace.ReqWrite, Issued: 5 * ms, Completed: 10 * ms, Bytes: 4 * MiB, File: b,
			Evidence: trace.EvidenceInode}
		for _, q := range append(did{data}, c.did...) {
			q.Issued, q.Completed = q.Issued+begun, q.Completed+begun
			q.Queued, q.Device, q.PID, q.TID, q.Bios = q.Issued, disk, 7, 7, 1
			if q.File == another.File {
				q.File = a
			}
			s.put(q.Completed, &q)
		}
		if c.lost {
			s.put(begun, &trace.Lost{Kind: trace.KindRequest, Count: 1, From: begun, To: begun + ms})
		}
		s.now = begun + 100*ms
		s.returns()
		s.durable(begun + recorder)
		copied := one(t, s.profile())
		if got := copied.StartNS + copied.DurableNS - begun; got != c.want {
			t.Errorf("%s: durable %d ms after it was written, want %d", name, got/ms, c.want/ms)
		}
	}
}
