package analyzer

import (
	"fmt"
	"path"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// sameNames fails unless each of n files was copied to the file of its name.
func sameNames(t *testing.T, p *profile.Profile, n int) {
	t.Helper()
	if len(p.Copies) != n {
		t.Errorf("%d copies, want %d: %+v", len(p.Copies), n, p.Copies)
	}
	for _, c := range p.Copies {
		if path.Base(c.Source) != path.Base(c.Destination) {
			t.Errorf("%s → %s, %s, %s", c.Source, c.Destination, c.Certainty, c.Because)
		}
	}
}

// TestMemoryUsedAgain: what is written from memory that held another file before, as programs move data in memory, is
// a copy of the file that was read last: whether the first had been passed on (from there, or by a guess) or not.
func TestMemoryUsedAgain(t *testing.T) {
	for name, first := range map[string]func(m *moves, from, to trace.FileID){
		"passed on": func(m *moves, from, to trace.FileID) {
			m.into(from, 0, MiB, 0x100000)
			m.from(to, 0, MiB, 0x100000)
		},
		"passed on from elsewhere": func(m *moves, from, to trace.FileID) {
			m.into(from, 0, MiB, 0x100000)
			m.from(to, 0, MiB, 0x900000)
		},
		"in pieces": func(m *moves, from, to trace.FileID) {
			for at := int64(0); at < MiB; at += 64 * KiB {
				m.into(from, at, 64*KiB, 0x100000+uint64(at))
			}
			m.from(to, 0, MiB, 0x900000)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := moving(newScene(t, "node"))
			large := m.file("/src/large", MiB)
			first(m, large, m.create("/dst/large"))
			for i := range 5 {
				n := int64(50_000 + i)
				a, b := m.file(fmt.Sprintf("/src/f%d", i), n), m.create(fmt.Sprintf("/dst/f%d", i))
				m.into(a, 0, n, 0x2000000+uint64(i)*0x100000)
				m.from(b, 0, n, 0x100000+uint64(i)*0x10000)
				m.done(a, b)
			}
			sameNames(t, m.finish(), 6)
		})
	}
	t.Run("not passed on", func(t *testing.T) {
		m := moving(newScene(t, "node"))
		m.into(m.file("/src/settings", MiB), 0, MiB, 0x100000)
		a, b := m.file("/src/f", 5000), m.create("/dst/f")
		m.into(a, 0, 5000, 0x2000000)
		m.from(b, 0, 5000, 0x100000)
		m.done(a, b)
		sameNames(t, m.finish(), 1)
	})
}

// TestOneBufferToTwoFiles: memory that was passed on before still says where a second copy came from, although another
// file of another size was read meanwhile.
func TestOneBufferToTwoFiles(t *testing.T) {
	m := moving(newScene(t, "backup"))
	a, other := m.file("/src/a", 200_000), m.file("/src/list", 70_000)
	b, c := m.create("/one/a"), m.create("/two/a")
	m.into(a, 0, 200_000, 0x100000)
	m.from(b, 0, 200_000, 0x100000)
	m.into(other, 0, 70_000, 0x900000)
	m.from(c, 0, 200_000, 0x100000)
	m.done(a, b, c)
	p := m.finish()
	sameNames(t, p, 2)
	for _, x := range p.Copies {
		if x.Certainty != "traced" {
			t.Errorf("%+v", x)
		}
	}
}

// TestRelays: a framed stream that programs pass on unchanged leads from the first to the last; one that is not passed
// on whole does not.
func TestRelays(t *testing.T) {
	for _, share := range []int64{1, 2} {
		s := newScene(t, "sh")
		pipes := []trace.FileID{s.pipe(90), s.pipe(91), s.pipe(92)}
		for i := range int64(5) {
			name, n := fmt.Sprintf("f%d", i), 10000+i*100
			s.act(101)
			a := s.file("/src/"+name, n)
			s.open(a, trace.FlagRead)
			s.read(a, 0, n, 10*us)
			s.write(pipes[0], trace.NoOffset, n+512, 10*us)
			s.act(102)
			s.read(pipes[0], trace.NoOffset, n+512, 10*us)
			s.write(pipes[1], trace.NoOffset, (n+512)/share, 10*us)
			s.act(103)
			s.read(pipes[1], trace.NoOffset, (n+512)/share, 10*us)
			s.write(pipes[2], trace.NoOffset, (n+512)/share, 10*us)
			s.act(104)
			s.read(pipes[2], trace.NoOffset, (n+512)/share, 10*us)
			b := s.create("/dst/" + name)
			s.write(b, 0, n, 10*us)
			s.close(b)
		}
		s.act(100)
		p := s.finish()
		if share > 1 {
			sameNames(t, p, 0)
			continue
		}
		sameNames(t, p, 5)
		if len(p.Copies) > 0 && fmt.Sprint(p.Copies[0].Processes) != "[101 102 103 104]" {
			t.Errorf("%+v", p.Copies[0].Processes)
		}
	}
}

