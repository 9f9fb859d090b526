package analyzer

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// TestAmountsOfRecordings: of every recording, the reasons of each device add up to its requests, to the byte.
func TestAmountsOfRecordings(t *testing.T) {
	list, err := filepath.Glob("../testdata/*.iotrace")
	if err != nil || len(list) == 0 {
		t.Fatal("no recordings:", err)
	}
	for _, path := range list {
		p, err := Analyze(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := requested(t, path)
		if len(want) != len(p.Amounts.Devices) && len(want) > 0 {
			t.Errorf("%s: %d devices, the requests are of %d", path, len(p.Amounts.Devices), len(want))
		}
		for _, d := range p.Amounts.Devices {
			if got := [2]int64{d.Read.Device, d.Write.Device}; len(want) > 0 && got != want[d.Name] {
				t.Errorf("%s, %s: %d bytes were read and written, the requests have %d", path, d.Name, got, want[d.Name])
			}
		}
		whole(t, p)
	}
}

// requested is what the requests of a trace read and wrote, by device.
func requested(t testing.TB, path string) map[string][2]int64 {
	r, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	names, sums := map[trace.DeviceID]string{}, map[string][2]int64{}
	for {
		var b trace.Batch
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			return sums
		} else if err != nil {
			t.Fatal(err)
		}
		for _, d := range b.Devices {
			names[d.ID] = d.Name
		}
		for _, q := range b.Requests {
			name := names[q.Device]
			if name == "" {
				name = world.DeviceNumber(q.Device)
			}
			n := sums[name]
			switch q.Op {
			case trace.ReqRead:
				n[0] += q.Bytes
			case trace.ReqWrite, trace.ReqWriteZeroes:
				n[1] += q.Bytes
			}
			if n != [2]int64{} {
				sums[name] = n
			}
		}
	}
}

// complains is where a test says what is wrong.
type complains interface{ Errorf(string, ...any) }

// whole checks that every byte of requests has one reason.
func whole(t complains, p *profile.Profile) {
	for _, list := range [][]profile.Amount{p.Amounts.Devices, p.Amounts.Filesystems, p.Amounts.Files} {
		for _, a := range list {
			for _, m := range []profile.Moved{a.Read, a.Write} {
				sum := int64(0)
				for _, part := range m.Reasons {
					if sum += part.Bytes; part.Bytes <= 0 {
						t.Errorf("%s: %d bytes %s", a.Name, part.Bytes, part.Code)
					}
				}
				for _, part := range m.Spared {
					if part.Bytes <= 0 {
						t.Errorf("%s: %d bytes %s", a.Name, part.Bytes, part.Code)
					}
				}
				if sum != m.Device {
					t.Errorf("%s: the reasons add up to %d of %d bytes: %v", a.Name, sum, m.Device, m.Reasons)
				}
			}
		}
	}
}

// checkAmounts: what holds for every trace.
func checkAmounts(r *rapid.T, p *profile.Profile) {
	whole(r, p)
	for _, a := range p.Amounts.Devices {
		for _, d := range p.Devices {
			if d.Name != a.Name {
				continue
			}
			read, write := d.Foreign.Read+d.Recorder.Read, d.Foreign.Write+d.Recorder.Write
			if d.Read != nil {
				read += d.Read.Bytes
			}
			if d.Write != nil {
				write += d.Write.Bytes
			}
			if a.Read.Device != read || a.Write.Device < write { // zeroing is no write of the device's flow
				r.Errorf("%s: %d and %d bytes, its requests %d and %d", d.Name, a.Read.Device, a.Write.Device, read, write)
			}
		}
	}
}

// amountOf is what was moved of a file.
func amountOf(t *testing.T, p *profile.Profile, path string) profile.Amount {
	t.Helper()
	for _, a := range p.Amounts.Files {
		if a.Name == path {
			return a
		}
	}
	t.Fatalf("no %s among %+v", path, p.Amounts.Files)
	return profile.Amount{}
}

// parted checks the reasons of one direction.
func parted(t *testing.T, m profile.Moved, want map[string]int64) {
	t.Helper()
	n := 0
	for _, list := range [][]profile.Part{m.Reasons, m.Spared} {
		for _, part := range list {
			if n++; want[part.Code] != part.Bytes {
				t.Errorf("%s: %d bytes, want %d", part.Code, part.Bytes, want[part.Code])
			}
		}
	}
	if n != len(want) {
		t.Errorf("%v and %v, want %v", m.Reasons, m.Spared, want)
	}
}

