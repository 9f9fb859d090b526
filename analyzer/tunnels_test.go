package analyzer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// tunnel is two programs of which one wraps what it gets and the other unwraps it.
type tunnel struct {
	packed  bool   // before it goes in, to a hundredth, and unpacked by the receiver
	inside  int64  // bytes between the two, for each 100
	missing int64  // bytes that do not come out
	held    string // what was seen of the contents: the same, something else
	to      string // where the receiver puts the files, and what their names begin with
}

// carry sends three files through the tunnel, each after a header.
func (x *tunnel) carry(t *testing.T) *profile.Profile {
	s := newScene(t, "sh")
	in, out, near, far := s.pipe(90), s.pipe(91), s.socket(200), s.socket(310)
	asks := s.pipe(92) // as buildah's copiers have one for requests
	s.act(101)
	s.write(asks, trace.NoOffset, 364, us)
	s.act(102)
	s.read(asks, trace.NoOffset, 364, us)
	var held []trace.Content
	for i := range int64(3) {
		n := 300_000 + i
		s.act(101)
		a := s.file(fmt.Sprint("/src/f", i), n)
		s.open(a, trace.FlagRead)
		s.read(a, 0, n, 10*us)
		s.close(a)
		sent := n + 512
		if x.packed {
			sent = n / 100
		}
		s.write(in, trace.NoOffset, sent, 10*us)
		s.act(102)
		s.read(in, trace.NoOffset, sent, 10*us)
		s.write(near, trace.NoOffset, sent*x.inside/100, 10*us)
		s.act(103)
		s.read(far, trace.NoOffset, sent*x.inside/100, 10*us)
		s.write(out, trace.NoOffset, sent-x.missing, 10*us)
		s.act(105) // as rsync, which forks
		s.read(out, trace.NoOffset, 10, 10*us)
		s.act(104)
		s.read(out, trace.NoOffset, sent-x.missing-10, 10*us)
		b := s.create(fmt.Sprint(x.to, "f", i))
		s.write(b, 0, n, 10*us)
		s.close(b)
		other := uint64(0)
		if x.held == "something else" {
			other = 1
		}
		held = append(held, trace.Content{File: a, Size: n, Read: n, Changed: -1, Sum: uint64(n)},
			trace.Content{File: b, Size: n, Read: n, Changed: s.now, Sum: uint64(n) + other})
	}
	s.act(100)
	if x.held != "" {
		s.end.Contents = held
	}
	return s.finish()
}

// TestThroughATunnel: what goes between ssh and sshd, or two ends of stunnel, or gzip and gunzip, is neither the files
// nor as many bytes. What goes in at one program and comes out at the other is as many. Where it is not, as the last
// program of all unwraps it itself, contents have to be the same.
func TestThroughATunnel(t *testing.T) {
	for name, c := range map[string]struct {
		tunnel
		copies    int
		certainty string
	}{
		"encrypted":              {tunnel{inside: 103, to: "/dst/"}, 3, "likely"},
		"packed":                 {tunnel{inside: 20, to: "/dst/"}, 3, "likely"},
		"compared":               {tunnel{inside: 103, to: "/dst/", held: "the same"}, 3, "checked"},
		"something else arrived": {tunnel{inside: 103, to: "/dst/", held: "something else"}, 0, ""},
		"other names":            {tunnel{inside: 103, to: "/dst/new "}, 3, "same_size"},
		"other names, compared":  {tunnel{inside: 103, to: "/dst/new ", held: "the same"}, 3, "checked"},
		"fewer bytes":            {tunnel{inside: 103, to: "/dst/", missing: 1}, 0, ""},
		"fewer, compared":        {tunnel{inside: 103, to: "/dst/", missing: 1, held: "the same"}, 3, "checked"},
		"fewer, other names, compared": {
			tunnel{inside: 20, to: "/dst/new ", missing: 1, held: "the same"}, 3, "checked"},
		"packed before":           {tunnel{packed: true, inside: 103, to: "/dst/"}, 0, ""},
		"packed before, compared": {tunnel{packed: true, inside: 103, to: "/dst/", held: "the same"}, 3, "checked"},
		"packed, fewer, compared": {
			tunnel{packed: true, inside: 103, missing: 1, to: "/dst/", held: "the same"}, 3, "checked"},
		"packed, fewer, other names, compared": {
			tunnel{packed: true, inside: 103, missing: 1, to: "/dst/new ", held: "the same"}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := c.carry(t)
			if len(p.Copies) != c.copies {
				t.Fatalf("%d copies, want %d: %+v", len(p.Copies), c.copies, p.Copies)
			}
			for _, x := range p.Copies {
				if x.Certainty != c.certainty || x.Via != "socket" || fmt.Sprint(x.Processes) != "[101 102 103 104]" {
					t.Errorf("%s → %s: %s via %s by %v (%s)", x.Source, x.Destination, x.Certainty, x.Via, x.Processes, x.Because)
				}
			}
		})
	}
}

