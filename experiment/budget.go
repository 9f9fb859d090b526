package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// ErrBudget means that the time was used up before every cell was measured once.
var ErrBudget = errors.New("the budget was used up before each difference was measured once")

// The parts of a budget.
const (
	forReplays = 0.25 // at most, of what the pilot left
	forRuns    = 0.8  // of what is left then: a device may be slower later
)

// smallPayload is the least payload that a budget may lead to.
const smallPayload = 1 << 20

// fit chooses payload and design: larger where runs are too short to be told apart, and as a budget permits.
func (x *Experiment) fit() {
	for x.o.Size == 0 && x.o.Budget == 0 && x.runs.said > 0 && x.runs.said < shortRun && 2*x.payload <= mostPayload &&
		2*x.payload <= x.workload.Bytes {
		x.payload *= 2
		x.runs.said = x.expected(x.payload)
	}
	if x.o.Budget == 0 || x.runs.said == 0 {
		return
	}
	left := max(x.o.Budget-x.tried, 0)
	if replayable(x.workload) {
		left -= min(replays*x.replays.said, time.Duration(forReplays*float64(left)))
	}
	left = time.Duration(forRuns * float64(left))
	payload, most := x.within(left)
	if payload < x.payload {
		x.leave("runs move %s instead of %s", unit.Bytes(payload), unit.Bytes(x.payload))
	}
	if most < min(x.most, len(x.factors)) {
		x.leave("at most %d differences are told apart, the others are measured together", most)
	}
	x.payload, x.most = payload, most
	x.runs.said = x.expected(payload)
	_, runs := x.cost()
	if all := time.Duration(runs) * x.runs.said; all > left {
		x.leave("all repetitions take about %s: as many are made as there is time for", unit.Duration(all))
	}
	x.limit = min(x.limit, max(2*left/time.Duration(runs), shortRun/4))
}

// shortRun is a length below which the noise of runs hides what differs.
const shortRun = 100 * time.Millisecond

// Less is told by fewer differences: two at least, the others together, and only where that spares a third of the runs.
const (
	fewestTold = 2
	worthwhile = 2. / 3
)

// within is the largest experiment that takes no longer than there is time; the smallest if none does.
func (x *Experiment) within(left time.Duration) (payload int64, most int) {
	payload, most = x.payload, x.most
	_, fewest := x.costOf(x.payload, x.most)
	full := fewest
	for n := x.most; n >= fewestTold; n-- {
		if _, runs := x.costOf(x.payload, n); n < x.most && float64(runs) > worthwhile*float64(full) {
			continue
		}
		for size := x.payload; size >= min(smallPayload, x.payload); size /= 2 {
			_, runs := x.costOf(size, n)
			took := time.Duration(runs) * x.expected(size)
			if took <= left {
				return size, n
			}
			if runs < fewest || runs == fewest && size < payload {
				fewest, payload, most = runs, size, n
			}
			if x.o.Size > 0 {
				break // was asked for
			}
		}
	}
	return payload, most
}

// leave notes what is left out because of the budget.
func (x *Experiment) leave(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	x.leftOut = append(x.leftOut, fmt.Sprintf("Because of the budget of %s %s.", unit.Duration(x.o.Budget), text))
}

// limited is a context that ends with the budget.
func (x *Experiment) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if x.o.Budget == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, x.begun.Add(x.o.Budget))
}

// left is how much of the budget is left; longer than anything takes without one.
func (x *Experiment) left() time.Duration {
	if x.o.Budget == 0 {
		return 1 << 62
	}
	return x.o.Budget - time.Since(x.begun)
}

// usedUp is the error of an experiment that the budget ended before it could tell anything.
func (x *Experiment) usedUp() error {
	return fmt.Errorf("%w (%s); %s", ErrBudget, unit.Duration(x.o.Budget), x.goesOn())
}

// goesOn says what an experiment that the budget ended leaves.
func (x *Experiment) goesOn() string {
	runs, path := x.Kept()
	return fmt.Sprintf("%s kept in %s: the same command goes on with them, for as long as its --budget",
		unit.Things(int64(runs), "run"), path)
}
