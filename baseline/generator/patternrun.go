package generator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/baseline/summary"
	"github.com/iotrace/iotrace/internal/sysfile"
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
	logs    []*summary.Log
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
			s.logs = append(s.logs, &summary.Log{Step: step, Place: s.place.Place})
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
			break
		}
	}
	return nil
}

func (s *site) explain(err error) error {
	if s.ws == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return s.ws.Explain(err)
}

// prepare makes the file that the steps work on, or brings the device into the
// state that the pattern begins with.
func (pr *patternRun) prepare(ctx context.Context, s *site) error {
	b := pr.b
	b.set(func(a *activity) {
		a.Activity = baseline.Activity{
			Pattern: pr.pattern.Name, Step: "preparing", Place: s.place.Path, Runs: pr.pattern.Rounds(),
		}
		a.expected = 0
	})
	if s.ws == nil {
		return pr.prepareDevice(ctx, s)
	}
	want, ok := pr.pattern.Prepared()
	if !ok {
		return nil
	}
	if s.path = s.ws.file; s.ws.ready == want {
		return nil
	}
	if _, err := s.ws.RemoveData(); err != nil {
		return err
	}
	s.path, s.ws.ready = s.ws.NewPath("data"), baseline.Prepared{}
	if err := pr.fill(ctx, s, want); err != nil {
		return fmt.Errorf("preparing a file of %d bytes: %w", want.Size, err)
	}
	s.ws.file, s.ws.ready = s.path, want
	return nil
}

// fill writes a prepared file, in large blocks past the cache where that is
// possible, and makes it durable.
func (pr *patternRun) fill(ctx context.Context, s *site, want baseline.Prepared) error {
	b := pr.b
	// Only btrfs and bcachefs know it; elsewhere there is nothing to be done.
	_ = storage.SetNoCOW(s.ws.Path, want.NoCOW)
	step := baseline.Step{Name: "fill", Op: baseline.Write, Access: baseline.Sequential, Block: mib, Depth: 8,
		Threads: 1, Cache: baseline.Direct,
		FileSize: want.Size, Data: want.Data, Fresh: true, Sync: baseline.SyncEnd}
	if want.Size%storage.Sector != 0 {
		step.Cache = baseline.Buffered // direct I/O does not end within a sector
	}
	x := &execution{step: step, path: s.path, place: s.place, seed: b.rng.Uint64(), threads: b.config.Threads,
		meter: &b.meter}
	b.meter.begin()
	_, err := x.blocks(ctx)
	if errors.Is(err, storage.ErrUnsupported) {
		x.step.Cache = baseline.Buffered
		_, err = x.blocks(ctx)
	}
	return err
}

// prepareDevice discards the whole device (the nearest thing to a purge that
// every drive has) and does the steps that come before the first run.
func (pr *patternRun) prepareDevice(ctx context.Context, s *site) error {
	if len(pr.pattern.Before) > 0 {
		if err := pr.b.device.Discard(); err != nil {
			for _, l := range s.logs {
				l.Warn("purge", fmt.Sprintf("the device could not be discarded (%v): its state before the run is not known", err))
			}
		}
	}
	for _, step := range pr.pattern.Before {
		pr.b.set(func(a *activity) { a.Step = step.Name })
		x := &execution{step: step, path: s.path, place: s.place, seed: pr.b.rng.Uint64(), threads: pr.b.config.Threads,
			meter: &pr.b.meter}
		pr.b.meter.begin()
		if _, err := x.blocks(ctx); err != nil {
			return fmt.Errorf("preconditioning, step %s: %w", step.Name, err)
		}
	}
	return nil
}

// round executes all steps once in one place.
func (pr *patternRun) round(ctx context.Context, s *site, round int) (err error) {
	defer func() { err = errors.Join(err, s.removeCreated()) }()
	seed := pr.b.rng.Uint64()
	for i, step := range pr.pattern.Steps {
		l := s.logs[i]
		if l.Skipped != "" {
			continue
		}
		if err := pr.cool(s, step); err != nil {
			return err
		}
		m, err := pr.step(ctx, s, step, round, storage.Mix(seed, uint64(i)))
		switch {
		case errors.Is(err, storage.ErrUnsupported):
			l.Skipped = err.Error()
			continue
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
		if err := sleep(ctx, step.Idle); err != nil {
			return err
		}
	}
	return nil
}

// step executes one step and books its time for the estimate of what is left.
func (pr *patternRun) step(ctx context.Context, s *site, step baseline.Step, round int, seed uint64) (*measure, error) {
	b := pr.b
	key := pr.pattern.Name + "\x00" + step.Name + "\x00" + s.place.Path
	expected := step.Lasts(step.Span(s.place.SizeBytes))
	if last, ok := b.past[key]; ok {
		expected = last
	}
	b.set(func(a *activity) {
		a.Activity = baseline.Activity{
			Pattern: pr.pattern.Name, Step: step.Name, Place: s.place.Path, Run: round + 1, Runs: pr.pattern.Rounds(),
		}
		a.expected = expected
	})
	x := &execution{step: step, path: s.path, place: s.place, seed: seed, threads: b.config.Threads, meter: &b.meter}
	begin := time.Now()
	b.meter.begin()
	var m *measure
	var err error
	switch {
	case step.Files != nil:
		m, err = (&fileRun{execution: x, ws: s.ws.Workspace}).files(ctx)
	case step.Op == baseline.Copy:
		m, err = (&copying{execution: x, target: s.create("copy")}).copy(ctx)
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
	path := s.ws.NewPath(kind)
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
		errs = append(errs, sysfile.IgnoreMissing(os.Remove(path)))
	}
	s.created = nil
	errs = append(errs, s.ws.RemoveKind("set"), s.ws.Sync())
	return errors.Join(errs...)
}

func (s *site) hasSet() bool {
	for _, l := range s.logs {
		if l.Step.Files != nil {
			return true
		}
	}
	return false
}

// cool makes sure that a step that reads through the cache finds nothing there.
func (pr *patternRun) cool(s *site, step baseline.Step) error {
	if pr.pattern.DropCaches && pr.b.drops {
		if err := storage.DropCaches(); err != nil {
			return err
		}
	}
	if s.ws == nil || !step.Reads() || step.Cache == baseline.Direct {
		return nil
	}
	return s.ws.DropPages()
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
		mean, ok := summary.Steady(*rule, rates)
		s.steady = &baseline.Steady{Reached: ok, Rounds: len(rates), Window: rule.Window, Rate: summary.Round(mean)}
		return ok
	}
	return false
}

// result sums up what was measured.
func (pr *patternRun) result() baseline.PatternResult {
	r := baseline.PatternResult{Pattern: pr.pattern}
	for _, s := range pr.sites {
		p := baseline.PlaceResult{Place: s.place.Path, Shown: summary.ShownOverSteps(pr.pattern.Original, s.logs),
			Steady: s.steady}
		for _, l := range s.logs {
			p.Steps = append(p.Steps, l.Result(pr.pattern.Original))
		}
		r.Places = append(r.Places, p)
	}
	for i, s := range pr.sites[1:] {
		for j, l := range s.logs {
			first := pr.sites[0].logs[j]
			if l.Skipped == "" && first.Skipped == "" {
				r.Comparisons = append(r.Comparisons, summary.Compare(l.Step.Name, s.place.Path, pr.sites[0].place.Path,
					l.Counted(summary.RateOf), first.Counted(summary.RateOf), uint64(i*len(s.logs)+j)))
			}
		}
	}
	return r
}