// TestAmountReadAhead: a program reads one page of a megabyte that was read ahead, another twice, from memory.
func TestAmountReadAhead(t *testing.T) {
	s := newScene(t, "reads")
	a := s.file("/data", 4*MiB)
	s.open(a, trace.FlagRead)
	s.read(a, 0, 4*KiB, ms)
	s.read(a, 4*KiB, 4*KiB, ms)
	s.read(a, 4*KiB, 4*KiB, ms)
	s.request(trace.ReqRead, a, 0, MiB, s.now-3*ms, s.now-2*ms)
	s.returns()
	m := amountOf(t, s.profile(), "/data").Read
	parted(t, m, map[string]int64{profile.Data: 8 * KiB, profile.Readahead: MiB - 8*KiB, profile.Cached: 4 * KiB})
	if m.Factor < 85 || m.Factor > 86 {
		t.Errorf("%v bytes for each", m.Factor)
	}
}

// TestAmountAgain: what a program has dropped, and what memory was too short for, is read again.
func TestAmountAgain(t *testing.T) {
	s := newScene(t, "reads")
	s.header.Calls = append(s.header.Calls, "fadvise64")
	a, b := s.file("/dropped", MiB), s.file("/evicted", MiB)
	for i := range 3 {
		for _, f := range []trace.FileID{a, b} {
			s.request(trace.ReqRead, f, 0, MiB, s.now+us, s.now+ms)
			s.read(f, 0, MiB, 2*ms)
		}
		if i < 2 {
			s.call(trace.Syscall{Op: trace.OpAdvise, Call: 8, File: a, Requested: MiB, Offset2: 4}, us)
		}
	}
	s.read(s.file("/small", 10), 0, 10, us)
	s.returns()
	p := s.profile()
	for _, d := range p.Amounts.Devices {
		if d.Name == "nvme0n1" {
			parted(t, d.Read, map[string]int64{profile.Data: 2 * MiB, profile.AgainDropped: 2 * MiB,
				profile.AgainEvicted: 2 * MiB, profile.Cached: 10})
			return
		}
	}
	t.Errorf("%+v", p.Amounts.Devices)
}

// TestAmountPartial: appended lines that are synced one by one write their block each time, and the journal; a part of
// a page that was not in memory is read first.
func TestAmountPartial(t *testing.T) {
	s := newScene(t, "logs")
	a := s.create("/log")
	for i := range int64(8) {
		s.write(a, i*100, 100, us)
		s.request(trace.ReqWrite, a, 0, 4*KiB, s.now, s.now+ms)
		s.request(trace.ReqWrite, 0, trace.NoOffset, 8*KiB, s.now, s.now+ms).Evidence = trace.EvidenceNone
		s.call(trace.Syscall{Op: trace.OpSync, File: a, Offset: trace.NoOffset}, 2*ms)
	}
	b := s.file("/records", 4*MiB)
	s.request(trace.ReqRead, b, MiB, 4*KiB, s.now+us, s.now+2*us)
	s.write(b, MiB+512, 512, 5*us)
	s.returns()
	p := s.profile()
	parted(t, amountOf(t, p, "/log").Write, map[string]int64{profile.Data: 800, profile.Partial: 32*KiB - 800})
	parted(t, amountOf(t, p, "/records").Read, map[string]int64{profile.ForWriting: 4 * KiB})
	parted(t, amountOf(t, p, "/records").Write, map[string]int64{profile.InMemory: 512})
	if f := p.Amounts.Filesystems; len(f) != 1 || f[0].Write.Of(profile.Metadata) != 64*KiB {
		t.Errorf("%+v", f)
	}
}

// TestAmountZeroes: a file system without holes writes zeroes up to where a program begins; what is deleted or written
// over in memory reaches no device.
func TestAmountZeroes(t *testing.T) {
	s := newScene(t, "far")
	a := s.create("/far")
	s.write(a, 16*MiB, MiB, us)
	s.request(trace.ReqWrite, a, 0, 16*MiB, s.now, s.now+ms)
	s.request(trace.ReqWrite, a, 16*MiB, MiB, s.now, s.now+ms)
	b := s.create("/gone")
	s.write(b, 0, MiB, us)
	s.call(trace.Syscall{Op: trace.OpUnlink, File: b, Offset: trace.NoOffset}, us)
	c := s.create("/over")
	s.write(c, 0, MiB, us)
	s.write(c, 0, MiB, us)
	s.request(trace.ReqWrite, c, 0, MiB, s.now, s.now+ms)
	s.returns()
	p := s.profile()
	parted(t, amountOf(t, p, "/far").Write, map[string]int64{profile.Data: MiB, profile.Zeroes: 16 * MiB})
	parted(t, amountOf(t, p, "/gone").Write, map[string]int64{profile.Deleted: MiB})
	parted(t, amountOf(t, p, "/over").Write, map[string]int64{profile.Data: MiB, profile.Overwritten: MiB})
}

