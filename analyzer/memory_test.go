package analyzer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// moves reads n bytes into memory and writes them from there, by descriptors of
// their own.
type moves struct {
	*scene
	fds map[trace.FileID]int32
}

func moving(s *scene) *moves { return &moves{s, map[trace.FileID]int32{}} }

func (m *moves) fd(f trace.FileID) int32 {
	if m.fds[f] == 0 {
		m.fds[f] = int32(10 + len(m.fds))
	}
	return m.fds[f]
}

func (m *moves) into(f trace.FileID, at, n int64, buffer uint64) {
	m.call(trace.Syscall{Op: trace.OpRead, FD: m.fd(f), File: f, Offset: at, Requested: n, Result: n, Buffer: buffer}, us)
}

func (m *moves) from(f trace.FileID, at, n int64, buffer uint64) {
	m.call(trace.Syscall{Op: trace.OpWrite, Call: 1, FD: m.fd(f), File: f, Offset: at, Requested: n, Result: n, Buffer: buffer}, us)
	m.size[f] = max(m.size[f], at+n)
}

func (m *moves) done(files ...trace.FileID) {
	for _, f := range files {
		m.call(trace.Syscall{Op: trace.OpClose, Call: 5, FD: m.fd(f), File: f, Offset: trace.NoOffset}, us)
	}
}

// TestManyFilesAtOnce copies sixteen files of equal blocks, all reads before all
// writes: only the buffers tell them apart, and the names would mislead. The
// last block of each is written from memory that held another file's before.
func TestManyFilesAtOnce(t *testing.T) {
	const files, block, tail = 16, int64(64 << 10), int64(1000)
	m := moving(newScene(t, "node"))
	var from, to []trace.FileID
	for i := range files {
		from = append(from, m.file(fmt.Sprintf("/src/f%d", i), 2*block+tail))
		to = append(to, m.create(fmt.Sprintf("/dst/f%d", (i+3)%files)))
	}
	buffer := func(i int, at int64) uint64 { return 0x10000000 + uint64(i)*0x100000 + uint64(at) }
	for at := int64(0); at < 2*block; at += block {
		for i, f := range from {
			m.into(f, at, block, buffer(i, at))
		}
		for i, f := range to {
			m.from(f, at, block, buffer(i, at))
		}
	}
	for i, f := range from {
		m.into(f, 2*block, tail, 0x40000000+uint64(i)*0x10000)
	}
	for i, f := range to {
		m.from(f, 2*block, tail, buffer((i+5)%files, 0))
	}
	m.done(from...)
	m.done(to...)
	p := m.finish()
	if len(p.Copies) != files {
		t.Fatalf("%d copies, want %d", len(p.Copies), files)
	}
	for _, c := range p.Copies {
		var i, k int
		fmt.Sscanf(c.Source, "/src/f%d", &i)
		fmt.Sscanf(c.Destination, "/dst/f%d", &k)
		if k != (i+3)%files || c.Bytes != 2*block+tail || c.Certainty != "traced" || c.Evidence != "memory" {
			t.Errorf("%s → %s, %d bytes, %s", c.Source, c.Destination, c.Bytes, c.Certainty)
		}
	}
}

// TestEqualFilesWithoutMemory: where nothing tells files apart, none is named as
// a finding; names do.
func TestEqualFilesWithoutMemory(t *testing.T) {
	for _, same := range []bool{false, true} {
		s := newScene(t, "pool")
		var from, to []trace.FileID
		for i := range 4 {
			from = append(from, s.file(fmt.Sprintf("/src/f%d", i), MiB))
			name := fmt.Sprintf("/dst/g%d", 3-i)
			if same {
				name = fmt.Sprintf("/dst/f%d", i)
			}
			to = append(to, s.create(name))
		}
		for at := int64(0); at < MiB; at += 256 * KiB {
			for _, f := range from {
				s.read(f, at, 256*KiB, us)
			}
			for _, f := range to {
				s.write(f, at, 256*KiB, us)
			}
		}
		p := s.finish(append(from, to...)...)
		for _, c := range p.Copies {
			if same && (c.Certainty != "likely" || c.Source[len("/src/"):] != c.Destination[len("/dst/"):]) || !same && (c.Certainty != "same_size" || c.Rivals == 0) {
				t.Errorf("same names %v: %s → %s, %s, %d rivals", same, c.Source, c.Destination, c.Certainty, c.Rivals)
			}
		}
		if same && len(p.Copies) != 4 {
			t.Errorf("%d copies, want 4", len(p.Copies))
		}
	}
}

