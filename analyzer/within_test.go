package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestRewritten says that a file whose contents are moved within itself, or changed in large pieces, is told of, and
// one that was made and looked at, or is changed here and there, is not.
func TestRewritten(t *testing.T) {
	// A step of 127 leads backwards, as it goes round.
	tagged := func(step int64, passes int, fresh bool) *scene { // room is made before the sound of a song
		s := newScene(t, "tagger")
		a := s.file("/music/song.flac", 8*MiB)
		if fresh {
			a = s.create("/music/song.flac")
			for at := int64(0); at < 8*MiB; at += 64 * KiB {
				s.write(a, at, 64*KiB, us)
			}
		}
		for range passes {
			for i := range int64(128) {
				at := i * step % 128 * 64 * KiB
				s.read(a, at, 64*KiB, us)
				s.write(a, at, 64*KiB, us)
			}
		}
		s.returns()
		return s
	}
	named(t, tagged(127, 2, false), "rewritten",
		"16.8 MB was read and 16.8 MB written within song.flac, which has 8.39 MB")
	named(t, tagged(1, 2, true), "rewritten", "16.8 MB was read and 25.2 MB written within song.flac")
	for name, s := range map[string]*scene{
		"here and there": tagged(37, 2, false), "made, then changed once": tagged(1, 1, true),
	} {
		if text := kindsOf(t, s)["rewritten"]; text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestBuiltAside: a mailbox is compacted into a temporary file and copied back over itself. The same pass over it
// without that file is a change of all of it.
func TestBuiltAside(t *testing.T) {
	for _, aside := range []bool{true, false} {
		s := newScene(t, "mbox")
		a, b := s.file("/mail/inbox", 8*MiB), s.create("/tmp/mbox.x")
		for i := range int64(256) {
			s.read(a, i%128*64*KiB, 64*KiB, us)
			if aside && i < 128 {
				s.write(b, i*64*KiB, 64*KiB, us)
			}
		}
		for i := range int64(128) {
			if aside {
				s.read(b, i*64*KiB, 64*KiB, us)
			}
			s.write(a, i*64*KiB, 64*KiB, us)
		}
		s.call(trace.Syscall{Op: trace.OpUnlink, Call: 5, File: b, Offset: trace.NoOffset}, 5*us)
		s.returns()
		text := kindsOf(t, s)["rewritten"]
		if got := strings.HasPrefix(text, "inbox was made anew in a temporary file, and 8.39 MB written back"); got != aside {
			t.Errorf("aside %v: %q", aside, text)
		}
	}
}

// TestZeros says that data which is mostly zeros is told of.
func TestZeros(t *testing.T) {
	wiped := func(empty int) *scene {
		s := newScene(t, "mkimage")
		a := s.create("/vm/disk.raw")
		for i := range 40 {
			c := trace.Syscall{Op: trace.OpWrite, Call: 1, File: a, Offset: int64(i) * 256 * KiB, Requested: 256 * KiB,
				Result: 256 * KiB, Flags: trace.FlagWrite}
			if i < empty {
				c.Flags |= trace.FlagZeros
			}
			s.call(c, us)
		}
		s.returns()
		return s
	}
	named(t, wiped(36), "zeros", "9.44 MB of the 10.5 MB written are zeros, most of them in disk.raw")
	named(t, wiped(10), "")
}
