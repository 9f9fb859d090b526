package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// partwise copies a file to four parts, and these, in an order, to another file.
func partwise(t *testing.T, order ...int64) (s *scene, a, b trace.FileID) {
	s = newScene(t, "sh")
	a = s.file("/src/a", 4*MiB)
	var parts []trace.FileID
	for i := range int64(4) {
		s.act(uint32(101 + i))
		s.open(a, trace.FlagRead)
		s.read(a, i*MiB, MiB, us)
		p := s.create(fmt.Sprint("/tmp/part", i))
		s.write(p, 0, MiB, us)
		s.close(p)
		s.close(a)
		parts = append(parts, p)
	}
	s.act(110)
	b = s.create("/dst/b")
	for i, k := range order {
		s.open(parts[k], trace.FlagRead)
		s.read(parts[k], 0, MiB, us)
		s.write(b, int64(i)*MiB, MiB, us)
		s.close(parts[k])
	}
	s.close(b)
	s.act(100)
	return s, a, b
}

// TestInParts is split and cat: one copy of the whole, which went through four files.
func TestInParts(t *testing.T) {
	s, _, _ := partwise(t, 0, 1, 2, 3)
	p := s.finish()
	c := one(t, p)
	if c.Source != "/src/a" || c.Destination != "/dst/b" || c.Bytes != 4*MiB || c.Share != 1 ||
		strings.Join(c.Parts, " ") != "/tmp/part0 /tmp/part1 /tmp/part2 /tmp/part3" || c.PartFiles != 4 {
		t.Errorf("%+v", c)
	}
	if c.Read.Bytes != 4*MiB || c.Write.Bytes != 4*MiB || c.Method != "read_write" {
		t.Errorf("read %+v, wrote %+v, %s", c.Read, c.Write, c.Method)
	}
	if text := p.Verdict.Text(); !strings.Contains(text, "1 file in 4 parts, 4.19 MB") {
		t.Errorf("%q", text)
	}
}

// TestPartsInAnotherOrder: what was put together otherwise is no copy of the file; nor is what holds something else.
func TestPartsInAnotherOrder(t *testing.T) {
	s, _, _ := partwise(t, 1, 0, 2, 3)
	if p := s.finish(); len(p.Copies) != 8 {
		t.Errorf("%+v", p.Copies)
	}
	s, a, b := partwise(t, 0, 1, 2, 3)
	s.end.Contents = []trace.Content{{File: a, Size: 4 * MiB, Changed: -1, Sum: 7},
		{File: b, Size: 4 * MiB, Changed: s.now, Sum: 8}}
	for _, c := range s.finish().Copies {
		if c.Source == "/src/a" && c.Destination == "/dst/b" {
			t.Errorf("%+v", c)
		}
	}
}

// TestTemporaryParts: parts that are deleted afterwards cost a second copy.
func TestTemporaryParts(t *testing.T) {
	s, _, _ := partwise(t, 0, 1, 2, 3)
	for i := range 4 {
		s.call(trace.Syscall{Op: trace.OpUnlink, File: s.name(fmt.Sprint("/tmp/part", i))}, us)
	}
	told := s.finish().Observed("via_temporary")
	if told == nil || !strings.Contains(told.Text, "through /tmp/part0 and 3 other files, which were deleted") {
		t.Errorf("%+v", told)
	}
}

// TestFetchedInParts: ranges of a file come through sockets, each into a file of its own, and these go into one that
// holds the same.
func TestFetchedInParts(t *testing.T) {
	for _, same := range []bool{true, false} {
		s := newScene(t, "sh")
		a := s.file("/srv/a", 3*MiB)
		var parts []trace.FileID
		for i := range int64(3) {
			client, server := s.socket(uint64(200+10*i)), s.socket(uint64(201+10*i))
			s.act(uint32(102 + i))
			s.write(client, trace.NoOffset, 100+i, us)
			s.act(101)
			s.read(server, trace.NoOffset, 100+i, us)
			s.read(a, i*MiB, MiB, us)
			s.write(server, trace.NoOffset, MiB+200+i, us)
			s.act(uint32(102 + i))
			s.read(client, trace.NoOffset, MiB+200+i, us)
			p := s.create(fmt.Sprint("/tmp/range", i))
			s.write(p, 0, MiB, us)
			s.close(p)
			parts = append(parts, p)
		}
		s.act(110)
		b := s.create("/dst/b")
		for i, p := range parts {
			s.read(p, 0, MiB, us)
			s.write(b, int64(i)*MiB, MiB, us)
		}
		s.close(b)
		s.act(100)
		s.held(a, b, 3*MiB, same)
		p := s.finish()
		if !same {
			for _, c := range p.Copies {
				if c.Source == "/srv/a" {
					t.Errorf("%+v", c)
				}
			}
			continue
		}
		if c := one(t, p); c.Source != "/srv/a" || c.Destination != "/dst/b" || c.Via != "socket" || c.PartFiles != 3 ||
			c.Certainty != "checked" || c.Bytes != 3*MiB {
			t.Errorf("%+v", c)
		}
	}
}

// TestThroughAnArchive: a program reads a file and writes two others, a second one reads these and writes a file that
// holds the same as the first. Where they hold too little, nothing is known.
func TestThroughAnArchive(t *testing.T) {
	for _, volume := range []int64{MiB + 4096, MiB / 2} {
		s := newScene(t, "sh")
		a := s.file("/src/a", 2*MiB)
		s.act(101)
		s.read(a, 0, 2*MiB, us)
		for _, name := range []string{"/tmp/v.1", "/tmp/v.2"} {
			s.act(101)
			v := s.create(name)
			s.write(v, 0, 100, us) // a header
			s.write(v, 100, volume, us)
			s.act(102)
			s.read(v, 0, volume+100, us)
		}
		b := s.create("/dst/a")
		s.write(b, 0, 2*MiB, us)
		s.act(100)
		s.held(a, b, 2*MiB, true)
		p := s.finish()
		if whole := volume > MiB; len(p.Copies) != map[bool]int{true: 1}[whole] ||
			whole && (p.Copies[0].Source != "/src/a" || p.Copies[0].PartFiles != 2) {
			t.Errorf("volumes of %d: %+v", volume, p.Copies)
		}
	}
}