// TestThreadsOfOneSource: two descriptors of one file are two copies.
func TestThreadsOfOneSource(t *testing.T) {
	s := newScene(t, "threads")
	a, b, c := s.file("/a", MiB), s.create("/b"), s.create("/c")
	for at := int64(0); at < MiB; at += 128 * KiB {
		for k, to := range []trace.FileID{b, c} {
			fd, buffer := int32(20+k), 0x1000000*uint64(k+1)
			s.call(trace.Syscall{Op: trace.OpRead, FD: fd, File: a, Offset: at, Requested: 128 * KiB, Result: 128 * KiB, Buffer: buffer}, us)
			s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, FD: 30 + fd, File: to, Offset: at, Requested: 128 * KiB, Result: 128 * KiB, Buffer: buffer}, us)
		}
	}
	p := s.finish()
	if len(p.Copies) != 2 || p.Copies[0].Bytes != MiB || p.Copies[1].Bytes != MiB || p.Copies[0].Certainty != "traced" {
		t.Errorf("%+v", p.Copies)
	}
}

// TestHeadersOfLibraries: a file of as many bytes as somebody read of a library
// is no copy of it.
func TestHeadersOfLibraries(t *testing.T) {
	m := moving(newScene(t, "tar"))
	lib, archive := m.file("/lib/libc.so.6", 2*MiB), m.file("/a.tar", 20*KiB)
	m.into(lib, 0, 832, 0x7ff00000)
	m.done(lib)
	m.into(archive, 0, 10*KiB, 0x500000)
	for i := range int64(3) {
		f := m.create(fmt.Sprintf("/x/s%d", i))
		m.from(f, 0, 832, 0x500000+512+uint64(i)*1536)
		m.done(f)
	}
	if p := m.finish(); len(p.Copies) != 0 {
		t.Errorf("%+v", p.Copies)
	}
}

// TestPassedOnBySize: a filter that passes on as many bytes as it reads, from
// other memory, is of the same size, not a copy.
func TestPassedOnBySize(t *testing.T) {
	s := newScene(t, "sh")
	a, pipe := s.file("/src/a", MiB), s.pipe(99)
	s.act(102)
	b := s.create("/dst/b")
	for at := int64(0); at < MiB; at += 64 * KiB {
		m := moving(s)
		s.act(101)
		m.into(a, at, 64*KiB, 0x100000)
		m.from(pipe, trace.NoOffset, 64*KiB, 0x200000)
		s.act(102)
		m.into(pipe, trace.NoOffset, 64*KiB, 0x300000)
		m.from(b, at, 64*KiB, 0x300000)
	}
	s.act(100)
	for _, c := range s.finish().Copies {
		if c.Certainty != "same_size" {
			t.Errorf("%s → %s is called %s", c.Source, c.Destination, c.Certainty)
		}
	}
}

// looked is a copy by a loop after which both files were sampled.
func looked(t *testing.T, change func(*trace.Content)) *profile.Profile {
	s, a, b := copying(t, MiB)
	m := moving(s)
	for at := int64(0); at < MiB; at += 64 * KiB {
		m.into(a, at, 64*KiB, 0x100000)
		m.from(b, at, 64*KiB, 0x100000)
	}
	m.done(a, b)
	end := s.now
	x, y := trace.Content{File: a, Size: MiB, Changed: -1, Sum: 7}, trace.Content{File: b, Size: MiB, Changed: end, Sum: 7}
	change(&y)
	s.end.Contents = []trace.Content{x, y}
	return s.finish()
}

// TestContents: what is the same is checked, what is not is no copy, and what
// was changed afterwards says nothing.
func TestContents(t *testing.T) {
	if c := one(t, looked(t, func(*trace.Content) {})); !c.Checked || c.Certainty != "traced" {
		t.Errorf("the same: %+v", c)
	}
	if p := looked(t, func(c *trace.Content) { c.Sum = 8 }); len(p.Copies) != 0 {
		t.Errorf("translated on the way: %+v", p.Copies)
	}
	if c := one(t, looked(t, func(c *trace.Content) { c.Sum, c.Changed = 8, c.Changed+1e9 })); c.Checked {
		t.Errorf("changed later: %+v", c)
	}
}

// TestThroughOwnBuffers: a program that copies in memory is a finding once the
// contents were compared.
func TestThroughOwnBuffers(t *testing.T) {
	for _, sampled := range []bool{false, true} {
		s, a, b := copying(t, MiB)
		m := moving(s)
		for at := int64(0); at < MiB; at += 64 * KiB {
			m.into(a, at, 64*KiB, 0x100000)
			m.from(b, at, 64*KiB, 0x900000)
		}
		m.done(a, b)
		if sampled {
			s.end.Contents = []trace.Content{{File: a, Size: MiB, Changed: -1, Sum: 7}, {File: b, Size: MiB, Changed: s.now, Sum: 7}}
		}
		want := map[bool]string{true: "checked", false: "same_size"}[sampled]
		if c := one(t, s.finish()); c.Certainty != want {
			t.Errorf("sampled %v: %s", sampled, c.Certainty)
		}
	}
}

