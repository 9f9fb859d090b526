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
	m.call(trace.Syscall{Op: trace.OpWrite, Call: 1, FD: m.fd(f), File: f, Offset: at, Requested: n, Result: n,
		Buffer: buffer}, us)
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
			if same && (c.Certainty != "likely" || c.Source[len("/src/"):] != c.Destination[len("/dst/"):]) || !same &&
				(c.Certainty != "same_size" || c.Rivals == 0) {
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
			s.call(trace.Syscall{Op: trace.OpRead, FD: fd, File: a, Offset: at, Requested: 128 * KiB, Result: 128 * KiB,
				Buffer: buffer}, us)
			s.call(trace.Syscall{Op: trace.OpWrite, Call: 1, FD: 30 + fd, File: to, Offset: at, Requested: 128 * KiB,
				Result: 128 * KiB, Buffer: buffer}, us)
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
			s.end.Contents = []trace.Content{{File: a, Size: MiB, Changed: -1, Sum: 7},
				{File: b, Size: MiB, Changed: s.now, Sum: 7}}
		}
		want := map[bool]string{true: "checked", false: "same_size"}[sampled]
		if c := one(t, s.finish()); c.Certainty != want {
			t.Errorf("sampled %v: %s", sampled, c.Certainty)
		}
	}
}

// TestSourceInMemory: what never lies on a drive, a file of tmpfs or one of memfd_create, does not get faster or slower
// with caches.
func TestSourceInMemory(t *testing.T) {
	for _, source := range []trace.File{
		{Path: "/dev/shm/a", Inode: 9},
		{Path: "/memfd:a", Inode: 10, Flags: trace.FileUnlinked},
	} {
		s := newScene(t, "cp")
		source.Device, source.Size, source.FSType = trace.MakeDeviceID(0, 30), 2*MiB, "tmpfs"
		a := s.identify(source)
		s.open(a, trace.FlagRead)
		b := s.create("/dst/a")
		s.loop(a, b, 2*MiB, 256*KiB)
		p := s.finish(a, b)
		if c := one(t, p); c.CacheHitShare != -1 {
			t.Errorf("%s: share from the cache: %g", source.Path, c.CacheHitShare)
		}
		if text := said(p, "source_cached"); text != "" {
			t.Errorf("%s: %s", source.Path, text)
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
		s.call(trace.Syscall{Op: trace.OpMmap, File: f, FD: 9, Requested: 2 * MiB, Flags: flags | trace.FlagRead,
			Buffer: 0x7f0000000000}, us)
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
		if c := one(t, s.finish()); c.Method != "mmap" || c.Certainty != "traced" || c.Bytes != 2*MiB ||
			c.Source != "/src/a" || c.Destination != "/dst/b" {
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

// TestMovedInMemory: a program moves what it could not write yet to the front of
// its buffer. What had been read there before is no longer what is written.
func TestMovedInMemory(t *testing.T) {
	const buffer, block, some = uint64(0x7f0000000000), 128 * KiB, 51 * KiB
	m := moving(newScene(t, "pv"))
	a, b := m.file("/d/a", 3*block), m.create("/d/b")
	m.into(a, 0, block, buffer)
	m.from(b, 0, some, buffer) // and moves the rest
	m.into(a, block, some, buffer+uint64(block-some))
	m.from(b, some, block, buffer)
	m.into(a, block+some, 2*block-some, buffer)
	m.from(b, block+some, 2*block-some, buffer)
	m.done(a, b)
	if c := one(t, m.finish()); c.Bytes != 3*block || c.SourceAt != 0 || c.DestAt != 0 {
		t.Errorf("%d bytes from %d to %d", c.Bytes, c.SourceAt, c.DestAt)
	}
}
