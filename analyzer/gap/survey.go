package gap

import (
	"cmp"
	"errors"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// ErrNoPayload means that a recording has no file data in it.
var ErrNoPayload = errors.New("no regular file was read or written by a call that was recorded, or through a mapping")

// Survey reads the levels of the factors from a trace.
func Survey(path string) (*Workload, error) {
	s := newSurvey()
	_, err := program.Read(path, "reading", s.batch, trace.KindFile, trace.KindSyscall, trace.KindAsyncOp, trace.KindFault,
		trace.KindWait)
	if err != nil {
		return nil, err
	}
	return s.workload()
}

type survey struct {
	files   map[trace.FileID]*surveyed
	steps   []program.Step
	waits   map[uint32][][2]int64 // of threads, blocked outside of calls
	waiting int64                 // waits
}

// surveyed is a file of the recording.
type surveyed struct {
	trace.File
	read, written int64
	fresh         int64 // bytes written to what was created, truncated or beyond the end
	made          bool
	reads, writes program.Position
}

func newSurvey() *survey {
	return &survey{files: map[trace.FileID]*surveyed{}, waits: map[uint32][][2]int64{}}
}

// batch takes the next events and says how much of them is held.
func (s *survey) batch(b *trace.Batch) (held int64) {
	for i := range b.Files {
		f := b.Files[i]
		if s.files[f.ID] == nil {
			s.files[f.ID] = &surveyed{File: f}
		}
	}
	for i := range b.Waits {
		if x := &b.Waits[i]; x.Cause.Elsewhere() && x.Flags&trace.WaitHelper == 0 {
			s.waiting++
			s.waits[x.TID] = append(s.waits[x.TID], [2]int64{x.Start, x.Start + x.Duration})
		}
	}
	program.Steps(b, func(c *program.Step) {
		if !c.Page || c.File != 0 && c.Filled > 0 {
			s.steps = append(s.steps, *c)
		}
	})
	return int64(len(s.steps)) + s.waiting/8 // eight waits take as much as a step
}

// regular is the file of an ID if it may hold payload.
func (s *survey) regular(id trace.FileID, system bool) *surveyed {
	f := s.files[id]
	if f == nil || f.Type != trace.FileRegular && f.Type != trace.FileUnknown || !system && f.OfSystem() {
		return nil
	}
	return f
}

// workload evaluates the steps in the order of their starts.
func (s *survey) workload() (*Workload, error) {
	sorting.Stably(s.steps, func(a, b program.Step) int { return cmp.Compare(a.Start, b.Start) })
	for _, w := range s.waits {
		sorting.Stably(w, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	}
	w := s.evaluate(false)
	if w == nil {
		w = s.evaluate(true)
	}
	if w == nil {
		return nil, ErrNoPayload
	}
	return w, nil
}