// TestBrokenOff: what a killed program had written is a copy so far.
func TestBrokenOff(t *testing.T) {
	s, a, b := copying(t, 4*MiB)
	for at := int64(0); at < MiB; at += 128 * KiB {
		s.read(a, at, 128*KiB, us)
		s.write(b, at, 128*KiB, us)
	}
	s.read(a, MiB, 128*KiB, us)
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExit, PID: s.pid, TID: s.pid, Status: 9})
	s.end.CommandEnd, s.end.Duration = s.now, s.now
	if c := one(t, s.profile()); !c.Interrupted || c.Bytes != MiB || c.Share != .25 {
		t.Errorf("killed: %+v", c)
	}
	s, a, b = copying(t, 4*MiB)
	s.read(a, 0, MiB, us)
	s.write(b, 0, MiB, us)
	s.read(a, MiB, MiB, us)
	s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, File: b, Offset: MiB, Requested: MiB, Result: -28}, us)
	if c := one(t, s.finish(a, b)); !c.Interrupted || c.Bytes != MiB {
		t.Errorf("no space: %+v", c)
	}
}

// TestParts: two processes that copy half each have a time and requests of
// their own.
func TestParts(t *testing.T) {
	s, a, b := copying(t, 2*MiB)
	half := func(from int64) {
		s.read(a, from, MiB, 10*us)
		s.write(b, from, MiB, 10*us)
	}
	half(0)
	s.think(50 * ms)
	s.act(101)
	half(MiB)
	s.act(100)
	s.returns()
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.request(trace.ReqWrite, b, MiB, MiB, s.now+ms, s.now+9*ms)
	s.durable(s.now + 9*ms)
	p := s.profile()
	if len(p.Copies) != 2 {
		t.Fatalf("%+v", p.Copies)
	}
	for i, c := range p.Copies {
		if c.Bytes != MiB || c.DestAt != int64(i)*MiB || c.WallNS != 20*us || c.DeviceWriteBytes != MiB || c.HoleBytes != 0 || c.Share != .5 {
			t.Errorf("part %d: %+v", i, c)
		}
	}
	if p.Copies[0].DurableNS >= p.Copies[1].DurableNS+50*ms {
		t.Errorf("durable after %d and %d", p.Copies[0].DurableNS, p.Copies[1].DurableNS)
	}
}

// TestReplacedBeforeItWasWritten: data that was overwritten in memory never was
// on the device.
func TestReplacedBeforeItWasWritten(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 256*KiB)
	s.close(b)
	s.act(101)
	s.write(b, 0, MiB, us)
	s.act(100)
	s.returns()
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.durable(s.now + ms)
	c := one(t, s.profile())
	if c.DurableNS != profile.Unknown || fmt.Sprint(c.Marks) != "[replaced]" {
		t.Errorf("durable after %d, marks %v", c.DurableNS, c.Marks)
	}
}

// TestDeviceBytesMissing: a copy cannot be on the device with fewer bytes than
// it has.
func TestDeviceBytesMissing(t *testing.T) {
	s, a, b := copying(t, 4*MiB)
	s.loop(a, b, 4*MiB, MiB)
	s.returns()
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.durable(s.now + ms)
	p := s.profile()
	if c := one(t, p); fmt.Sprint(c.Marks) != "[device_bytes_missing]" || len(p.Warnings) != 1 {
		t.Errorf("marks %v, warnings %+v", c.Marks, p.Warnings)
	}
}

