package generator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/unit"
)

// trials are what steps did for a moment, and how fast files were filled.
type trials struct {
	steps map[baseline.StepKind]baseline.Trial
	fills map[string]baseline.Trial // by place
}

// Try does each kind of step for a moment in each place, so that Plan says how long the run takes. What it makes it
// removes. With a budget the patterns are cut to fit into it.
func (b *Bench) Try(ctx context.Context, budget time.Duration) error {
	b.tried = &trials{steps: map[baseline.StepKind]baseline.Trial{}, fills: map[string]baseline.Trial{}}
	patterns := b.config.Patterns
	if b.config.Precondition > 0 {
		patterns = append([]baseline.Pattern{{Name: "preconditioning", Target: baseline.TargetFile, Runs: 1,
			Steps: preconditioning(b.config.Precondition)[1:]}}, patterns...)
	}
	for _, p := range patterns {
		pr := newPatternRun(b, p)
		for _, s := range pr.sites {
			if err := pr.try(ctx, s); err != nil {
				return s.explain(fmt.Errorf("trying %s: %w", p.Name, err))
			}
		}
	}
	for _, ws := range b.spaces {
		if _, err := ws.RemoveData(); err != nil {
			return err
		}
		ws.trial, ws.trialSize = "", 0
		if err := ws.Sync(); err != nil {
			return err
		}
	}
	b.set(func(a *activity) { *a = activity{} })
	if budget > 0 {
		cut, err := b.budgetPlan().Within(budget)
		if err != nil {
			return err
		}
		b.cut(cut, budget)
	}
	b.forecast = baseline.NewForecast(b.jobs()...)
	b.plan.Duration = b.forecast.Announced()
	return nil
}

// try does the kinds of steps of a pattern in a place that have not been tried there.
func (pr *patternRun) try(ctx context.Context, s *site) error {
	b := pr.b
	if err := pr.tryFill(ctx, s); err != nil {
		return err
	}
	for i, step := range pr.pattern.Steps {
		kind := baseline.StepKindOf(step, s.place.Path)
		if _, done := b.tried.steps[kind]; done || !baseline.NeedsTrial(step, step.Span(s.place.SizeBytes)) {
			continue
		}
		b.set(func(a *activity) {
			a.Activity = baseline.Activity{Pattern: pr.pattern.Name, Step: step.Name, Place: s.place.Path, Trying: true}
		})
		t, err := pr.tryStep(ctx, s, step, uint64(i))
		if err != nil && !errors.Is(err, storage.ErrUnsupported) {
			return err
		}
		b.tried.steps[kind] = t
	}
	return s.removeCreated()
}

// A trial of a step that takes no time is repeated: one of a few milliseconds says little.
const (
	tryFor   = 500 * time.Millisecond
	tryTimes = 3
)

func (pr *patternRun) tryStep(ctx context.Context, s *site, step baseline.Step, seed uint64) (t baseline.Trial,
	err error) {
	have := step.FileSize
	if s.ws != nil {
		have = s.ws.trialSize
	}
	short := baseline.TrialStep(step, have)
	for n := range tryTimes {
		begun := time.Now()
		if err := pr.cool(s, short); err != nil {
			return t, err
		}
		m, err := pr.execute(ctx, s, short, storage.Mix(seed, uint64(n)))
		if err != nil {
			return t, err
		}
		t.Active += time.Duration(m.active)
		t.Durable += time.Duration(m.durable)
		t.Files = append(t.Files, m.files...)
		t.Bytes += m.bytes[0]
		if step.Op != baseline.Copy {
			t.Bytes += m.bytes[1]
		}
		if step.Reads() || step.Files == nil { // the files of a set are still to be read
			if err := s.removeFresh(); err != nil {
				return t, err
			}
		}
		t.Wall += time.Since(begun)
		if t.Wall > tryFor || step.Files != nil {
			return t.Mean(n + 1), nil
		}
	}
	return t.Mean(tryTimes), nil
}

