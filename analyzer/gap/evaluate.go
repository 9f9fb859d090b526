package gap

import (
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
		f.read, f.written, f.fresh, f.made = 0, 0, 0, false
		f.readEnd, f.writeEnd = trace.NoOffset, trace.NoOffset
	}
	t := &tally{sizes: map[int64]int64{}, threads: map[uint32]*thread{}, from: -1}
	for i := range s.calls {
		c := &s.calls[i]
		if f := s.files[c.in]; f != nil && f.Path == "/dev/zero" {
			t.zeros += max(c.bytes, 0)
		}
		if s.regular(c.in, true) != nil || s.regular(c.out, true) != nil {
			t.all += max(c.bytes, 0)
		}
		in, out := file(c.in), file(c.out)
		switch {
		case (in != nil || out != nil) && c.bytes > 0:
			t.data(c, in, out)
		case file(c.file) != nil:
			t.other(c, file(c.file))
		}
	}
	if t.ReadBytes+t.WriteBytes == 0 {
		return nil
	}
	t.time(s.calls, s.waits, func(c *call) bool { return file(c.in) != nil || file(c.out) != nil || file(c.file) != nil })
	return t.finish(s.files)
}
