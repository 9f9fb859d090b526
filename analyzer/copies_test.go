package analyzer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// one returns the only copy of a profile.
func one(t *testing.T, p *profile.Profile) profile.Copy {
	t.Helper()
	if len(p.Copies) != 1 {
		t.Fatalf("%d copies, want 1: %+v", len(p.Copies), p.Copies)
	}
	return p.Copies[0]
}

// copying makes a scene with a source of n bytes and an empty destination, both
// open.
func copying(t *testing.T, n int64) (s *scene, a, b trace.FileID) {
	s = newScene(t, "copier", "a", "b")
	a = s.file("/src/a", n)
	s.open(a, trace.FlagRead)
	b = s.create("/dst/b")
	return s, a, b
}

// loop copies n bytes by reads and writes of a block.
func (s *scene) loop(a, b trace.FileID, n, block int64) {
	for at := int64(0); at < n; at += block {
		s.read(a, at, min(block, n-at), 20*us)
		s.write(b, at, min(block, n-at), 30*us)
	}
}

func (s *scene) finish(files ...trace.FileID) *profile.Profile {
	s.t.Helper()
	for _, f := range files {
		s.close(f)
	}
	s.returns()
	return s.profile()
}

func TestReadWriteLoop(t *testing.T) {
	s, a, b := copying(t, 10*MiB+77)
	s.loop(a, b, 10*MiB+77, 128*KiB)
	c := one(t, s.finish(a, b))
	if c.Method != "read_write" || c.Evidence != "flow" || c.Bytes != 10*MiB+77 || c.BufferBytes != 128*KiB ||
		c.Source != "/src/a" || c.Destination != "/dst/b" {
		t.Errorf("%+v", c)
	}
	if c.Threads != 1 || c.ReadShare < .39 || c.ReadShare > .41 || c.WriteShare < .59 || c.OverlapShare != 0 ||
		c.ThinkShare > .001 {
		t.Errorf("threads %d, reading %g, writing %g, both %g, neither %g", c.Threads, c.ReadShare, c.WriteShare,
			c.OverlapShare, c.ThinkShare)
	}
}

func TestThinkTime(t *testing.T) {
	s, a, b := copying(t, 4*MiB)
	for at := int64(0); at < 4*MiB; at += 128 * KiB {
		s.read(a, at, 128*KiB, 20*us)
		s.think(10 * us)
		s.write(b, at, 128*KiB, 30*us)
		s.think(40 * us)
	}
	c := one(t, s.finish(a, b))
	if c.Think.Count != 63 || c.Think.Min != 10*us || c.Think.Max != 40*us || c.ThinkShare < .48 || c.ThinkShare > .52 {
		t.Errorf("think time: %+v, share %g", c.Think, c.ThinkShare)
	}
}

func TestOtherReadsDoNotConfuse(t *testing.T) {
	s := newScene(t, "cp")
	lib, locale := s.file("/lib/libc.so", 2*MiB), s.file("/etc/locale.alias", 2996)
	s.read(lib, 0, 832, us)
	s.read(locale, 0, 2996, us)
	s.read(locale, 2996, 0, us)
	a := s.file("/src/a", 100)
	s.open(a, trace.FlagRead)
	b := s.create("/dst/a")
	s.read(a, 0, 100, us)
	s.write(b, 0, 100, us)
	if c := one(t, s.finish(a, b)); c.Bytes != 100 || c.Source != "/src/a" {
		t.Errorf("%+v", c)
	}
}

func TestWholeFileAtOnce(t *testing.T) {
	s, a, b := copying(t, 3*MiB)
	for at := int64(0); at < 3*MiB; at += 64 * KiB {
		s.read(a, at, 64*KiB, us)
	}
	s.write(b, 0, 3*MiB, ms)
	if c := one(t, s.finish(a, b)); c.Bytes != 3*MiB || c.BufferBytes != 64*KiB {
		t.Errorf("%+v", c)
	}
}