// TestAmountLayers: what a loop device writes is, below it, for the device above; a mirror is no stripe.
func TestAmountLayers(t *testing.T) {
	s := newScene(t, "stacked")
	loop, other := trace.MakeDeviceID(7, 0), trace.MakeDeviceID(7, 1)
	s.device(trace.Device{ID: loop, Name: "loop0", Parents: []trace.DeviceID{nvme}, Backing: "/image"})
	s.device(trace.Device{ID: other, Name: "loop1", Parents: []trace.DeviceID{nvme}, Backing: "/image1"})
	a, b := s.create("/mnt/striped"), s.create("/mnt/mirrored")
	s.write(a, 0, 2*MiB, us)
	s.write(b, 0, MiB, us)
	s.request(trace.ReqWrite, a, 0, MiB, s.now, s.now+ms).Device = loop
	s.request(trace.ReqWrite, a, MiB, MiB, s.now, s.now+ms).Device = other
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms).Device = loop
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms).Device = other
	for range 5 {
		q := s.request(trace.ReqWrite, 0, trace.NoOffset, MiB, s.now, s.now+ms)
		q.Flags, q.Evidence = trace.ReqForeign, trace.EvidenceNone
	}
	s.returns()
	p := s.profile()
	parted(t, amountOf(t, p, "/mnt/mirrored").Write, map[string]int64{profile.Data: MiB, profile.Mirror: MiB})
	for _, d := range p.Amounts.Devices {
		switch d.Name {
		case "nvme0n1":
			parted(t, d.Write, map[string]int64{profile.Above: 4 * MiB, profile.ByOther: MiB})
		case "loop0":
			parted(t, profile.Moved{Reasons: d.Write.Reasons}, map[string]int64{profile.Data: 2 * MiB})
		}
	}
}

// TestAmountDiscarded: what a device was told is free again for the workload is told apart from what was written.
func TestAmountDiscarded(t *testing.T) {
	s := newScene(t, "rm")
	const disk = trace.DeviceID(8 << 20)
	s.device(trace.Device{ID: disk, Name: "sda"})
	for i, q := range []trace.Request{{Op: trace.ReqDiscard, Bytes: MiB}, {Op: trace.ReqDiscard, Bytes: MiB},
		{Op: trace.ReqDiscard, Bytes: 4 * MiB, Flags: trace.ReqForeign}, {Op: trace.ReqWrite, Bytes: 8192}} {
		q.Device, q.Issued, q.Queued, q.Bios, q.PID = disk, s.now, s.now, 1, 100
		q.Completed = s.now + int64(i+1)*ms
		s.put(q.Completed, &q)
	}
	s.now += 10 * ms
	s.returns()
	a := s.profile().Amounts.Devices
	if len(a) != 1 || a[0].Discarded != 2*MiB || a[0].Write.Device != 8192 {
		t.Errorf("%+v", a)
	}
}

// TestAmountCopiedUp: what is written where an overlay writes to, and no call wrote, is a copy of a file below.
func TestAmountCopiedUp(t *testing.T) {
	for path, want := range map[string]string{"/up/d/f": profile.CopyUp, "/work/work/#9": profile.CopyUp,
		"/upper/f": profile.Earlier} {
		s := newScene(t, "chmod")
		const disk = trace.DeviceID(8 << 20)
		s.device(trace.Device{ID: disk, Name: "sda"})
		f := s.identify(trace.File{Path: path, Device: disk, Inode: 9, FSType: "ext4", Mount: "/"})
		s.end.Mounts = []trace.Mount{{Device: 1, Point: "/m", FSType: "overlay",
			Options: "rw,lowerdir=/low,upperdir=/up,workdir=/work"}}
		s.put(s.now+ms, &trace.Request{Op: trace.ReqWrite, Device: disk, Queued: s.now, Issued: s.now, Completed: s.now + ms,
			Bytes: MiB, File: f, Evidence: trace.EvidenceInode, Bios: 1, PID: 100, TID: 100, Owner: 100})
		s.now += 2 * ms
		s.returns()
		a := s.profile().Amounts.Devices
		if len(a) != 1 || a[0].Write.Of(want) != MiB {
			t.Errorf("%s: %+v, want %s", path, a, want)
		}
	}
}

