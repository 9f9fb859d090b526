package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// unnamed is a request that names no file, at the time of the scene.
func (s *scene) unnamed(n, issued, completed int64) {
	r := s.request(trace.ReqRead, 0, trace.NoOffset, n, issued, completed)
	r.Evidence = trace.EvidenceNone
}

// A file system of compressed files reads into memory that is no file's. What the thread asks for in a call is data,
// what it asks for in a page fault is mapped, also before it begins to wait there; the rest is metadata. So it is on a
// partition, whose requests are its disk's, and for each type of such a file system, but for no other.
func TestPackedReads(t *testing.T) {
	const packed, directory = 40 * KiB, 4 * KiB
	for _, test := range []struct {
		fsType             string
		data, mapped, meta int64
	}{
		{"squashfs", packed, 3 * packed, directory},
		{"erofs", packed, 3 * packed, directory},
		{"cramfs", packed, 3 * packed, directory},
		{"ext4", 0, 0, 4*packed + directory},
	} {
		s := newScene(t, "reads")
		file := func(path string, inode uint64) trace.FileID {
			return s.identify(trace.File{Path: path, Device: ext4, Inode: inode, Size: MiB, FSType: test.fsType, Mount: "/m"})
		}
		a, b := file("/m/a", 7), file("/m/b", 8)
		s.unnamed(directory, s.now+20*us, s.now+90*us)
		s.call(trace.Syscall{Op: trace.OpOpen, Call: 4, File: a, Offset: trace.NoOffset, Flags: trace.FlagRead}, 100*us)
		s.unnamed(packed, s.now+20*us, s.now+90*us)
		s.call(trace.Syscall{Op: trace.OpRead, File: a, Requested: 128 * KiB, Result: 128 * KiB, Flags: trace.FlagRead,
			Filled: 128 * KiB}, 100*us)
		for range 3 { // the first request of a page fault is within it, the others before it is known to wait again
			s.unnamed(packed, s.now+10*us, s.now+90*us)
			s.put(s.now+100*us, &trace.Fault{Start: s.now + 15*us, Duration: 85 * us, PID: s.pid, TID: s.tid, File: b,
				Filled: 128 * KiB})
			s.now += 100 * us
		}
		s.returns()
		p := s.profile()
		m := &p.Amounts.Devices[0].Read
		if m.Of(profile.Data) != test.data || m.Of(profile.Mapped) != test.mapped || m.Of(profile.Metadata) != test.meta {
			t.Errorf("%s: %+v", test.fsType, m)
		}
		if want := int64(88 * KiB); test.data > 0 && m.Of(profile.Compressed) != want {
			t.Errorf("%s: compression saved %d bytes of %d, want %d", test.fsType, m.Of(profile.Compressed), m.Moved, want)
		}
		whole(t, p)
	}
}

// What a thread asks for in vain, or another one meanwhile, is not of the file that it reads.
func TestPackedReadsOfOthers(t *testing.T) {
	s := newScene(t, "reads")
	a := s.identify(trace.File{Path: "/m/a", Device: ext4, Inode: 7, Size: MiB, FSType: "squashfs", Mount: "/m"})
	s.read(a, 0, 4*KiB, 50*us)
	s.unnamed(8*KiB, s.now+20*us, s.now+90*us) // after the call, and nothing waits for it
	s.now += 200 * us
	r := s.request(trace.ReqRead, 0, trace.NoOffset, 16*KiB, s.now+10*us, s.now+40*us)
	r.TID, r.Evidence = 101, trace.EvidenceNone
	s.read(a, 4*KiB, 4*KiB, 50*us)
	s.returns()
	p := s.profile()
	if m := &p.Amounts.Devices[0].Read; m.Of(profile.Metadata) != 24*KiB {
		t.Errorf("%+v", m)
	}
	whole(t, p)
}

// A thread may ask for more than is kept until it is known what for, as one does that reads directories alone. All of
// it counts, once.
func TestPackedReadsOfNoFile(t *testing.T) {
	const asks = 1000
	s := newScene(t, "finds")
	a := s.identify(trace.File{Path: "/m/a", Device: ext4, Inode: 7, Size: MiB, FSType: "squashfs", Mount: "/m"})
	s.read(a, 0, 4*KiB, 50*us)
	for range asks {
		s.now += 200 * us
		s.unnamed(8*KiB, s.now+20*us, s.now+90*us)
	}
	s.now += 200 * us
	s.returns()
	p := s.profile()
	if m := &p.Amounts.Devices[0].Read; m.Of(profile.Metadata) != asks*8*KiB {
		t.Errorf("%+v", m)
	}
	whole(t, p)
}
