package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestNoCopies: programs that transform data, or only seem to pass it on.
func TestNoCopies(t *testing.T) {
	for name, act := range map[string]func(s *scene, a, b trace.FileID){
		"compress": func(s *scene, a, b trace.FileID) {
			for i := range int64(16) {
				s.read(a, i*64*KiB, 64*KiB, us)
				s.write(b, i*20*KiB, 20*KiB, us)
			}
		},
		"incompressible": func(s *scene, a, b trace.FileID) {
			s.write(b, 0, 18, us)
			for i := range int64(16) {
				s.read(a, i*64*KiB, 64*KiB, us)
				s.write(b, 18+i*64*KiB, 64*KiB, us)
			}
		},
		"remux to the same size": func(s *scene, a, b trace.FileID) {
			for at := int64(0); at < 512*KiB; at += 32 * KiB {
				s.read(a, at, 32*KiB, us) // probing
			}
			s.loop(a, b, MiB, 32*KiB)
		},
		"patched afterwards": func(s *scene, a, b trace.FileID) {
			s.loop(a, b, MiB, 64*KiB)
			s.write(b, 4, 8, us)
		},
		"archive": func(s *scene, a, b trace.FileID) {
			s.read(a, 0, MiB, us)
			s.write(b, 0, 512, us)
			s.write(b, 512, MiB, us)
			s.write(b, 512+MiB, 10240, us)
		},
		"head, read too far": func(s *scene, a, b trace.FileID) {
			s.read(a, 0, 8192, us)
			s.write(b, 0, 5000, us)
		},
		"reordered": func(s *scene, a, b trace.FileID) {
			for i := range int64(16) {
				s.read(a, (15-i)*64*KiB, 64*KiB, us)
				s.write(b, i*64*KiB, 64*KiB, us)
			}
		},
		"other boundaries": func(s *scene, a, b trace.FileID) {
			out := int64(0)
			for i := range int64(16) {
				s.read(a, i*64*KiB, 64*KiB, us)
				for out+50*KiB <= (i+1)*64*KiB {
					s.write(b, out, 50*KiB, us)
					out += 50 * KiB
				}
			}
			s.write(b, out, MiB-out, us)
		},
		"journal of a database": func(s *scene, a, b trace.FileID) {
			for i := range int64(10) {
				s.read(a, i*7*4096, 4096, us)
				s.write(b, i*4104, 4, us)
				s.write(b, i*4104+4, 4096, us)
				s.write(b, i*4104+4100, 4, us)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, a, b := copying(t, MiB)
			act(s, a, b)
			if p := s.finish(a, b); len(p.Copies) != 0 {
				t.Errorf("%+v", p.Copies)
			}
		})
	}
	t.Run("saved again", func(t *testing.T) {
		s := newScene(t, "sed", "-i")
		a := s.file("/d/a", MiB)
		tmp := s.create("/d/sedXYZ")
		s.loop(a, tmp, MiB, 64*KiB)
		s.rename(tmp, a)
		if p := s.finish(); len(p.Copies) != 0 {
			t.Errorf("%+v", p.Copies)
		}
	})
	t.Run("a few equal bytes", func(t *testing.T) {
		s := newScene(t, "daemon")
		a, b, log := s.file("/etc/port", 5), s.create("/run/pid"), s.create("/var/log")
		s.read(a, 0, 5, us)
		s.write(log, 0, 77, us)
		s.write(b, 0, 5, us)
		if p := s.finish(); len(p.Copies) != 0 {
			t.Errorf("%+v", p.Copies)
		}
	})
}
