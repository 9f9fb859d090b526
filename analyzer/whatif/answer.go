package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/iotrace/iotrace/internal/unit"
)

// Answer is a prediction, how far it may be off, and what it takes for granted.
type Answer struct {
	Code        string   `json:"code,omitempty"` // of the standard set
	Name        string   `json:"name"`
	If          string   `json:"if,omitempty"` // what has to be so, as a clause
	Wall        Range    `json:"wall"`
	Durable     Range    `json:"durable"`
	Undecided   int      `json:"undecided,omitempty"` // waits of the recording that were left as they were
	Assumptions []string `json:"assumptions,omitempty"`
}

// Range is a time and the interval in which the true one is likely to lie
// (docs/whatif.md says how often it did).
type Range struct {
	NS   int64 `json:"ns"`
	Low  int64 `json:"low_ns"`
	High int64 `json:"high_ns"`
}

// Result is what a recording took and would have taken.
type Result struct {
	Recorded Prediction `json:"recorded"`
	Answers  []Answer   `json:"answers"`
}

// Answers predicts scenarios. It is an error if one is about a device without requests.
func (r *Recording) Answers(list []Scenario) ([]Answer, error) {
	answers := make([]Answer, 0, len(list))
	for _, s := range list {
		if d := s.Change.Device; d != "" && !slices.Contains(r.Devices(), d) {
			return nil, fmt.Errorf("--device %s: the recording has requests of %s only", d, unit.List(r.Devices()))
		}
		if err := foreseen(r, &s.Change); err != nil {
			return nil, fmt.Errorf("cannot be told: %w", err)
		}
		answers = append(answers, r.Answer(s))
	}
	return answers, nil
}

// Answer predicts a scenario. When the kernel writes back, and lets a writer wait, it
// decides anew on another drive: where the program left data to be written, at one
// end of the interval no writer waits, at the other all is written when it returns.
func (r *Recording) Answer(s Scenario) Answer {
	p, was := r.Predict(s.Change), r.Recorded()
	blind := float64(r.program.Unexplained)
	a := Answer{
		Code: s.Code, Name: s.Name, If: condition(r, s.Change), Undecided: p.Undecided, Assumptions: assumptions(r, s.Change),
		Wall: around(p.Wall, was.Wall, blind, s.Change), Durable: around(p.Durable, was.Durable, blind, s.Change),
	}
	if c := s.Change; c.ReadAhead > 0 && c.Depth == 0 && c.Drive == nil {
		c.asSeen = true
		least := r.Predict(c) // it was that fast in the recording
		a.Wall.High = max(a.Wall.High, around(min(least.Wall, was.Wall), was.Wall, blind, c).High)
		a.Durable.High = max(a.Durable.High, around(min(least.Durable, was.Durable), was.Durable, blind, c).High)
	}
	if s.Change.Latency != 0 && s.Change.Drive == nil {
		share := r.passing() // of what was saved that may not be
		a.Wall.High += int64(share * float64(max(was.Wall-p.Wall, 0)))
		a.Durable.High += int64(share * float64(max(was.Durable-p.Durable, 0)))
	}
	if s.Change.NoSync {
		a.Durable.Low = min(a.Durable.Low, a.Wall.Low) // the kernel writes back when it likes
	}
	if s.Change.otherDrive() && was.Durable > was.Wall {
		a.Wall.High = max(a.Wall.High, a.Durable.High)
		a.Wall.Low = max(a.Wall.Low-r.program.Throttled, 0)
	}
	return a
}

// How far a prediction may be off: by a share of the time itself, as two runs of
// the same differ, and by a share of what the change is predicted to do. What a
// benchmark tells of another drive is less than what the recording tells of its own.
const (
	offAlways, offChange           = 0.10, 0.20
	offAlwaysDrive, offChangeDrive = 0.24, 0.05
)

// around is the interval about a predicted time. Waits that nothing explains may
// have changed as well.
func around(predicted, recorded int64, blind float64, c Change) Range {
	always, change := offAlways, offChange
	if c.Drive != nil {
		always, change = offAlwaysDrive, offChangeDrive
	}
	p := float64(predicted)
	margin := always*p + change*math.Abs(p-float64(recorded)) + blind
	return Range{predicted, int64(max(p-margin, 0)), int64(p + margin)}
}

// condition is what has to be so, the weightiest of the assumptions, as it is said beside the time.
func condition(r *Recording, c Change) string {
	switch {
	case c.Depth > r.inFlight() && c.Drive == nil:
		return fmt.Sprintf("if the drive serves %d at once as fast as one", c.Depth)
	case c.Depth > 0:
		return "if the program can know what it needs next"
	case c.ReadAhead > 0:
		return "if the drive carries more than it was seen to"
	case c.NoSync:
		return "if what is not safe by then may be lost"
	case c.Warm:
		return "if there is room for that"
	case c.NoThink:
		return "if nothing has to be paused for"
	case c.CPU != 0:
		return "if all time outside of waits is the CPU's"
	case c.otherDrive() && c.Block == 0:
		return "if the kernel asks for the same requests"
	}
	return ""
}

// worthSaying is the share of the waiting of which too little is known that is told.
const worthSaying = 0.1

// assumptions are what a change takes for granted, the weightiest first.
func assumptions(r *Recording, c Change) []string {
	var list []string
	if c.Depth > 0 {
		list = append(list, "the program knows beforehand what it reads or writes next")
		if n := r.inFlight(); n < c.Depth && c.Drive == nil {
			list = append(list, fmt.Sprintf("the drive serves %d requests at once as fast as one: "+
				"the recording never had more than %d in flight", c.Depth, n))
		}
	}
	if c.Block > 0 {
		list = append(list, "fewer calls cost the CPU as much: what they save is not in the recording")
	}
	if c.ReadAhead > 0 {
		list = append(list, "the drive carries as much as the kernel asks for: at one end of the interval it carries no "+
			"more than it was seen to")
	}
	if c.Warm {
		list = append(list, "memory holds all that was read")
	}
	if c.NoSync {
		list = append(list, "data that is not safe when the program ends may be")
	}
	if share := r.passing(); c.Latency != 0 && c.Drive == nil && share > worthSaying {
		list = append(list, fmt.Sprintf("all of a request's time is latency: of up to %.0f %% the recording does not "+
			"tell, and at one end of the interval that is what its bytes take", 100*share))
	}
	if c.Block == 0 && c.otherDrive() {
		list = append(list, "the kernel asks for the same requests, of the same sizes")
		if r.program.Window.End > r.program.Window.Wall {
			list = append(list, "the kernel writes back as it did. The interval has the other ways: "+
				"no writer waits, or all is written when the program returns")
		}
	}
	if c.CPU != 0 {
		list = append(list, "all time outside of waits is the CPU's")
	}
	if r.program.Guessed > worthSaying {
		list = append(list, fmt.Sprintf("what ended %.0f %% of the waiting was not recorded, and is guessed: by what was "+
			"done or complete just before", 100*r.program.Guessed))
	}
	if share := float64(r.program.Unexplained) / float64(max(r.program.Waited, 1)); share > worthSaying {
		list = append(list, fmt.Sprintf("%.0f %% of the waiting for the drive has no request that explains it, "+
			"and stays as it was", 100*share))
	}
	return list
}