// fillFor is how long a file is filled for a trial; tests have less patience.
var fillFor = baseline.TrialTime

// tryFill fills a file, or the beginning of a device, for a moment: of the steps that follow, each has a block there.
func (pr *patternRun) tryFill(ctx context.Context, s *site) error {
	want, ok := pr.pattern.Prepared()
	size := want.Size
	if s.ws == nil {
		ok, size = len(pr.pattern.Before) > 0, s.place.SizeBytes
	}
	least := int64(mib)
	for _, step := range pr.pattern.Steps {
		least = max(least, step.Block)
	}
	if !ok {
		return nil
	}
	if s.ws != nil && s.ws.trialSize >= min(least, size) {
		s.path = s.ws.trial
		return nil
	}
	step := fillStep(want)
	if s.ws == nil {
		step = pr.pattern.Before[0]
	} else {
		s.ws.trial = s.ws.NewPath("data")
		s.path = s.ws.trial
	}
	pr.b.set(func(a *activity) {
		a.Activity = baseline.Activity{Pattern: pr.pattern.Name, Step: "preparing", Place: s.place.Path, Trying: true}
	})
	step.Limit = baseline.Limit{Time: fillFor, Bytes: size}
	t, err := pr.filled(ctx, s, step)
	if err == nil && t.Bytes < min(least, size) {
		step.Limit = baseline.Limit{Bytes: min(least, size)}
		step.Fresh = false // it is there
		t, err = pr.filled(ctx, s, step)
	}
	if err != nil {
		return err
	}
	if s.ws != nil {
		s.ws.trialSize = t.Bytes
	}
	if _, known := pr.b.tried.fills[s.place.Path]; !known {
		pr.b.tried.fills[s.place.Path] = t
	}
	return nil
}

func (pr *patternRun) filled(ctx context.Context, s *site, step baseline.Step) (baseline.Trial, error) {
	begun := time.Now()
	m, err := pr.fillWith(ctx, s, step, 1) // the seed of the run stays as it was
	if err != nil {
		return baseline.Trial{}, err
	}
	return baseline.Trial{Wall: time.Since(begun), Active: time.Duration(m.active), Durable: time.Duration(m.durable),
		Bytes: m.bytes[0]}, nil
}

// stepKey, fillKey and pauseKey name jobs.
func stepKey(pattern, step, place string) string { return pattern + "\x00" + step + "\x00" + place }
func fillKey(pattern, place string) string       { return pattern + "\x00\x00" + place }

const pauseKey = "pause"

// jobs are all that the run does, with what the trials say of it.
func (b *Bench) jobs() (jobs []baseline.Job) {
	for _, place := range b.places {
		if each, bytes := b.preconditioned(place); bytes > 0 {
			jobs = append(jobs, baseline.Job{Key: preconditionKey + place.Path, Times: 1, Each: each, Bytes: bytes})
		}
	}
	ready := map[string]baseline.Prepared{}
	for i, p := range b.config.Patterns {
		if i > 0 && p.Pause > 0 {
			jobs = append(jobs, baseline.Job{Key: pauseKey + p.Name, Times: 1, Each: p.Pause, Known: p.Pause})
		}
		for _, s := range newPatternRun(b, p).sites {
			if each, bytes := b.filling(p, s, ready); bytes > 0 {
				jobs = append(jobs, baseline.Job{Key: fillKey(p.Name, s.place.Path), Times: 1, Each: each, Bytes: bytes})
			}
			for _, step := range p.Steps {
				jobs = append(jobs, b.job(p, step, s.place))
			}
		}
	}
	return jobs
}

func (b *Bench) job(p baseline.Pattern, step baseline.Step, place storage.Volume) baseline.Job {
	span := step.Span(place.SizeBytes)
	bytes, timed := step.Moves(span)
	j := baseline.Job{Key: stepKey(p.Name, step.Name, place.Path), Times: p.Rounds(), Bytes: bytes}
	if step.Limit.Time > 0 { // the bytes may not say when it ends
		j.Bytes = 0
	}
	j.Each = b.lasts(step, place)
	if j.Known = step.Idle; bytes == 0 {
		j.Known = min(step.Idle+timed, j.Each)
	}
	return j
}

