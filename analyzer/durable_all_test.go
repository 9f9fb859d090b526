package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestDurableWithLastFlush: all is durable with the first flush that began when the last of it was written, not when
// the recorder took notice of that.
func TestDurableWithLastFlush(t *testing.T) {
	const disk = trace.DeviceID(8 << 20)
	const command, recorder = 100 * ms, 130 * ms // end, after the last call
	type did = []trace.Request
	write := func(from, to int64, flags trace.ReqFlags) trace.Request {
		return trace.Request{Op: trace.ReqWrite, Bytes: 4096, Sector: 9000, Flags: flags, Issued: from, Completed: to}
	}
	data := func(from, to int64) trace.Request {
		return trace.Request{Op: trace.ReqWrite, Bytes: MiB, File: 1, Issued: from, Completed: to}
	}
	flush := func(from, to int64, flags trace.ReqFlags) trace.Request {
		return trace.Request{Op: trace.ReqFlush, Flags: flags, Issued: from, Completed: to}
	}
	failed := flush(12*ms, 15*ms, 0)
	failed.Error = 5
	asked := flush(12*ms, 15*ms, trace.ReqPreflush|trace.ReqBioBased)
	asked.Op = trace.ReqWrite
	synced := data(5*ms, 10*ms)
	inPlace := write(20*ms, 25*ms, trace.ReqMeta|trace.ReqSync) // as sync(2) does once the journal has it
	inPlace.Owner = 100
	journal := write(15*ms, 17*ms, trace.ReqMeta|trace.ReqSync|trace.ReqFUA)
	const others, itself = trace.ReqForeign, trace.ReqForeign | trace.ReqRecorder
	cases := map[string]struct {
		cache, fs string
		did       did
		lost      bool
		want      int64
	}{
		"itself, past the cache": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0),
			write(15*ms, 17*ms, trace.ReqFUA)}, false, command},
		"itself, with two flushes": {"write back", "xfs", did{synced, flush(12*ms, 15*ms, 0), write(15*ms, 17*ms, 0),
			flush(17*ms, 19*ms, 0)}, false, command},
		"a flush for others": {"write back", "btrfs", did{synced, flush(12*ms, 15*ms, others)}, false, command},
		"an unknown cache":   {"", "ext4", did{synced, flush(12*ms, 15*ms, 0)}, false, command},
		"only a flush left":  {"write back", "ext4", did{synced, flush(110*ms, 112*ms, 0)}, false, 112 * ms},
		"several flushes": {"write back", "ext4", did{data(104*ms, 106*ms), flush(108*ms, 110*ms, 0),
			flush(120*ms, 121*ms, 0)}, false, 110 * ms},
		"a flush in between": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0),
			data(20*ms, 110*ms), flush(112*ms, 113*ms, 0)}, false, 113 * ms},
		"began too early": {"write back", "ext4", did{data(5*ms, 20*ms),
			flush(12*ms, 25*ms, 0)}, false, recorder},
		"metadata too late": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0),
			write(104*ms, 105*ms, trace.ReqMeta)}, false, recorder},
		"it failed":          {"write back", "ext4", did{synced, failed}, false, recorder},
		"none":               {"write back", "ext4", did{synced}, false, recorder},
		"requests are lost":  {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0)}, true, recorder},
		"asked for by a bio": {"write back", "ext4", did{synced, asked}, false, command},
		"no volatile cache":  {"write through", "ext4", did{data(104*ms, 106*ms)}, false, 106 * ms},
		"others write later": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0),
			write(104*ms, 105*ms, others)}, false, command},
		"others' transaction": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0),
			write(104*ms, 105*ms, others|trace.ReqMeta)}, false, recorder},
		"whose is not known": {"write back", "vfat", did{synced, flush(12*ms, 15*ms, 0),
			write(104*ms, 105*ms, others)}, false, recorder},
		"the recorder's sync": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0),
			write(104*ms, 105*ms, itself), flush(106*ms, 107*ms, itself)}, false, 107 * ms},
		"in place":             {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0), journal, inPlace}, false, command},
		"in place, no journal": {"write back", "ext4", did{synced, flush(12*ms, 15*ms, 0), inPlace}, false, recorder},
		"in a log":             {"write back", "xfs", did{synced, flush(12*ms, 15*ms, 0), journal, inPlace}, false, recorder},
		"another machine":      {"write back", "nfs4", did{synced, flush(12*ms, 15*ms, 0)}, false, recorder},
		"an unknown system":    {"write back", "zfs", did{synced, flush(12*ms, 15*ms, 0)}, false, recorder},
	}
	for name, c := range cases {
		s := newScene(t, "writes")
		s.put(s.now, &trace.Device{ID: disk, Name: "sda", WriteCache: c.cache})
		b := s.identify(trace.File{Path: "/x/new", Device: disk, Inode: 9, FSType: c.fs, Mount: "/x"})
		s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc)
		s.write(b, 0, MiB, ms)
		begun := s.now
		for _, q := range c.did {
			q.Issued, q.Completed = q.Issued+begun, q.Completed+begun
			q.Queued, q.Device, q.PID, q.TID, q.Bios = q.Issued, disk, 7, 7, 1
			if q.File != 0 {
				q.Evidence = trace.EvidenceInode
			}
			s.put(q.Completed, &q)
		}
		if c.lost {
			s.put(begun, &trace.Lost{Kind: trace.KindRequest, Count: 1, From: begun, To: begun + ms})
		}
		s.now = begun + command
		s.returns()
		s.durable(begun + recorder)
		// What sync(2) writes to a further disk makes nothing of this safe.
		s.put(begun+31*ms, &trace.Request{Op: trace.ReqWrite, Flags: trace.ReqMeta | trace.ReqSync, Bytes: 4096, Device: nvme,
			Queued: begun + 30*ms, Issued: begun + 30*ms, Completed: begun + 31*ms, PID: 100, TID: 100, Owner: 100, Bios: 1})
		s.end.Mounts = []trace.Mount{{Device: disk, Disk: disk, Point: "/x", FSType: c.fs}}
		p := s.profile()
		if got := p.StartNS + p.DurableNS - begun; got != c.want {
			t.Errorf("%s: durable %d ms after the last call, want %d", name, got/ms, c.want/ms)
		}
		if got := p.StartNS + p.TimeStack.TotalNS - begun; got != c.want {
			t.Errorf("%s: the time is divided up to %d ms after the last call, want %d", name, got/ms, c.want/ms)
		}
	}
}