// TestAmountCopiedUpByCall: what a thread reads and writes in a call that changes a file of an overlay is a copy,
// whatever the options of the mount call its layers.
func TestAmountCopiedUpByCall(t *testing.T) {
	s := newScene(t, "chmod")
	const disk = trace.DeviceID(8 << 20)
	s.device(trace.Device{ID: disk, Name: "sda"})
	lower := s.identify(trace.File{Path: "/real/l/f", Device: disk, Inode: 9, FSType: "ext4", Mount: "/real"})
	temporary := s.identify(trace.File{Path: "/real/w/work/#9", Device: disk, Inode: 10, FSType: "ext4", Mount: "/real"})
	own := s.identify(trace.File{Path: "/real/tool", Device: disk, Inode: 11, FSType: "ext4", Mount: "/real"})
	merged := s.identify(trace.File{Path: "/real/m/f", Device: 1, Inode: 9, FSType: "overlay", Mount: "/real/m"})
	s.end.Mounts = []trace.Mount{{Device: 1, Point: "/real/m", FSType: "overlay",
		Options: "rw,lowerdir=l,upperdir=/link/u,workdir=/link/w"}}
	at := func(op trace.ReqOp, f trace.FileID, queued int64) {
		s.put(queued+ms, &trace.Request{Op: op, Device: disk, Queued: queued, Issued: queued, Completed: queued + ms,
			Bytes: MiB, File: f, Evidence: trace.EvidenceInode, Bios: 1, PID: 100, TID: 100, Owner: 100})
	}
	at(trace.ReqRead, own, s.now)
	s.now += 2 * ms
	start := s.now
	s.call(trace.Syscall{Op: trace.OpAttr, File: merged, Offset: trace.NoOffset}, 9*ms)
	at(trace.ReqRead, lower, start+ms)
	at(trace.ReqWrite, temporary, start+3*ms)
	s.returns()
	a := s.profile().Amounts.Devices
	if len(a) != 1 {
		t.Fatalf("%+v", a)
	}
	parted(t, a[0].Read, map[string]int64{profile.CopyUp: MiB, profile.Mapped: MiB})
	parted(t, a[0].Write, map[string]int64{profile.CopyUp: MiB})
}

// TestAmountCopiedUpFromPacked: a lower layer of compressed files is read in requests that name no file. What the
// thread asks for in the call that changes a file is data for the copy, unless it is marked as metadata, or other
// requests of the device name their files.
func TestAmountCopiedUpFromPacked(t *testing.T) {
	for name, c := range map[string]struct {
		op          trace.Op
		tid         uint32
		meta, named bool
		late        int64
		want        string
	}{
		"chmod":             {op: trace.OpAttr, want: profile.CopyUp},
		"open to write":     {op: trace.OpOpen, want: profile.CopyUp},
		"setxattr":          {op: trace.OpXattr, want: profile.CopyUp},
		"fallocate":         {op: trace.OpAllocate, want: profile.CopyUp},
		"stat":              {op: trace.OpStat, want: profile.Metadata},
		"marked":            {op: trace.OpAttr, meta: true, want: profile.Metadata},
		"after it":          {op: trace.OpAttr, late: 20 * ms, want: profile.Metadata},
		"of another thread": {op: trace.OpAttr, tid: 7, want: profile.Metadata},
		"files are named":   {op: trace.OpAttr, named: true, want: profile.Metadata},
	} {
		s := newScene(t, "changes")
		const image = trace.DeviceID(7 << 20)
		s.device(trace.Device{ID: image, Name: "loop0", Backing: "/image"})
		merged := s.identify(trace.File{Path: "/m/f", Device: 1, Inode: 9, FSType: "overlay", Mount: "/m"})
		lower := s.identify(trace.File{Path: "/l/f", Device: image, Inode: 9, FSType: "ext4", Mount: "/l"})
		at := func(f trace.FileID, queued int64) *trace.Request {
			q := &trace.Request{Op: trace.ReqRead, Device: image, Queued: queued, Issued: queued, Completed: queued + ms,
				Bytes: MiB, File: f, Offset: trace.NoOffset, Bios: 1, PID: 100, TID: cmp.Or(c.tid, 100), Owner: 100}
			s.put(queued+ms, q)
			return q
		}
		start := s.now
		s.call(trace.Syscall{Op: c.op, File: merged, Offset: trace.NoOffset}, 9*ms)
		if q := at(0, start+2*ms+c.late); c.meta {
			q.Flags = trace.ReqMeta
		}
		want := map[string]int64{c.want: MiB}
		if c.named {
			at(lower, start+5*ms).Evidence = trace.EvidenceInode
			want[profile.CopyUp] = MiB
		}
		s.now += 50 * ms
		s.returns()
		a := s.profile().Amounts.Devices
		if len(a) != 1 {
			t.Fatalf("%s: %+v", name, a)
		}
		t.Run(name, func(t *testing.T) { parted(t, a[0].Read, want) })
	}
}

