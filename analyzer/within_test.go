package analyzer

import (
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
