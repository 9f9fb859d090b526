package baseline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// patternRun is one pattern, executed in all its places.
type patternRun struct {
	b       *Bench
	pattern Pattern
	sites   []*site
}

// site is a place with what was measured there.
type site struct {
	place   Place
	ws      *workspace // nil for a device
	path    string     // of the prepared file, or of the device
	logs    []*stepLog
	steady  *Steady
	created []string // files of the run in progress
}

func newPatternRun(b *Bench, p Pattern) *patternRun {
	pr := &patternRun{b: b, pattern: p}
	if p.Target == TargetDevice {
		pr.sites = []*site{{place: b.device.place, path: b.device.path}}
	} else {
		for i, ws := range b.spaces {
			pr.sites = append(pr.sites, &site{place: b.places[i], ws: ws})
		}
	}
	for _, s := range pr.sites {
		for _, step := range p.Steps {
			s.logs = append(s.logs, &stepLog{step: step, queue: s.place.Queue})
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
	for round := range pr.pattern.rounds() {
		for _, i := range pr.b.rng.Perm(len(pr.sites)) {
			if err := pr.round(ctx, pr.sites[i], round); err != nil {
				return pr.sites[i].explain(err)
			}
		}
		if pr.settled() {
			break
		}
	}
	return nil
}

func (s *site) explain(err error) error {
	if s.ws == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return s.ws.explain(err)
}

// prepare makes the file that the steps work on, or brings the device into the
// state that the pattern begins with.
func (pr *patternRun) prepare(ctx context.Context, s *site) error {
	b := pr.b
	b.set(func(a *Activity) {
		*a = Activity{Pattern: pr.pattern.Name, Step: "preparing", Place: s.place.Path, Runs: pr.pattern.rounds(), Done: a.Done, Left: a.Left}
	})
	if s.ws == nil {
		return pr.prepareDevice(ctx, s)
	}
	want, ok := pr.pattern.fill()
	if !ok {
		return nil
	}
	have := s.ws.ready
	if s.path, have.path = have.path, ""; have == want {
		return nil
	}
	if _, err := s.ws.removeData(); err != nil {
		return err
	}
	want.path = s.ws.newPath("data")
	if err := b.fill(ctx, s, want); err != nil {
		return fmt.Errorf("preparing a file of %d bytes: %w", want.size, err)
	}
	s.path, s.ws.ready = want.path, want
	return nil
}

// round executes all steps once in one place.
func (pr *patternRun) round(ctx context.Context, s *site, round int) (err error) {
	defer func() { err = errors.Join(err, s.removeCreated()) }()
	seed := pr.b.rng.Uint64()
	for i, step := range pr.pattern.Steps {
		l := s.logs[i]
		if l.skipped != "" {
			continue
		}
		if err := pr.cool(s, step); err != nil {
			return err
		}
		m, err := pr.step(ctx, s, step, round, hash(seed, uint64(i)))
		switch {
		case errors.Is(err, errUnsupported):
			l.skipped = err.Error()
			continue
		case err != nil:
			return fmt.Errorf("running %s, step %s: %w", pr.pattern.Name, step.Name, err)
		}
		if s.ws != nil {
			if err := s.ws.check(); err != nil {
				return err
			}
		}
		pr.b.order++
		l.add(m, round, pr.b.order, round >= pr.pattern.Discard)
		if err := sleep(ctx, step.Idle); err != nil {
			return err
		}
	}
	return nil
}

// step executes one step and books its time for the estimate of what is left.
func (pr *patternRun) step(ctx context.Context, s *site, step Step, round int, seed uint64) (*measure, error) {
	b := pr.b
	key := pr.pattern.Name + "\x00" + step.Name + "\x00" + s.place.Path
	expected := step.lasts(step.span(s.place.SizeBytes))
	if last, ok := b.past[key]; ok {
		expected = last
	}
	b.set(func(a *Activity) {
		*a = Activity{Pattern: pr.pattern.Name, Step: step.Name, Place: s.place.Path, Run: round + 1, Runs: pr.pattern.rounds(), Done: a.Done, Left: a.Left, expected: expected}
	})
	x := &execution{step: step, path: s.path, place: s.place, seed: seed, threads: b.config.Threads, meter: &b.meter}
	begin := time.Now()
	b.meter.begin()
	var m *measure
	var err error
	switch {
	case step.Files != nil:
		m, err = x.files(ctx, s.ws)
	case step.Op == Copy:
		target := s.create("copy")
		m, err = x.copy(ctx, target)
	default:
		if step.Fresh {
			x.path = s.create("data")
		}
		m, err = x.blocks(ctx)
	}
	b.past[key] = time.Since(begin)
	b.advance(expected)
	return m, err
}

// create names a new file that is removed after the round.
func (s *site) create(kind string) string {
	path := s.ws.newPath(kind)
	s.created = append(s.created, path)
	return path
}

// removeCreated removes the files of a round. Freed blocks are discarded when
// the file system commits: that is waited for, to keep it out of the next run.
func (s *site) removeCreated() error {
	if s.ws == nil || len(s.created) == 0 && !s.hasSet() {
		return nil
	}
	var errs []error
	for _, path := range s.created {
		errs = append(errs, ignoreMissing(os.Remove(path)))
	}
	s.created = nil
	errs = append(errs, s.ws.removeKind("set"), s.ws.sync())
	return errors.Join(errs...)
}

func (s *site) hasSet() bool {
	for _, l := range s.logs {
		if l.step.Files != nil {
			return true
		}
	}
	return false
}

// cool makes sure that a step that reads through the cache finds nothing there.
func (pr *patternRun) cool(s *site, step Step) error {
	if pr.pattern.DropCaches && pr.b.drops {
		if err := dropCaches(); err != nil {
			return err
		}
	}
	if s.ws == nil || !step.Reads() || step.Cache == Direct {
		return nil
	}
	return s.ws.dropPages()
}

// settled applies the rule of steady state, if the pattern has one.
func (pr *patternRun) settled() bool {
	rule := pr.pattern.Until
	if rule == nil {
		return false
	}
	s := pr.sites[0]
	for _, l := range s.logs {
		if l.step.Name != rule.Track {
			continue
		}
		var rates []float64
		for _, r := range l.runs {
			rates = append(rates, float64(r.Rate))
		}
		mean, ok := rule.steady(rates)
		s.steady = &Steady{Reached: ok, Rounds: len(rates), Window: rule.Window, Rate: round(mean)}
		return ok
	}
	return false
}

// result sums up what was measured.
func (pr *patternRun) result() PatternResult {
	r := PatternResult{Pattern: pr.pattern}
	for _, s := range pr.sites {
		p := PlaceResult{Place: s.place.Path, Shown: shownOverSteps(pr.pattern.Original, s.logs), Steady: s.steady}
		for _, l := range s.logs {
			p.Steps = append(p.Steps, l.result(pr.pattern.Original))
		}
		r.Places = append(r.Places, p)
	}
	for i, s := range pr.sites[1:] {
		for j, l := range s.logs {
			first := pr.sites[0].logs[j]
			if l.skipped == "" && first.skipped == "" {
				r.Comparisons = append(r.Comparisons, compare(l.step.Name, s.place.Path, pr.sites[0].place.Path,
					l.counted(rateOf), first.counted(rateOf), uint64(i*len(s.logs)+j)))
			}
		}
	}
	return r
}
