package analyzer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestFewBytes: as many bytes as were read of another file are no copy of it, when
// they were written from somewhere else.
func TestFewBytes(t *testing.T) {
	const header, buffer, output = 832, 0x7f0000000000, 0x560000000000
	for name, act := range map[string]func(m *moves) (a, b trace.FileID){
		"an unpacked file of the size that the loader reads": func(m *moves) (a, b trace.FileID) {
			a = m.file("/lib/libz.so", 100*KiB)
			m.into(a, 0, header, buffer)
			m.done(a)
			b = m.create("/d/p")
			m.from(b, 0, header, output)
			return a, b
		},
		"a whole file of that size": func(m *moves) (a, b trace.FileID) {
			a = m.file("/d/objects/38", header)
			m.into(a, 0, header, buffer)
			m.done(a)
			b = m.create("/d/logs/HEAD")
			m.from(b, 0, header, output)
			return a, b
		},
		"the status of a program": func(m *moves) (a, b trace.FileID) {
			a = m.file("/d/a", 35+64*KiB)
			m.into(a, 0, 64*KiB, buffer)
			c := m.create("/d/c")
			m.from(c, 0, 64*KiB, buffer)
			m.into(a, 64*KiB, 35, buffer)
			m.from(c, 64*KiB, 35, buffer)
			b = m.create("/d/log")
			m.from(b, 0, 35, output)
			return a, b
		},
		"its own file, and memory that malloc gave out again": func(m *moves) (a, b trace.FileID) {
			a = m.create("/d/data")
			m.from(a, 0, 17, output)
			m.done(a)
			m.into(a, 0, 17, buffer)
			m.done(a)
			b = m.create("/d/lock")
			m.from(b, 0, 17, buffer)
			return a, b
		},
	} {
		for _, equal := range []bool{false, true} {
			m := moving(newScene(t, "program"))
			a, b := act(m)
			m.done(b)
			whole := m.size[a] == m.size[b]
			if equal {
				m.end.Contents = []trace.Content{{File: a, Size: m.size[a], Changed: -1, Sum: 7},
					{File: b, Size: m.size[b], Changed: m.now, Sum: 7}}
			}
			found := false
			for _, c := range m.finish().Copies {
				found = found || c.Destination == m.files[b-1].Path
			}
			if found != (equal && whole) {
				t.Errorf("%s, equal contents seen %v: copy %v", name, equal, found)
			}
		}
	}
}

// TestShorterThanRead: two bytes from the memory into which nine had been read, of which another file is a copy.
func TestShorterThanRead(t *testing.T) {
	const buffer = 0x7f0000000000
	m := moving(newScene(t, "borg"))
	a := m.file("/d/data", 17)
	m.into(a, 8, 9, buffer)
	m.done(a)
	for name, n := range map[string]int64{"/d/seen": 9, "/d/version": 2} {
		f := m.create(name)
		m.from(f, 0, n, buffer)
		m.done(f)
	}
	for _, c := range m.finish().Copies {
		if c.Destination == "/d/version" {
			t.Errorf("%d bytes of %s are a copy: %s", c.Bytes, c.Source, c.Because)
		}
	}
}

// TestMemoryOfLongAgo: few bytes are written from where as many of another file had been read long before.
func TestMemoryOfLongAgo(t *testing.T) {
	const buffer, ms = 0x7f0000000000, 1_000_000
	for _, test := range []struct {
		name   string
		after  int64
		copies int
	}{{"/d/lock", ms, 1}, {"/d/lock", 2000 * ms, 0}, {"/d/data.bak", 2000 * ms, 1}} {
		m := moving(newScene(t, "borg"))
		a := m.file("/d/data", 17)
		m.into(a, 0, 17, buffer)
		m.done(a)
		m.now += test.after
		b := m.create(test.name)
		m.from(b, 0, 17, buffer)
		m.done(b)
		if n := len(m.finish().Copies); n != test.copies {
			t.Errorf("%s, %d ms later: %d copies, want %d", test.name, test.after/ms, n, test.copies)
		}
	}
}

