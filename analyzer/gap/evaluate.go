package gap

import (
	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
)

// evaluate sums up the recording; nil if there is no payload. system is true
// to count files of the system too.
//
// It does so twice: first with all files, to know in which direction the
// payload goes, then with those that carry it, so that a script or a setting
// that is read before the work begins has no part in it.
func (s *survey) evaluate(system bool) *Workload {
	candidate := func(id trace.FileID) *surveyed { return s.regular(id, system) }
	w := s.pass(candidate)
	if w == nil {
		return nil
	}
	leastRead, leastWritten := s.carriers()
	reads, writes := w.Copies() || w.Reading(), !w.Reading()
	carries := map[trace.FileID]bool{}
	for id, f := range s.files {
		carries[id] = reads && f.read >= leastRead || writes && f.written >= leastWritten
	}
	return s.pass(func(id trace.FileID) *surveyed {
		if !carries[id] {
			return nil
		}
		return candidate(id)
	})
}

// carriers are the least bytes that a file must hold to count: a hundredth of
// what the file does in which the middle byte lies.
func (s *survey) carriers() (read, written int64) {
	reads, writes := map[int64]int64{}, map[int64]int64{}
	var r, w int64
	for _, f := range s.files {
		reads[f.read] += f.read
		writes[f.written] += f.written
		r, w = r+f.read, w+f.written
	}
	return max(middle(reads, r)/100, 1), max(middle(writes, w)/100, 1)
}

// pass sums up the calls on some files; nil if they moved nothing.
func (s *survey) pass(file func(trace.FileID) *surveyed) *Workload {
	for _, f := range s.files {
		*f = surveyed{File: f.File}
	}
	t := &tally{sizes: map[int64]int64{}, threads: map[uint32]*thread{}, from: -1}
	for i := range s.steps {
		c := &s.steps[i]
		from, _ := c.Source()
		to, _ := c.Target()
		if f := s.files[from]; f != nil && f.Path == "/dev/zero" {
			t.zeros += c.Moved
		}
		if s.regular(from, true) != nil || s.regular(to, true) != nil {
			t.all += c.Moved
		}
		in, out := file(from), file(to)
		switch {
		case (in != nil || out != nil) && c.Moved > 0:
			t.data(c, in, out)
		case file(c.File) != nil:
			t.other(c, file(c.File))
		}
	}
	if t.ReadBytes+t.WriteBytes == 0 {
		return nil
	}
	t.flight.Finish()
	t.time(s.steps, s.waits, func(c *program.Step) bool {
		to, _ := c.Target()
		return file(c.File) != nil || file(to) != nil
	})
	return t.finish(s.files)
}
