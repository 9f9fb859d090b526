package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestDurableTime: what a device has written may lie in its cache, and what says where it lies in memory: it is safe
// with the first sync of the file, of its file system or of all, or with the recorder's.
func TestDurableTime(t *testing.T) {
	s, a, b := copying(t, MiB)
	start := s.now
	s.loop(a, b, MiB, 256*KiB)
	s.returns()
	end := s.now + 7*ms
	s.request(trace.ReqWrite, b, 0, MiB, end-2*ms, end)
	s.durable(end + 50*ms)
	c := one(t, s.profile())
	if c.DurableNS != end+50*ms-start || c.DeviceWriteBytes != MiB || c.WriteAmplification != 1 || c.CacheHitShare != 1 {
		t.Errorf("durable after %d, want %d; %+v", c.DurableNS, end+50*ms-start, c)
	}
	for _, by := range []struct {
		op  trace.Op
		all bool
	}{{trace.OpSync, false}, {trace.OpDataSync, false}, {trace.OpSyncFS, false}, {trace.OpSyncFS, true}} {
		s, a, b := copying(t, MiB)
		start := s.now
		s.loop(a, b, MiB, 256*KiB)
		s.request(trace.ReqWrite, b, 0, MiB, s.now+ms, s.now+2*ms)
		s.think(20 * ms)
		e := trace.Syscall{Op: by.op, File: b}
		if by.all {
			e.File = 0
		}
		s.call(e, 5*ms)
		safe := s.now
		s.think(20 * ms)
		s.returns()
		s.end.Durable = -1
		if c := one(t, s.profile()); c.DurableNS != safe-start {
			t.Errorf("%s, of all %v: durable after %d, want %d", by.op, by.all, c.DurableNS, safe-start)
		}
	}
	s = newScene(t, "cp")
	a = s.file("/src/a", MiB)
	b = s.create("/dst/b")
	s.loop(a, b, MiB, 256*KiB)
	s.request(trace.ReqWrite, b, 0, MiB, s.now+ms, s.now+2*ms)
	s.returns()
	s.end.Durable = -1
	p := s.profile()
	if c := one(t, p); c.DurableNS != profile.Unknown || len(c.Marks) == 0 {
		t.Errorf("durable time of what was not written back: %d, marks %v", c.DurableNS, c.Marks)
	}
}

// Whose devices are elsewhere is safe when a sync says so, even if the recording went on, or was interrupted. NFS syncs
// a file that is closed, but for version 4, where the server may have lent it to the client.
func TestDurableElsewhere(t *testing.T) {
	for _, c := range []struct {
		fs    string
		sync  int64         // this much is written before the fsync; 0: there is none
		flags trace.IOFlags // of the writes
		after string        // what it is safe after
	}{
		{fs: "nfs4", sync: MiB, after: "fsync"}, {fs: "nfs", sync: MiB, after: "fsync"}, {fs: "nfs", after: "close"},
		{fs: "nfs4", after: "end"}, {fs: "nfs4", flags: trace.FlagSync, after: "write"},
		{fs: "cifs", sync: MiB, after: "fsync"},
		{fs: "nfs4", sync: MiB / 2, after: "end"},
	} {
		for _, whole := range []bool{true, false} {
			s := newScene(t, "cp")
			a := s.file("/src/a", MiB)
			s.open(a, trace.FlagRead)
			b := s.identify(trace.File{Path: "/net/b", Device: trace.MakeDeviceID(0, 40), Inode: 7, FSType: c.fs, Mount: "/net"})
			s.open(b, trace.FlagWrite|trace.FlagCreate)
			at, start := map[string]int64{}, s.now
			for from := int64(0); from < MiB; from += 256 * KiB {
				s.read(a, from, 256*KiB, 20*us)
				s.call(trace.Syscall{Op: trace.OpWrite, File: b, Offset: from, Requested: 256 * KiB, Result: 256 * KiB,
					Flags: c.flags}, 30*us)
				at["write"] = s.now
				if from+256*KiB == c.sync {
					s.think(ms)
					s.call(trace.Syscall{Op: trace.OpSync, File: b}, 5*ms)
					at["fsync"] = s.now
				}
			}
			s.close(b)
			at["close"] = s.now
			s.think(100 * ms)
			s.returns()
			s.durable(s.now + ms)
			at["end"] = s.now + ms
			if !whole {
				s.end.Durable = -1
				at["end"] = start + profile.Unknown
			}
			if got, want := one(t, s.profile()).DurableNS, at[c.after]-start; got != want {
				t.Errorf("%+v, whole %v: durable after %d, want %d", c, whole, got, want)
			}
		}
	}
}

// Of a file that is copied over again and again each copy has what the devices wrote in its turn.
func TestCopiedOver(t *testing.T) {
	s := newScene(t, "sh")
	a := s.file("/src/a", MiB)
	s.request(trace.ReqRead, a, 0, MiB, s.now+5*us, s.now+20*us) // for the first read
	b := s.create("/dst/b")
	var start, safe [5]int64
	for i := range start {
		start[i] = s.now
		s.loop(a, b, MiB, 256*KiB)
		s.close(a)
		s.close(b)
		if i != 3 { // the fourth is written over before the device has it
			s.request(trace.ReqWrite, b, 0, MiB, s.now+5*ms, s.now+7*ms)
			s.call(trace.Syscall{Op: trace.OpSync, File: b}, 8*ms)
			safe[i] = s.now
		}
		s.think(10 * ms)
	}
	s.returns()
	s.durable(s.now)
	p := s.profile()
	if len(p.Copies) != len(start) {
		t.Fatalf("%d copies, want %d: %+v", len(p.Copies), len(start), p.Copies)
	}
	for i, c := range p.Copies {
		want, wrote := safe[i]-start[i], int64(MiB)
		if i == 3 {
			want, wrote = profile.Unknown, 0
		}
		if c.DurableNS != want || c.DeviceWriteBytes != wrote {
			t.Errorf("copy %d: durable after %d, want %d; %d bytes written", i, c.DurableNS, want, c.DeviceWriteBytes)
		}
		if read := c.DeviceReadBytes; read != 0 && i > 0 || read != MiB && i == 0 {
			t.Errorf("copy %d: the devices read %d of its source", i, read)
		}
	}
}

// A recorder takes notice of the end of a command a little later. Where nothing was left to write back by then, as it
// lies in memory alone, no time went to that.
func TestEndNoticedLater(t *testing.T) {
	for late, want := range map[int64]int64{0: 0, ms: ms} {
		s := newScene(t, "head")
		f := s.create("/dev/shm/a")
		s.write(f, 0, MiB, 5*ms)
		s.exit(0)
		s.now += 500 * us
		s.end.CommandEnd = s.now
		s.durable(s.now + late)
		var after int64
		for _, l := range s.profile().TimeStack.Slices {
			if l.Label == "draining" {
				after = l.NS
			}
		}
		if late > 0 {
			want += 500 * us
		}
		if after != want {
			t.Errorf("durable %d ns after the end was noticed: %d ns of write-back, want %d", late, after, want)
		}
	}
}