// TestCompiled: an interpreter reads a file, frees that memory, and writes what it compiled of others from there. An
// archive is unpacked from the memory it was read into as well, by a program that does nothing else.
func TestCompiled(t *testing.T) {
	const size, first, buffer, output = 3063, 1872, 0x7f0000000000, 0x560000000000
	for _, test := range []struct {
		name, from, a, b string
		logs             bool
		copies           int
	}{
		{"compiled", "/d/info.py", "/d/names.pyc", "/d/utils.pyc", true, 0},
		{"unpacked", "/d/files.tar", "/d/a", "/d/b", false, 2},
		{"split by a program that logs", "/d/info", "/d/info.1", "/d/info.2", true, 2},
	} {
		m := moving(newScene(t, test.name))
		source := m.file(test.from, size)
		m.into(source, 0, size, buffer)
		m.done(source)
		if test.logs {
			log := m.create("/d/log")
			m.from(log, 0, 100*KiB, output)
			m.done(log)
		}
		a, b := m.create(test.a), m.create(test.b)
		m.from(a, 0, first, buffer)
		m.done(a)
		m.from(b, 0, size-first, buffer+first)
		m.done(b)
		if n := len(m.finish().Copies); n != test.copies {
			t.Errorf("%s: %d copies, want %d", test.name, n, test.copies)
		}
	}
}

// TestPagesOfADatabase: its files are of few sizes, and what is written to one had been read of several, as far as
// sizes tell. Of a program that only copies, that is enough for a guess.
func TestPagesOfADatabase(t *testing.T) {
	const page, buffer, output = 8 * KiB, 0x7f0000000000, 0x560000000000
	for _, logs := range []bool{false, true} {
		for _, equal := range []bool{false, true} {
			m := moving(newScene(t, "postgres"))
			var tables []trace.FileID
			for i := range uint64(3) {
				f := m.file(fmt.Sprint("/data/base/", 3466+i), page)
				m.into(f, 0, page, buffer+i*uint64(page))
				m.done(f)
				tables = append(tables, f)
			}
			if logs {
				log := m.create("/data/log")
				m.from(log, 0, 100*KiB, output)
				m.done(log)
			}
			b := m.create("/data/base/2606")
			m.from(b, 0, page, output)
			m.done(b)
			if equal {
				for _, f := range append(tables, b) {
					m.end.Contents = append(m.end.Contents, trace.Content{File: f, Size: page, Changed: m.now, Sum: 7})
				}
			}
			if n, want := len(m.finish().Copies), !logs || equal; (n == 1) != want {
				t.Errorf("it writes a log as well: %v, equal contents: %v: %d copies", logs, equal, n)
			}
		}
	}
}

// TestLoggedPages: a write-ahead log takes as many bytes at once as a file of the database has.
func TestLoggedPages(t *testing.T) {
	const buffer, output = 0x7f0000000000, 0x560000000000
	m := moving(newScene(t, "postgres"))
	a, b := m.file("/data/16399_fsm", 24*KiB), m.file("/wal/10", 16*MiB)
	for at := int64(0); at < 24*KiB; at += 8 * KiB {
		m.into(a, at, 8*KiB, buffer+uint64(at))
	}
	m.done(a)
	m.from(b, 11*MiB, 24*KiB, output)
	m.done(b)
	if p := m.finish(); len(p.Copies) != 0 {
		t.Errorf("%+v", p.Copies)
	}
}

// TestWrittenMeanwhile: a program copies a file of its own, from the memory that it reads it into, while it writes
// another one of as many bytes, which it made, from elsewhere.
func TestWrittenMeanwhile(t *testing.T) {
	const block, buffer, output = 32 * KiB, 0x7f0000000000, 0x560000000000
	m := moving(newScene(t, "restic"))
	a, c, b := m.create("/tmp/pack-1"), m.create("/d/repo/abc"), m.create("/tmp/pack-2")
	m.from(a, 0, 4*MiB, output)
	for at := int64(0); at < 4*MiB; at += block {
		m.into(a, at, block, buffer)
		m.from(c, at, block, buffer)
		if at == 2*MiB || at == 3*MiB {
			m.from(b, at-2*MiB, MiB, output)
		}
	}
	m.done(a, b, c)
	if list := m.finish().Copies; len(list) != 1 || list[0].Destination != "/d/repo/abc" {
		t.Errorf("%+v", list)
	}
}
