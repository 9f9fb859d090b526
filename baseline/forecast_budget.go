package baseline

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// Piece is a part of a run that a budget may shorten.
type Piece struct {
	Each  time.Duration // of one time
	Idle  time.Duration // the part of Each that is a pause after it
	Duty  float64       // busy share of the rest; 0 is all of it
	Runs  int           // that count
	Extra int           // runs before them that do not
	Whole bool          // it cannot be cut short: a copy, a set of files
}

// Timetable is what a run comes to.
type Timetable struct {
	Once   time.Duration // what is done once: files that are made
	Pieces []Piece
}

// Cut is how a timetable is shortened.
type Cut struct {
	Runs int           // the most of each piece
	Time time.Duration // that a step may take; 0: as long as it takes
}

// A step is not made shorter than leastStep before there are fewer runs, and never shorter than shortestStep.
const (
	leastStep    = 500 * time.Millisecond
	shortestStep = 50 * time.Millisecond
)

// Lasts is how long the timetable takes when it is cut.
func (p Timetable) Lasts(c Cut) time.Duration {
	all := p.Once
	for _, piece := range p.Pieces {
		all += scale(piece.lasts(c.Time), float64(piece.Extra+min(piece.Runs, c.Runs)))
	}
	return all
}

// runs is the greatest number of runs of a piece.
func (p Timetable) runs() (most int) {
	for _, piece := range p.Pieces {
		most = max(most, piece.Runs)
	}
	return most
}

func (p Piece) lasts(limit time.Duration) time.Duration {
	if limit == 0 || p.Whole {
		return p.Each
	}
	busy := limit
	if p.Duty > 0 {
		busy = scale(busy, 1/p.Duty)
	}
	return min(p.Each-p.Idle, busy) + min(p.Idle, limit)
}

// Within is the longest that the timetable can be in a budget: as many runs as it has, of steps as long as that leaves.
func (p Timetable) Within(budget time.Duration) (Cut, error) {
	for _, least := range []time.Duration{leastStep, shortestStep} {
		for runs := p.runs(); runs > 0; runs-- {
			if c := (Cut{Runs: runs}); p.Lasts(c) <= budget {
				return c, nil
			}
			if p.Lasts(Cut{runs, least}) <= budget {
				return Cut{runs, p.longest(runs, least, budget)}, nil
			}
		}
	}
	return Cut{}, fmt.Errorf("--budget %s is too short: a single run of what cannot be cut takes about %s; use a smaller "+
		"--size, or name fewer patterns", unit.Duration(budget), unit.Duration(p.Lasts(Cut{1, shortestStep})))
}

// longest is the longest time of a step that stays within the budget, from one that does.
func (p Timetable) longest(runs int, low, budget time.Duration) time.Duration {
	high := budget
	for high-low > time.Millisecond {
		if middle := low + (high-low)/2; p.Lasts(Cut{runs, middle}) <= budget {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