// TestPairedSockets: what goes over a socket of which both ends were recorded is told of neither. Here a program hands
// bytes to another one, which encrypts them and sends them out of the recording.
func TestPairedSockets(t *testing.T) {
	s := newScene(t, "sh")
	near, far, away := s.socket(200), s.socket(201), s.socket(300)
	a := s.file("/src/a", 5*MiB)
	s.act(101)
	s.read(a, 0, 5*MiB, ms)
	s.write(near, trace.NoOffset, 5*MiB, ms)
	s.act(102)
	s.read(far, trace.NoOffset, 5*MiB, ms)
	s.write(away, trace.NoOffset, 6*MiB, ms)
	s.act(100)
	p := s.finish()
	for _, f := range p.Files {
		if want := f.Inode == 200 || f.Inode == 201; f.Paired != want {
			t.Errorf("socket %d paired: %v, want %v", f.Inode, f.Paired, want)
		}
	}
}

// TestMappedByNumPy: calls write the last byte of a file to give it a size, and a header where it has one. Data goes
// through the mapping. What was written besides is no copy, nor what holds something else.
func TestMappedByNumPy(t *testing.T) {
	const n = 4 * MiB
	for name, c := range map[string]struct {
		header, other int64
		same          bool
		copies        int
	}{
		"plain":          {0, 0, true, 1},
		"with a header":  {128, 0, true, 1},
		"data written":   {128, MiB, true, 0},
		"something else": {0, 0, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, a, b := copying(t, n)
			both := trace.FlagShared | trace.FlagWrite | trace.FlagRead
			s.call(trace.Syscall{Op: trace.OpMmap, File: a, Requested: n, Flags: both}, us) // mode r+ of numpy.memmap
			if c.header > 0 {
				s.write(b, 0, c.header, us)
			}
			if c.other > 0 {
				s.write(b, MiB, c.other, us)
			}
			s.write(b, n-1, 1, us)
			s.call(trace.Syscall{Op: trace.OpMmap, File: b, Requested: n, Flags: both}, us)
			s.think(ms)
			s.held(a, b, n, c.same)
			p := s.finish(a, b)
			if len(p.Copies) != c.copies || c.copies == 1 && p.Copies[0].Certainty+string(p.Copies[0].Method) != "checkedmmap" {
				t.Errorf("%+v", p.Copies)
			}
		})
	}
}

// TestBrokenOffStream: tar and tar are ended while a file is on its way, or only what reads it. Of several files the
// one that was read last has to have the name.
func TestBrokenOffStream(t *testing.T) {
	for _, c := range []struct {
		name     string
		statuses [2]int32
		first    bool // a whole file went before
		to       string
		copies   int
	}{
		{"both ended", [2]int32{2, 20}, false, "/dst/b", 1},
		{"the receiver did not", [2]int32{2, 0}, false, "/dst/b", 0},
		{"after another file", [2]int32{2, 20}, true, "/dst/a", 2},
		{"after another file, another name", [2]int32{2, 20}, true, "/dst/b", 1},
	} {
		s := newScene(t, "sh")
		pipe := s.pipe(99)
		send := func(from, to string, size, n int64) {
			s.act(101)
			a := s.file(from, size)
			s.open(a, trace.FlagRead)
			s.act(102)
			b := s.create(to)
			for at := int64(0); at < n; at += 64 * KiB {
				s.act(101)
				s.read(a, at, min(64*KiB, n-at), us)
				s.write(pipe, trace.NoOffset, min(64*KiB, n-at)+512, us)
				s.act(102)
				s.read(pipe, trace.NoOffset, min(64*KiB, n-at)+512, us)
				s.write(b, at, min(64*KiB, n-at), us)
			}
			if n < size {
				s.act(101)
				s.read(a, n, 64*KiB, us) // which does not arrive any more
				return
			}
			s.act(102)
			s.close(b)
		}
		if c.first {
			send("/src/first", "/dst/first", 100_000, 100_000)
		}
		send("/src/a", c.to, 3*MiB, 512*KiB)
		for i, status := range c.statuses {
			s.act(uint32(101 + i))
			s.exit(status)
		}
		s.act(100)
		p := s.finish()
		if len(p.Copies) != c.copies {
			t.Errorf("%s: %+v", c.name, p.Copies)
		}
		for _, x := range p.Copies {
			if x.Interrupted != (x.Source == "/src/a") || x.Interrupted && (x.Bytes != 512*KiB || x.Certainty != "likely") {
				t.Errorf("%s: %s → %s: %d bytes, interrupted %v, %s", c.name, x.Source, x.Destination, x.Bytes, x.Interrupted,
					x.Certainty)
			}
		}
	}
}