// TestNamesAtTheEnd: a tree that was renamed after the copy, a directory that the
// workload made, a file made without a name, and two names of one file.
func TestNamesAtTheEnd(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 256*KiB)
	s.rename(s.name("/dst"), s.name("/new"))
	if p := s.finish(a, b); len(p.Copies) == 0 || p.Copies[0].Destination != "/new/b" {
		t.Errorf("renamed tree: %+v", p.Copies)
	}

	s = newScene(t, "sh")
	d := s.name("/d")
	s.call(trace.Syscall{Op: trace.OpMkdir, File: d, Offset: trace.NoOffset}, us)
	s.write(s.create("/d/f"), 0, 1, us)
	s.rename(d, s.name("/e"))
	if p := s.finish(); len(p.Copies) != 0 {
		t.Errorf("a directory of its own: %+v", p.Copies)
	}

	s = newScene(t, "python3")
	a = s.file("/src/a", MiB)
	b = s.identify(trace.File{Path: "/dst/#77", Device: ext4, Inode: 77, FSType: "ext4", Flags: trace.FileUnlinked})
	s.call(trace.Syscall{Op: trace.OpOpen, Call: 4, File: b, FD: 4, Flags: trace.FlagWrite, Result: 4, Offset: trace.NoOffset}, us)
	s.loop(a, b, MiB, 256*KiB)
	s.call(trace.Syscall{Op: trace.OpLink, File: s.name("/proc/self/fd/4"), File2: s.name("/dst/b"), Offset: trace.NoOffset}, us)
	if c := one(t, s.finish()); c.Source != "/src/a" || c.Destination != "/dst/b" {
		t.Errorf("a file without a name: %s → %s", c.Source, c.Destination)
	}

	s = newScene(t, "cp")
	a = s.file("/src/a", MiB)
	a2, b2 := s.again(a, "/src/a2"), s.create("/dst/b")
	s.loop(a, b2, MiB, 256*KiB)
	s.close(a)
	c2 := s.create("/dst/c")
	s.loop(a2, c2, MiB, 256*KiB)
	p := s.finish(a2, b2, c2)
	if len(p.Copies) != 2 || p.Copies[0].Source != "/src/a" || p.Copies[1].Source != "/src/a2" {
		t.Errorf("hard links: %+v", p.Copies)
	}
}

// TestSourceInMemory: what never lies on a drive does not get faster or slower
// with caches.
func TestSourceInMemory(t *testing.T) {
	s := newScene(t, "cp")
	a := s.identify(trace.File{Path: "/dev/shm/a", Device: trace.MakeDeviceID(0, 30), Inode: 9, Size: 2 * MiB, FSType: "tmpfs"})
	s.open(a, trace.FlagRead)
	b := s.create("/dst/a")
	s.loop(a, b, 2*MiB, 256*KiB)
	p := s.finish(a, b)
	if c := one(t, p); c.CacheHitShare != -1 {
		t.Errorf("share from the cache: %g", c.CacheHitShare)
	}
	for _, o := range p.Observations {
		if o.Code == "source_cached" {
			t.Error(o.Text)
		}
	}
}

// TestRangesAreNoSyncs: sync_file_range makes nothing durable.
func TestRangesAreNoSyncs(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 256*KiB)
	for range 5 {
		s.call(trace.Syscall{Op: trace.OpSyncRange, File: b, Offset: 0, Requested: MiB}, us)
	}
	s.call(trace.Syscall{Op: trace.OpSync, File: b, Offset: trace.NoOffset}, us)
	if c := one(t, s.finish(a, b)); c.Syncs != 1 {
		t.Errorf("%d syncs, want 1", c.Syncs)
	}
}

// TestMappedMemory: what is written from a mapping, or read into one, is known
// byte by byte.
func TestMappedMemory(t *testing.T) {
	mmap := func(s *scene, f trace.FileID, flags trace.IOFlags) {
		s.call(trace.Syscall{Op: trace.OpMmap, File: f, FD: 9, Requested: 2 * MiB, Flags: flags | trace.FlagRead, Buffer: 0x7f0000000000}, us)
	}
	for _, into := range []bool{false, true} {
		s, a, b := copying(t, 2*MiB)
		m := moving(s)
		if into {
			s.call(trace.Syscall{Op: trace.OpTruncate, File: b, Requested: 2 * MiB}, us)
			mmap(s, b, trace.FlagShared|trace.FlagWrite)
		} else {
			mmap(s, a, trace.FlagShared)
		}
		for at := int64(0); at < 2*MiB; at += 512 * KiB {
			if into {
				m.into(a, at, 512*KiB, 0x7f0000000000+uint64(at))
			} else {
				m.from(b, at, 512*KiB, 0x7f0000000000+uint64(at))
			}
		}
		m.done(a, b)
		if c := one(t, s.finish()); c.Method != "mmap" || c.Certainty != "traced" || c.Bytes != 2*MiB || c.Source != "/src/a" || c.Destination != "/dst/b" {
			t.Errorf("into a mapping: %v; %+v", into, c)
		}
	}
	s := newScene(t, "sh") // a few bytes of a library that somebody mapped
	lib, log := s.file("/lib/libc.so.6", 2*MiB), s.create("/var/log")
	mmap(s, lib, 0)
	moving(s).from(log, 0, 20, 0x7f0000001000)
	if p := s.finish(lib, log); len(p.Copies) != 0 {
		t.Errorf("%+v", p.Copies)
	}
}
