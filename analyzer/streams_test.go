package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestThroughAPipe is cat a | dd of=b.
func TestThroughAPipe(t *testing.T) {
	s := newScene(t, "sh")
	a := s.file("/src/a", MiB)
	pipe := s.pipe(99)
	s.fork(101, "cat")
	s.fork(102, "dd")
	s.act(102)
	b := s.create("/dst/b")
	for at := int64(0); at < MiB; at += 64 * KiB {
		s.act(101)
		s.read(a, at, 64*KiB, 10*us)
		s.write(pipe, trace.NoOffset, 64*KiB, 5*us)
		s.act(102)
		s.read(pipe, trace.NoOffset, 64*KiB, 5*us)
		s.write(b, at, 64*KiB, 20*us)
	}
	s.act(100)
	c := one(t, s.finish())
	if c.Method != "read_write" || c.Via != "pipe" || c.Bytes != MiB || fmt.Sprint(c.Processes) != "[101 102]" {
		t.Errorf("%+v", c)
	}
}

// TestCompressedPipe: what went in is not what came out.
func TestCompressedPipe(t *testing.T) {
	s := newScene(t, "sh")
	a, b := s.file("/src/a", MiB), s.create("/dst/b")
	first, second := s.pipe(99), s.pipe(100)
	for at := int64(0); at < MiB; at += 64 * KiB {
		s.act(101)
		s.read(a, at, 64*KiB, 10*us)
		s.write(first, trace.NoOffset, 64*KiB, 5*us)
		s.act(102)
		s.read(first, trace.NoOffset, 64*KiB, 10*us)
		s.write(second, trace.NoOffset, 20*KiB, 5*us)
		s.act(103)
		s.read(second, trace.NoOffset, 20*KiB, 5*us)
		s.write(b, at, 64*KiB, 20*us)
	}
	s.act(100)
	if p := s.finish(); len(p.Copies) != 0 {
		t.Errorf("%+v", p.Copies)
	}
}

// framedCopy sends whole files through a stream with headers, as tar does; a
// share of each file's bytes goes through. Afterwards the files may have been
// compared, and others left out.
func framedCopy(t *testing.T, through int64, compared bool) *profile.Profile {
	s := newScene(t, "sh")
	pipe := s.pipe(99)
	for i := range int64(5) {
		name := fmt.Sprintf("tree/f%d", i)
		n := 10000 + i*100
		s.act(101)
		a := s.file("/src/"+name, n)
		s.open(a, trace.FlagRead)
		s.read(a, 0, n, 10*us)
		s.write(pipe, trace.NoOffset, 512+n*through/100, 10*us)
		s.act(102)
		s.read(pipe, trace.NoOffset, 512+n*through/100, 10*us)
		b := s.create("/dst/" + name)
		s.write(b, 0, n, 10*us)
		if s.close(b); compared {
			x := trace.Content{File: a, Size: n, Read: n, Changed: -1, Sum: uint64(n)}
			y := x
			y.File, y.Changed = b, s.now
			s.end.Contents, s.end.Uncompared = append(s.end.Contents, x, y), 9
		}
	}
	s.act(101)
	empty := s.name("/src/tree/empty")
	s.call(trace.Syscall{Op: trace.OpStat, File: empty}, us)
	s.act(102)
	s.close(s.create("/dst/tree/empty"))
	s.act(100)
	return s.finish()
}

func TestFramedStream(t *testing.T) {
	p := framedCopy(t, 100, false)
	if len(p.Copies) != 6 || p.Copies[0].Evidence != "framed" || p.Copies[0].Via != "pipe" {
		t.Fatalf("%+v", p.Copies)
	}
	if len(p.CopyGroups) != 1 || p.CopyGroups[0].Files != 6 || p.CopyGroups[0].SourceRoot != "/src/" ||
		p.CopyGroups[0].DestinationRoot != "/dst/" {
		t.Errorf("%+v", p.CopyGroups)
	}
	if p := framedCopy(t, 50, false); len(p.Copies) != 0 {
		t.Errorf("half of the bytes went through, yet: %+v", p.Copies)
	}
	// Where all are equal, that alone shows that they are copies: of files that were not compared it is not known.
	p = framedCopy(t, 50, true)
	if len(p.Copies) != 6 || p.Copies[0].Evidence != "content" || !p.Copies[0].Checked {
		t.Errorf("half of the bytes went through, and all files are equal: %+v", p.Copies)
	}
	if !slices.ContainsFunc(p.Verdict.Lines, func(l profile.AnswerLine) bool {
		return l.Label == "Copied" && strings.HasPrefix(l.Text, "at least 6 files, ")
	}) {
		t.Errorf("%+v", p.Verdict.Lines)
	}
}