// lasts is how long a step takes: by its trial, else by its limit, else as assumed.
func (b *Bench) lasts(step baseline.Step, place storage.Volume) time.Duration {
	span := step.Span(place.SizeBytes)
	if b.tried != nil {
		if t, ok := b.tried.steps[baseline.StepKindOf(step, place.Path)]; ok {
			return t.Lasts(step, span)
		}
	}
	return step.Lasts(span)
}

// filling is what is made before the first run of a pattern, unless the pattern before it has left that.
func (b *Bench) filling(p baseline.Pattern, s *site, ready map[string]baseline.Prepared) (each time.Duration,
	bytes int64) {
	if want, ok := p.Prepared(); ok && ready[s.place.Path] != want {
		ready[s.place.Path], bytes = want, want.Size
	}
	for _, step := range p.Before {
		n, _ := step.Moves(step.Span(s.place.SizeBytes))
		bytes += n
	}
	if bytes == 0 {
		return 0, 0
	}
	if b.tried != nil {
		if t, ok := b.tried.fills[s.place.Path]; ok {
			whole := baseline.Step{Op: baseline.Write, FileSize: bytes, Threads: 1}
			return t.Lasts(whole, bytes), bytes
		}
	}
	return baseline.Step{Op: baseline.Write, FileSize: bytes, Threads: 1}.Lasts(bytes), bytes
}

// preconditioned is what preconditioning a place comes to.
func (b *Bench) preconditioned(place storage.Volume) (each time.Duration, bytes int64) {
	if b.config.Precondition == 0 {
		return 0, 0
	}
	for _, step := range preconditioning(b.config.Precondition) {
		step.Fresh = false // was tried so
		each, bytes = each+b.lasts(step, place), bytes+step.FileSize
	}
	return each, bytes
}

// budgetPlan is the run as a budget sees it.
func (b *Bench) budgetPlan() (plan baseline.Timetable) {
	ready := map[string]baseline.Prepared{}
	for _, place := range b.places {
		each, _ := b.preconditioned(place)
		plan.Once += each
	}
	for i, p := range b.config.Patterns {
		if i > 0 {
			plan.Once += p.Pause
		}
		for _, s := range newPatternRun(b, p).sites {
			each, _ := b.filling(p, s, ready)
			plan.Once += each
			for _, step := range p.Steps {
				piece := baseline.Piece{Each: b.lasts(step, s.place), Idle: step.Idle, Runs: p.Runs, Extra: p.Discard,
					Whole: step.Op == baseline.Copy || step.Files != nil}
				if p.Until != nil {
					piece.Runs, piece.Extra = p.Until.Max, 0
				}
				if step.Burst != nil {
					piece.Duty = step.Burst.Duty
				}
				plan.Pieces = append(plan.Pieces, piece)
			}
		}
	}
	return plan
}

// cut makes the patterns as short as a budget leaves them, and says so.
func (b *Bench) cut(c baseline.Cut, budget time.Duration) {
	fewer := false
	for i := range b.config.Patterns {
		p := b.config.Patterns[i].Cut(c.Runs, c.Time)
		fewer = fewer || p.Rounds() < b.config.Patterns[i].Rounds()
		b.config.Patterns[i] = p
	}
	text := ""
	if c.Time > 0 {
		text = fmt.Sprintf("steps end after %s", unit.Duration(c.Time.Round(10*time.Millisecond)))
	}
	if fewer {
		if text != "" {
			text += ", and "
		}
		text += fmt.Sprintf("there are no more than %s", unit.Things(int64(c.Runs), "run"))
	}
	if text != "" {
		b.shortened = "to end within " + unit.Duration(budget) + " (--budget), " + text
	}
}