// TestNotCompared: a result that is removed before anybody could look may have been changed in memory.
func TestNotCompared(t *testing.T) {
	for _, removed := range []bool{false, true} {
		s, a, b := copying(t, MiB)
		m := moving(s)
		for at := int64(0); at < MiB; at += 64 * KiB {
			m.into(a, at, 64*KiB, 0x100000)
			m.from(b, at, 64*KiB, 0x100000)
		}
		m.done(a, b)
		if removed {
			s.call(trace.Syscall{Op: trace.OpUnlink, File: b, Offset: trace.NoOffset}, us)
		}
		want := map[bool]string{false: "traced", true: "likely"}[removed]
		if c := one(t, s.finish()); c.Certainty != want {
			t.Errorf("removed %v: %s", removed, c.Certainty)
		}
	}
}

// TestSavedThroughAPipe: an edited file that took the place of its source is no copy of it.
func TestSavedThroughAPipe(t *testing.T) {
	s := newScene(t, "sh")
	a, pipe := s.file("/d/t", MiB), s.pipe(99)
	s.act(101)
	s.read(a, 0, MiB, 10*us)
	s.write(pipe, trace.NoOffset, MiB, us)
	s.act(102)
	s.read(pipe, trace.NoOffset, MiB, us)
	b := s.create("/d/sponge")
	s.write(b, 0, MiB, us)
	s.close(b)
	s.rename(b, a)
	s.act(100)
	sameNames(t, s.finish(), 0)
}

// TestUpload: of two files of equal contents the one is the source that came through the stream.
func TestUpload(t *testing.T) {
	s := moving(newScene(t, "sh"))
	a, old, pipe := s.file("/home/a", MiB), s.file("/srv/a", MiB), s.pipe(99)
	s.act(102)
	s.into(old, 0, MiB, 0x100000)
	b := s.create("/srv/new")
	for at := int64(0); at < MiB; at += 64 * KiB {
		s.act(101)
		s.into(a, at, 64*KiB, 0x100000)
		s.from(pipe, trace.NoOffset, 64*KiB+10, 0x200000)
		s.act(102)
		s.into(pipe, trace.NoOffset, 64*KiB+10, 0x2000000)
		s.from(b, at, 64*KiB, 0x3000000)
	}
	s.done(b)
	s.act(100)
	for _, f := range []trace.FileID{a, old, b} {
		s.end.Contents = append(s.end.Contents, trace.Content{File: f, Size: MiB, Changed: s.now, Sum: 7})
	}
	if c := one(t, s.finish()); c.Source != "/home/a" || c.Certainty != "checked" {
		t.Errorf("%+v", c)
	}
}

// TestSparsePart is dd conv=sparse with seek, skip and count: what was left out became holes.
func TestSparsePart(t *testing.T) {
	for _, test := range []struct{ from, to, seek int64 }{{0, 4, 2}, {1, 4, -1}, {1, 3, 0}} {
		s, a, b := copying(t, 4*MiB)
		for at := test.from * MiB; at < test.to*MiB; at += MiB / 2 {
			s.read(a, at, MiB/2, us)
			if at != 2*MiB { // zeros
				s.write(b, at+test.seek*MiB, MiB/2, us)
			}
		}
		n := (test.to - test.from) * MiB
		if c := one(t, s.finish(a, b)); c.Bytes != n || c.HoleBytes != MiB/2 || c.SourceAt != test.from*MiB {
			t.Errorf("%+v: %+v", test, c)
		}
	}
}

// TestEndsItself: a program that is told to end, and does so itself, leaves a copy that is interrupted; one that ended
// well, and did not pass on all that it read, made none.
func TestEndsItself(t *testing.T) {
	for _, status := range []int32{0, 32} {
		s := newScene(t, "sh")
		s.fork(101, "pv")
		s.act(101)
		a := s.file("/src/a", 4*MiB)
		b := s.create("/dst/a")
		s.loop(a, b, 2*MiB, MiB/4)
		s.read(a, 2*MiB, MiB/4, us)
		s.close(b)
		s.exit(status)
		s.act(100)
		p := s.finish()
		if status == 0 {
			sameNames(t, p, 0)
			continue
		}
		if c := one(t, p); !c.Interrupted || c.Bytes != 2*MiB {
			t.Errorf("%+v", c)
		}
	}
}

// TestLastPart: what split leaves over is a part too, however small.
func TestLastPart(t *testing.T) {
	m := moving(newScene(t, "split"))
	a := m.file("/d/a", 200_300)
	for i := range int64(3) {
		n := min(100_000, 200_300-i*100_000)
		b := m.create(fmt.Sprintf("/d/x%d", i))
		m.into(a, i*100_000, n, 0x100000)
		m.from(b, 0, n, 0x100000)
		m.done(b)
	}
	m.done(a)
	if p := m.finish(); len(p.Copies) != 3 {
		t.Errorf("%+v", p.Copies)
	}
}

// TestRewrittenAndRenamed: a file that the program has written anew in its place, such as encrypted, is not just
// renamed.
func TestRewrittenAndRenamed(t *testing.T) {
	for _, share := range []int64{1, 4} {
		s := newScene(t, "crypt")
		a, b := s.file("/d/a", MiB), s.name("/d/a.enc")
		s.read(a, 0, MiB, us)
		s.write(a, 0, MiB/share, us)
		s.rename(a, b)
		if p := s.finish(); len(p.Copies) != int(min(share, 2)-1) {
			t.Errorf("a %dth was written: %+v", share, p.Copies)
		}
	}
}