// TestAmountCompressed: a file of btrfs is read as it lies there, compressed in part and with a hole; another one was
// written over in memory, which is no compression.
func TestAmountCompressed(t *testing.T) {
	s := newScene(t, "reads")
	btrfs := func(path string, size int64) trace.FileID {
		return s.identify(trace.File{Path: path, Device: nvme, Inode: uint64(size), Size: size, FSType: "btrfs", Mount: "/"})
	}
	a, b := btrfs("/packed", MiB+1), btrfs("/over", MiB)
	for i := range int64(4) {
		s.request(trace.ReqRead, a, i*128*KiB, 8*KiB, s.now+us, s.now+ms).Flags |= trace.ReqPacked
	}
	s.call(trace.Syscall{Op: trace.OpRead, File: a, Requested: MiB, Result: MiB, Filled: MiB}, 2*ms)
	s.write(b, 0, MiB, us)
	s.write(b, 0, MiB, us)
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.returns()
	p := s.profile()
	m := amountOf(t, p, "/packed").Read
	parted(t, m, map[string]int64{profile.Data: 32 * KiB, profile.Compressed: 480 * KiB, profile.Holes: 512 * KiB})
	if m.Packed != 32*KiB {
		t.Errorf("%d bytes were compressed", m.Packed)
	}
	parted(t, amountOf(t, p, "/over").Write, map[string]int64{profile.Data: MiB, profile.Overwritten: MiB})
}

// TestAmountDroppedByOthers: where the kernel took nothing out of memory, what is read again was dropped by somebody.
func TestAmountDroppedByOthers(t *testing.T) {
	none, much := int64(0), int64(8*MiB)
	for _, c := range []struct {
		end  trace.End
		want string
	}{
		{trace.End{Reclaimed: &none}, profile.AgainDropped}, {trace.End{Reclaimed: &much}, profile.AgainEvicted},
		{trace.End{}, profile.AgainEvicted}, {trace.End{CacheDrops: 1}, profile.AgainDropped},
		{trace.End{CacheDrops: 1, Reclaimed: &much}, profile.AgainEvicted},
	} {
		s := newScene(t, "reads")
		s.end.Reclaimed, s.end.CacheDrops = c.end.Reclaimed, c.end.CacheDrops
		f := s.file("/again", 4*MiB)
		for range 2 {
			s.request(trace.ReqRead, f, 0, 4*MiB, s.now+us, s.now+ms)
			s.read(f, 0, 4*MiB, 2*ms)
		}
		s.returns()
		if a := s.profile().Amounts.Devices; len(a) != 1 || a[0].Read.Of(c.want) != 4*MiB {
			t.Errorf("%+v: %+v, want %s", c.end, a, c.want)
		}
	}
}

// TestAmountInline: files that lie with the metadata of btrfs belong to the device that it is mounted from.
func TestAmountInline(t *testing.T) {
	s := newScene(t, "small")
	const disk, system = trace.DeviceID(8 << 20), trace.DeviceID(40)
	s.device(trace.Device{ID: disk, Name: "sda"})
	s.end.Mounts = []trace.Mount{{Device: system, Disk: disk, Point: "/m", FSType: "btrfs"}}
	f := s.identify(trace.File{Path: "/m/f", Device: system, Inode: 9, Size: 700, FSType: "btrfs", Mount: "/m"})
	s.put(s.now+ms, &trace.Request{Op: trace.ReqRead, Device: disk, Queued: s.now, Issued: s.now, Completed: s.now + ms,
		Bytes: 16 * KiB, Offset: trace.NoOffset, Bios: 1, PID: 100, TID: 100, Owner: 100})
	s.call(trace.Syscall{Op: trace.OpRead, File: f, Requested: 4 * KiB, Result: 700, Filled: 4 * KiB}, 2*ms)
	s.returns()
	a := s.profile().Amounts.Devices
	if len(a) != 1 || a[0].Name != "sda" || a[0].Read.Moved != 700 {
		t.Fatalf("%+v", a)
	}
	parted(t, a[0].Read, map[string]int64{profile.Metadata: 16 * KiB, profile.Inline: 700})
}
