package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// held says that two files held the same after the recording, or not.
func (s *scene) held(a, b trace.FileID, n int64, same bool) {
	x, y := trace.Content{File: a, Size: n, Changed: -1, Sum: 7}, trace.Content{File: b, Size: n, Changed: s.now, Sum: 7}
	if !same {
		y.Sum = 8
	}
	s.end.Contents = []trace.Content{x, y}
}

// TestThroughSharedMemory: one process of a program reads and another one writes. Only
// the contents tell that it is a copy, and only between processes that can share memory.
func TestThroughSharedMemory(t *testing.T) {
	for _, test := range []struct {
		name        string
		same, other bool
		want        int
	}{
		{"the same", true, false, 1},
		{"something else", false, false, 0},
		{"another program", true, true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, "buffer")
			s.fork(101, "buffer")
			if test.other {
				s.put(s.now, &trace.Process{
					Time: s.now, Action: trace.ProcessExec, PID: 101, TID: 101, Parent: 100,
					Command: "curl", Exe: "/bin/curl",
				})
			}
			s.think(us)
			a := s.file("/src/a", MiB)
			s.open(a, trace.FlagRead)
			s.act(101)
			b := s.create("/dst/b")
			for at := int64(0); at < MiB; at += 64 * KiB {
				s.act(100)
				s.read(a, at, 64*KiB, us)
				s.act(101)
				s.write(b, at, 64*KiB, us)
			}
			s.close(b)
			s.act(100)
			s.held(a, b, MiB, test.same)
			p := s.finish()
			if len(p.Copies) != test.want {
				t.Fatalf("%+v, want %d", p.Copies, test.want)
			}
			if test.want == 1 && (p.Copies[0].Certainty != "checked" || len(p.Copies[0].Processes) != 2) {
				t.Errorf("%+v", p.Copies[0])
			}
		})
	}
}

// TestCutOffAtTheEnd: direct writes end with a block, and what is too much is cut off.
func TestCutOffAtTheEnd(t *testing.T) {
	for _, same := range []bool{true, false} {
		const n = 256*KiB + 512
		s, a, b := copying(t, n)
		for at := int64(0); at < n; at += 64 * KiB {
			s.read(a, at, min(64*KiB, n-at), us)
			s.write(b, at, 64*KiB, us)
		}
		s.call(trace.Syscall{Op: trace.OpTruncate, File: b, Requested: n, Offset: trace.NoOffset}, us)
		s.held(a, b, n, same)
		p := s.finish(a, b)
		if same && (len(p.Copies) != 1 || p.Copies[0].Bytes != n || p.Copies[0].Certainty != "checked") ||
			!same && len(p.Copies) > 0 {
			t.Errorf("same contents %v: %+v", same, p.Copies)
		}
	}
}

// TestHolesThroughAPipe: tar -S reads and writes what is between the holes, in pieces
// of its own among headers.
func TestHolesThroughAPipe(t *testing.T) {
	for _, same := range []bool{true, false} {
		s := newScene(t, "sh")
		pipe := s.pipe(99)
		s.act(101)
		a := s.file("/src/a", 3*MiB)
		s.open(a, trace.FlagRead)
		pieces := []int64{0, 2 * MiB}
		for _, at := range pieces {
			s.read(a, at, MiB, 10*us)
			s.write(pipe, trace.NoOffset, MiB+512, 10*us)
		}
		s.act(102)
		b := s.create("/dst/b")
		for _, at := range pieces {
			s.read(pipe, trace.NoOffset, MiB+512, 10*us)
			s.write(b, at, MiB, 10*us)
		}
		s.close(b)
		s.act(100)
		s.held(a, b, 3*MiB, same)
		p := s.finish()
		if same && (len(p.Copies) != 1 || p.Copies[0].Bytes != 3*MiB || p.Copies[0].HoleBytes != MiB) ||
			!same && len(p.Copies) > 0 {
			t.Errorf("same contents %v: %+v", same, p.Copies)
		}
	}
}

// TestSmallFilesThroughOwnBuffers: a program reads files for a checksum, reads them again, and writes them in other
// pieces. Few bytes are a copy if they are the same and have the name; of several sources that whose path ends alike.
func TestSmallFilesThroughOwnBuffers(t *testing.T) {
	const n = 300
	for _, test := range []struct{ name, dest, want string }{
		{"the name", "/dst/two/f", "/src/two/f"},
		{"another name", "/dst/two/g", ""},
	} {
		s := newScene(t, "unison")
		var held []trace.Content
		for _, path := range []string{"/src/one/f", "/src/two/f"} {
			a := s.file(path, n)
			held = append(held, trace.Content{File: a, Size: n, Read: n, Changed: -1, Sum: 7})
			for range 2 {
				s.open(a, trace.FlagRead)
				s.read(a, 0, 200, us)
				s.read(a, 200, n-200, us)
				s.close(a)
			}
		}
		b := s.create(test.dest)
		s.write(b, 0, 130, us)
		s.write(b, 130, n-130, us)
		s.end.Contents = append(held, trace.Content{File: b, Size: n, Read: n, Changed: s.now, Sum: 7})
		p := s.finish(b)
		if test.want == "" {
			if len(p.Copies) > 0 {
				t.Errorf("%s: %+v", test.name, p.Copies)
			}
		} else if c := one(t, p); c.Source != test.want || c.Certainty != "checked" {
			t.Errorf("%s: %s, %s", test.name, c.Source, c.Certainty)
		}
	}
}
