package experiment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/visible"
)

// state is the file that keeps the runs of an experiment, so that it can go
// on after an interruption: one JSON object per line, the first with the key of
// the experiment.
type state struct {
	path string
	runs map[string][]gap.Measured // per phase, in the order in which they were made
	out  *output.File
	plan *plan // nil: not made yet
}

// plan is what was chosen for an experiment, so that its other runs are alike.
type plan struct {
	Payload int64 `json:"payload"`
	Most    int   `json:"most"`
}

type stateLine struct {
	Key   string        `json:"iotrace_gap,omitempty"`
	Plan  *plan         `json:"plan,omitempty"`
	Phase string        `json:"phase,omitempty"`
	Run   *gap.Measured `json:"run,omitempty"`
}

// openState reads the runs of an experiment with this key, if there are any. A
// state of another experiment is replaced; a file that is none is an error.
func openState(path, key string, as *rights.Identity) (*state, error) {
	s := &state{path: path, runs: map[string][]gap.Measured{}}
	var err error
	if s.out, err = output.Update(path, as); err != nil {
		return nil, fmt.Errorf("keeping the runs in %s: %w (name another file with --state)", path, err)
	}
	same, err := s.read(key)
	if err != nil {
		return nil, fmt.Errorf("reading the runs kept in %s: %w (name another file with --state)",
			path, errors.Join(err, s.out.Close()))
	}
	if !same {
		clear(s.runs)
		err = errors.Join(s.out.Truncate(0), s.line(stateLine{Key: key}))
	}
	return s, err
}

func (s *state) read(key string) (same bool, err error) {
	in := bufio.NewScanner(s.out)
	for n := 0; in.Scan(); n++ {
		var l stateLine
		err := json.Unmarshal(in.Bytes(), &l)
		l = visible.Clone(l) // a file that anybody may have made
		switch {
		case n == 0 && (err != nil || l.Key == ""):
			return false, errors.New("it was not made by iotrace gap")
		case n == 0 && l.Key != key:
			return false, nil
		case n > 0 && err == nil && l.Plan != nil:
			s.plan = l.Plan
		case n > 0 && (err != nil || l.Run == nil):
			return true, s.mend(key)
		case n > 0:
			s.runs[l.Phase] = append(s.runs[l.Phase], *l.Run)
		}
		same = true
	}
	return same, in.Err()
}

// mend writes the state again without what follows a line that was cut off.
func (s *state) mend(key string) error {
	err := errors.Join(s.out.Truncate(0), s.line(stateLine{Key: key}))
	if s.plan != nil {
		err = errors.Join(err, s.line(stateLine{Plan: s.plan}))
	}
	for phase, runs := range s.runs {
		for i := range runs {
			err = errors.Join(err, s.line(stateLine{Phase: phase, Run: &runs[i]}))
		}
	}
	return err
}

func (s *state) line(l stateLine) error {
	text, err := json.Marshal(l)
	if err == nil {
		_, err = s.out.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping a run in %s: %w", s.path, err)
	}
	return nil
}

// setPlan keeps what was chosen.
func (s *state) setPlan(p plan) error {
	s.plan = &p
	return s.line(stateLine{Plan: &p})
}

func (s *state) count() int {
	n := 0
	for _, runs := range s.runs {
		n += len(runs)
	}
	return n
}

// made are the runs of a phase that were made, as far as they are the first of
// the plan.
func (s *state) made(phase string, plan []gap.Run) []gap.Measured {
	var all []gap.Measured
	for i, m := range s.runs[phase] {
		if i >= len(plan) || m.Run != plan[i] {
			break
		}
		all = append(all, m)
	}
	return all
}

func (s *state) add(phase string, m gap.Measured) error {
	s.runs[phase] = append(s.runs[phase], m)
	return s.line(stateLine{Phase: phase, Run: &m})
}

// release ends the use of the file. It stays if there are runs in it.
func (s *state) release() error {
	if s.count() == 0 {
		return s.drop()
	}
	return s.out.Close()
}

// drop removes the file: the experiment is complete.
func (s *state) drop() error { return s.out.Remove() }
