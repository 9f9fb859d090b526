package generator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// patternRun is one pattern, executed in all its places.
type patternRun struct {
	b       *Bench
	pattern baseline.Pattern
	sites   []*site
}

// site is a place with what was measured there.
type site struct {
	place   storage.Volume
	ws      *directory // nil for a device
	path    string     // of the prepared file, or of the device
	logs    []*stepLog
	steady  *baseline.Steady
	created []string // files of the run in progress
}

func newPatternRun(b *Bench, p baseline.Pattern) *patternRun {
	pr := &patternRun{b: b, pattern: p}
	if p.Target == baseline.TargetDevice {
		pr.sites = []*site{{place: b.device.Place, path: b.device.Path}}
	} else {
		for i, ws := range b.spaces {
			pr.sites = append(pr.sites, &site{place: b.places[i], ws: ws})
		}
	}
	for _, s := range pr.sites {
		for _, step := range p.Steps {
			s.logs = append(s.logs, &stepLog{Step: step, Place: s.place.Place})
		}
	}
	return pr
}

// run prepares all places, then repeats the steps: in each round once in every
// place, in random order, so that a drift of the machine hits all alike.
func (pr *patternRun) run(ctx context.Context) error {
	for _, s := range pr.sites {
		if err := pr.prepare(ctx, s); err != nil {
			return s.explain(err)
		}
	}
	for round := range pr.pattern.Rounds() {
		for _, i := range pr.b.rng.Perm(len(pr.sites)) {
			if err := pr.round(ctx, pr.sites[i], round); err != nil {
				return pr.sites[i].explain(err)
			}
		}
		if pr.settled() {
			pr.dropRest()
			break
		}
	}
	return nil
}

// dropRest says that the pattern is at its end.
func (pr *patternRun) dropRest() {
	pr.b.set(func(*activity) {
		for _, s := range pr.sites {
			for _, step := range pr.pattern.Steps {
				pr.b.forecast.Drop(stepKey(pr.pattern.Name, step.Name, s.place.Path))
			}
		}
	})
}

func (s *site) explain(err error) error {
	if s.ws == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return s.ws.Explain(err)
}

// round executes all steps once in one place. The removal of its files is booked with the last step.
func (pr *patternRun) round(ctx context.Context, s *site, round int) (err error) {
	key, begun := "", time.Now()
	defer func() {
		if err = errors.Join(err, s.removeCreated()); key != "" {
			pr.b.done(key, time.Since(begun))
		}
	}()
	seed := pr.b.rng.Uint64()
	for i, step := range pr.pattern.Steps {
		l := s.logs[i]
		if l.Skipped != "" {
			continue
		}
		if key != "" {
			pr.b.done(key, time.Since(begun))
		}
		key, begun = stepKey(pr.pattern.Name, step.Name, s.place.Path), time.Now()
		pr.b.begin(key, pr.activity(s, step, round))
		if err := pr.measured(ctx, s, i, round, storage.Mix(seed, uint64(i))); err != nil {
			return err
		}
		if err := sleep(ctx, step.Idle); err != nil {
			return err
		}
	}
	return nil
}

// activity is the execution of a step.
func (pr *patternRun) activity(s *site, step baseline.Step, round int) baseline.Activity {
	a := baseline.Activity{Pattern: pr.pattern.Name, Step: step.Name, Place: s.place.Path,
		Run: round + 1 - pr.pattern.Discard, Runs: pr.pattern.Rounds() - pr.pattern.Discard}
	if round < pr.pattern.Discard {
		a.Run, a.Warming = 0, true
	}
	return a
}

// measured executes step i once in one place and books what was measured.
func (pr *patternRun) measured(ctx context.Context, s *site, i, round int, seed uint64) error {
	step, l := pr.pattern.Steps[i], s.logs[i]
	if err := pr.cool(s, step); err != nil {
		return err
	}
	m, err := pr.execute(ctx, s, step, seed)
	switch {
	case errors.Is(err, storage.ErrUnsupported):
		l.Skipped = err.Error()
		pr.b.set(func(*activity) { pr.b.forecast.Drop(stepKey(pr.pattern.Name, step.Name, s.place.Path)) })
		return nil
	case err != nil:
		return fmt.Errorf("running %s, step %s: %w", pr.pattern.Name, step.Name, err)
	}
	if s.ws != nil {
		if err := s.ws.Check(); err != nil {
			return err
		}
	}
	pr.b.order++
	r := m.result(step)
	r.Run, r.Order, r.Counted = round, pr.b.order, round >= pr.pattern.Discard
	if m.undone > 0 {
		l.Warn("undone", fmt.Sprintf("in run %d io_uring gave %d of %d operations back undone, for want of a thread of "+
			"the kernel (a limit of processes?): calls did them, one after the other", round+1, m.undone, m.ops[0]+m.ops[1]))
	}
	l.Add(r, &m.latency)
	return nil
}

// execution is one of a step in a place, on what was prepared there.
func (pr *patternRun) execution(s *site, step baseline.Step, seed uint64) *execution {
	x := &execution{step: step, path: s.path, place: s.place, seed: seed, threads: pr.b.config.Threads, meter: &pr.b.meter}
	if s.ws != nil {
		x.data = &s.ws.DataFiles
	}
	return x
}

// execute does a step once.
func (pr *patternRun) execute(ctx context.Context, s *site, step baseline.Step, seed uint64) (*measure, error) {
	x := pr.execution(s, step, seed)
	pr.b.meter.begin()
	switch {
	case step.Files != nil:
		return (&fileRun{execution: x}).files(ctx)
	case step.Op == baseline.Copy:
		return (&copying{execution: x, target: s.create("copy")}).copy(ctx)
	}
	if step.Fresh {
		x.path = s.create("data")
	}
	return x.blocks(ctx)
}

// settled applies the rule of steady state, if the pattern has one.
func (pr *patternRun) settled() bool {
	rule := pr.pattern.Until
	if rule == nil {
		return false
	}
	s := pr.sites[0]
	for _, l := range s.logs {
		if l.Step.Name != rule.Track {
			continue
		}
		var rates []float64
		for _, r := range l.Runs {
			rates = append(rates, float64(r.Rate))
		}
		mean, ok := steadyMean(*rule, rates)
		s.steady = &baseline.Steady{Reached: ok, Rounds: len(rates), Window: rule.Window, Rate: rounded(mean)}
		return ok
	}
	return false
}

// result sums up what was measured.
func (pr *patternRun) result() baseline.PatternResult {
	r := baseline.PatternResult{Pattern: pr.pattern}
	for _, s := range pr.sites {
		p := baseline.PlaceResult{Place: s.place.Path, Shown: shownOverSteps(pr.pattern.Original, s.logs), Steady: s.steady}
		for _, l := range s.logs {
			p.Steps = append(p.Steps, l.Result(pr.pattern.Original))
		}
		r.Places = append(r.Places, p)
	}
	for i, s := range pr.sites[1:] {
		for j, l := range s.logs {
			first := pr.sites[0].logs[j]
			if l.Skipped == "" && first.Skipped == "" {
				r.Comparisons = append(r.Comparisons, compareRuns(l.Step.Name, s.place.Path, pr.sites[0].place.Path,
					l.Counted(rateOf), first.Counted(rateOf), uint64(i*len(s.logs)+j)))
			}
		}
	}
	return r
}