// TestMethods: each way of copying has its name.
func TestMethods(t *testing.T) {
	const n = 2 * MiB
	for _, c := range []struct {
		method profile.Method
		copy   func(s *scene, a, b trace.FileID)
	}{
		{"pread_pwrite", func(s *scene, a, b trace.FileID) {
			for at := int64(0); at < n; at += MiB {
				s.call(trace.Syscall{Op: trace.OpRead, Call: 2, File: a, Offset: at, Requested: MiB, Result: MiB,
					Flags: trace.FlagPositioned}, us)
				s.call(trace.Syscall{Op: trace.OpWrite, Call: 3, File: b, Offset: at, Requested: MiB, Result: MiB,
					Flags: trace.FlagPositioned}, us)
			}
		}},
		{"copy_file_range", func(s *scene, a, b trace.FileID) {
			s.call(trace.Syscall{Op: trace.OpCopyRange, Call: 7, File: a, File2: b, Requested: 1 << 62, Result: n, Filled: n},
				ms)
		}},
		{"sendfile", func(s *scene, a, b trace.FileID) {
			s.call(trace.Syscall{Op: trace.OpSendfile, File: a, File2: b, Requested: n, Result: n}, ms)
		}},
		{"reflink", func(s *scene, a, b trace.FileID) {
			s.call(trace.Syscall{Op: trace.OpClone, File: a, File2: b}, ms)
		}},
		{"splice", func(s *scene, a, b trace.FileID) {
			pipe := s.pipe(7)
			for at := int64(0); at < n; at += 64 * KiB {
				s.call(trace.Syscall{Op: trace.OpSplice, File: a, File2: pipe, Offset: at, Offset2: trace.NoOffset,
					Result: 64 * KiB}, us)
				s.call(trace.Syscall{Op: trace.OpSplice, File: pipe, File2: b, Offset: trace.NoOffset, Offset2: at,
					Result: 64 * KiB}, us)
			}
		}},
	} {
		t.Run(string(c.method), func(t *testing.T) {
			s, a, b := copying(t, n)
			c.copy(s, a, b)
			got := one(t, s.finish(a, b))
			if got.Method != c.method || got.Bytes != n || got.Source != "/src/a" || got.Destination != "/dst/b" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestSharedExtents: copy_file_range that moved nothing is a reflink, if the
// file system can do that and everything was written back.
func TestSharedExtents(t *testing.T) {
	for _, c := range []struct {
		fs      string
		written bool
		filled  int64
		want    profile.Method
	}{
		{"btrfs", false, 0, "reflink"},
		{"btrfs", true, 0, "copy_file_range"},
		{"btrfs", false, 2 * MiB, "copy_file_range"},
		{"ext4", false, 0, "copy_file_range"},
	} {
		s := newScene(t, "cp")
		a := s.identify(trace.File{Path: "/m/a", Device: ext4, Inode: 1, Size: 2 * MiB, FSType: c.fs})
		s.open(a, trace.FlagRead)
		b := s.identify(trace.File{Path: "/m/b", Device: ext4, Inode: 2, FSType: c.fs})
		s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagExcl)
		s.call(trace.Syscall{Op: trace.OpCopyRange, File: a, File2: b, Requested: 2 * MiB, Result: 2 * MiB, Filled: c.filled},
			us)
		s.returns()
		if c.written {
			s.request(trace.ReqWrite, b, 0, 2*MiB, s.now, s.now+ms)
			s.durable(s.now + ms)
		}
		if got := one(t, s.profile()); got.Method != c.want {
			t.Errorf("%+v: %s", c, got.Method)
		}
	}
}

// TestAsynchronous copies eight blocks at a time, completed out of order.
func TestAsynchronous(t *testing.T) {
	for api, method := range map[trace.AsyncAPI]profile.Method{trace.APIUring: profile.ByUring,
		trace.APILibaio: profile.ByLibaio} {
		s, a, b := copying(t, 4*MiB)
		for at := int64(0); at < 4*MiB; at += MiB {
			for i := range int64(8) {
				off := at + i*128*KiB
				read := trace.AsyncOp{Submit: s.now + i*us, Complete: s.now + 100*us - i*us, PID: 100, TID: 100, API: api,
					Op: trace.OpRead, File: a, Offset: off, Requested: 128 * KiB, Result: 128 * KiB}
				write := read
				write.Op, write.File = trace.OpWrite, b
				write.Submit, write.Complete = s.now+100*us+i*us, s.now+300*us-i*us
				s.put(read.Complete, &read)
				s.put(write.Complete, &write)
			}
			s.size[b] = at + MiB
			s.now += 300 * us
		}
		c := one(t, s.finish(a, b))
		if c.Method != method || c.Bytes != 4*MiB || c.BufferBytes != 128*KiB || c.Read.Depth.Max != 8 {
			t.Errorf("%s: %+v", method, c)
		}
	}
}

// A file that an open empties has the size of what is written then: seen earlier in the recording it was larger, and
// the copy is one of the whole file all the same.
func TestEmptiedByOpen(t *testing.T) {
	const n = 2 * MiB
	s := newScene(t, "copier", "a", "b")
	a, b := s.file("/src/a", n), s.file("/dst/b", 5*MiB)
	s.open(b, trace.FlagRead)
	s.read(b, 0, 64*KiB, 20*us)
	s.close(b)
	s.open(a, trace.FlagRead)
	s.open(b, trace.FlagWrite|trace.FlagTrunc)
	s.loop(a, b, n, 128*KiB)
	p := s.finish(a, b)
	if c := one(t, p); c.Bytes != n {
		t.Errorf("%+v", c)
	}
	for _, f := range p.Files {
		if f.Path == "/dst/b" && f.Size != n {
			t.Errorf("%d bytes, want %d", f.Size, n)
		}
	}
}

func TestMappings(t *testing.T) {
	const n = 4 * MiB
	mmap := func(s *scene, f trace.FileID, flags trace.IOFlags) {
		s.call(trace.Syscall{Op: trace.OpMmap, File: f, Requested: n, Flags: flags | trace.FlagRead}, us)
	}
	for name, act := range map[string]func(s *scene, a, b trace.FileID){
		"source": func(s *scene, a, b trace.FileID) {
			mmap(s, a, 0)
			for at := int64(0); at < n; at += MiB {
				s.write(b, at, MiB, ms)
			}
		},
		"destination": func(s *scene, a, b trace.FileID) {
			s.call(trace.Syscall{Op: trace.OpTruncate, File: b, Requested: n}, us)
			mmap(s, b, trace.FlagShared|trace.FlagWrite)
			for at := int64(0); at < n; at += MiB {
				s.read(a, at, MiB, ms)
			}
		},
		"both": func(s *scene, a, b trace.FileID) {
			mmap(s, a, 0)
			s.call(trace.Syscall{Op: trace.OpTruncate, File: b, Requested: n}, us)
			mmap(s, b, trace.FlagShared|trace.FlagWrite)
			s.think(5 * ms)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, a, b := copying(t, n)
			act(s, a, b)
			if c := one(t, s.finish(a, b)); c.Method != "mmap" || c.Bytes != n || c.Evidence != "mapped" {
				t.Errorf("%+v", c)
			}
		})
	}
	t.Run("another size", func(t *testing.T) {
		s, a, b := copying(t, n)
		mmap(s, a, 0)
		s.write(b, 0, n-1, ms)
		if p := s.finish(a, b); len(p.Copies) != 0 {
			t.Errorf("%+v", p.Copies)
		}
	})
}

func TestSparse(t *testing.T) {
	s, a, b := copying(t, 4*MiB)
	for at := int64(0); at < 4*MiB; at += MiB {
		s.read(a, at, MiB, us)
		if at != 2*MiB { // zeros: the writer skips them
			s.write(b, at, MiB, us)
		}
	}
	c := one(t, s.finish(a, b))
	if !c.Sparse || c.HoleBytes != MiB || c.Bytes != 4*MiB {
		t.Errorf("%+v", c)
	}
}

func TestEmptyFile(t *testing.T) {
	s := newScene(t, "cp")
	a := s.file("/src/empty", 0)
	s.open(a, trace.FlagRead)
	b := s.create("/dst/empty")
	if c := one(t, s.finish(b, a)); c.Bytes != 0 || c.Destination != "/dst/empty" {
		t.Errorf("%+v", c)
	}
}

// TestNewNames: a rename and a hard link of what was there before are listed;
// committing one's own temporary file is not.
func TestNewNames(t *testing.T) {
	s := newScene(t, "mv")
	a, b := s.file("/d/a", 5*MiB), s.name("/d/b")
	s.rename(a, b)
	c := one(t, s.finish())
	if c.Method != "rename" || c.Source != "/d/a" || c.Destination != "/d/b" || c.Bytes != 5*MiB {
		t.Errorf("%+v", c)
	}
	s = newScene(t, "ln")
	a, b = s.file("/d/a", 5*MiB), s.name("/d/b")
	s.call(trace.Syscall{Op: trace.OpLink, File: a, File2: b}, us)
	if c := one(t, s.finish()); c.Method != "hardlink" || c.Destination != "/d/b" {
		t.Errorf("%+v", c)
	}
	s = newScene(t, "editor")
	tmp := s.create("/d/.tmp")
	s.write(tmp, 0, 100, us)
	s.rename(tmp, s.file("/d/a", 90))
	if p := s.finish(); len(p.Copies) != 0 {
		t.Errorf("%+v", p.Copies)
	}
}

// TestTemporaryName is rsync's way: the destination is the last name.
func TestTemporaryName(t *testing.T) {
	s := newScene(t, "copier")
	a := s.file("/src/a", MiB)
	s.open(a, trace.FlagRead)
	tmp := s.create("/dst/.a.Xy12")
	s.loop(a, tmp, MiB, 256*KiB)
	s.rename(tmp, s.name("/dst/a"))
	c := one(t, s.finish())
	if c.Destination != "/dst/a" || !c.Renamed || c.Bytes != MiB {
		t.Errorf("%+v", c)
	}
}

func TestMoveAcrossFileSystems(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 128*KiB)
	s.call(trace.Syscall{Op: trace.OpUnlink, File: a}, us)
	if c := one(t, s.finish(a, b)); !c.SourceRemoved {
		t.Errorf("%+v", c)
	}
}

func TestConcatenationAndTee(t *testing.T) {
	s := newScene(t, "cat")
	a, b, c := s.file("/a", MiB), s.file("/b", MiB+5), s.create("/c")
	s.loop(a, c, MiB, 128*KiB)
	for at := int64(0); at < MiB+5; at += 128 * KiB {
		n := min(128*KiB, MiB+5-at)
		s.read(b, at, n, us)
		s.write(c, MiB+at, n, us)
	}
	p := s.finish()
	if len(p.Copies) != 2 || p.Copies[1].Source != "/b" || p.Copies[1].DestAt != MiB || p.Copies[1].Bytes != MiB+5 {
		t.Errorf("concatenation: %+v", p.Copies)
	}
	s = newScene(t, "tee")
	a, b, c = s.file("/a", MiB), s.create("/b"), s.create("/c")
	for at := int64(0); at < MiB; at += 128 * KiB {
		s.read(a, at, 128*KiB, us)
		s.write(b, at, 128*KiB, us)
		s.write(c, at, 128*KiB, us)
	}
	if p := s.finish(); len(p.Copies) != 2 || p.Copies[0].Bytes != MiB || p.Copies[1].Bytes != MiB {
		t.Errorf("tee: %+v", p.Copies)
	}
}

// TestDurableTime: a copy is durable when its last byte was written, not when
// the recording ended.

// TestExchange: of two files that exchange their names each copy has the name that it has in the end.
func TestExchange(t *testing.T) {
	for times, want := range [][2]string{{"/n1", "/n2"}, {"/n2", "/n1"}, {"/n1", "/n2"}} {
		s := newScene(t, "copier")
		a, b := s.file("/a", MiB), s.file("/b", 2*MiB)
		n1, n2 := s.create("/n1"), s.create("/n2")
		s.loop(a, n1, MiB, 256*KiB)
		s.loop(b, n2, 2*MiB, 256*KiB)
		for range times {
			s.call(trace.Syscall{Op: trace.OpRename, Call: 6, File: s.name("/n1"), File2: s.name("/n2"),
				Offset: trace.NoOffset, Flags: trace.FlagExchange}, 8*us)
		}
		p := s.finish()
		if len(p.Copies) != 2 {
			t.Fatalf("exchanged %d times: %d copies", times, len(p.Copies))
		}
		for _, c := range p.Copies {
			if i := int(c.Bytes/MiB) - 1; c.Destination != want[i] || c.Source != []string{"/a", "/b"}[i] {
				t.Errorf("exchanged %d times: %s to %s", times, c.Source, c.Destination)
			}
		}
	}
}

// TestRenamedByIOUring: what io_uring does to names is followed as calls are.
func TestRenamedByIOUring(t *testing.T) {
	s := newScene(t, "mover")
	op := func(op trace.Op, from, to trace.FileID) {
		start := s.now
		s.now += 8 * us
		s.put(s.now, &trace.AsyncOp{Submit: start, Complete: s.now, PID: s.pid, TID: s.tid, API: trace.APIUring, Op: op,
			File: from, File2: to, Offset: trace.NoOffset})
	}
	a, old := s.file("/a", MiB), s.file("/old", 2*MiB)
	n := s.create("/part")
	s.loop(a, n, MiB, 256*KiB)
	s.close(n)
	op(trace.OpRename, s.name("/part"), s.name("/whole"))
	renamed := s.name("/new")
	op(trace.OpRename, old, renamed)
	op(trace.OpLink, renamed, s.name("/further"))
	op(trace.OpUnlink, s.name("/a"), 0)
	p := s.finish()
	got := map[string]profile.Method{}
	for _, c := range p.Copies {
		got[c.Source+" "+c.Destination] = c.Method
	}
	want := map[string]profile.Method{"/a /whole": profile.ByReadWrite, "/old /new": profile.ByRename,
		"/new /further": profile.ByHardLink}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("copies (-want +got):\n%s", d)
	}
	for _, f := range p.Files {
		if f.Deleted != (f.Path == "/a") {
			t.Errorf("%s: deleted %t", f.Path, f.Deleted)
		}
	}
}
