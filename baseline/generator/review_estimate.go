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

// A trial does work with as many bytes or files, if it is more.
const (
	trialBytes = 64 * mib
	trialFiles = 50
)

// kind is what tasks have in common that take the same time for as many bytes.
type kind struct {
	work   string
	cold   bool
	op     baseline.Op
	volume int
	access baseline.Access
}

// tried is what a kind of work took for a moment: the making of what it reads, and a run.
type tried struct {
	making baseline.Trial
	run    baseline.Trial
}

// Estimate tries each kind of work on each volume for a moment and says how long the review will take. What is
// announced is kept in the result. With a budget there are as many runs as fit into it.
func (s *ReviewSession) Estimate(ctx context.Context, budget time.Duration) (time.Duration, error) {
	s.tried = map[kind]tried{}
	for k, v := range s.volumes {
		for _, t := range s.result.Tasks {
			key := kindOf(t, k)
			if _, done := s.tried[key]; done || !s.lacks(t, k) {
				continue
			}
			tr, err := v.try(ctx, t)
			if err != nil && !errors.Is(err, storage.ErrUnsupported) {
				return 0, v.ws.Explain(fmt.Errorf("trying %s in %s: %w", t.Work, s.result.Volumes[k].Path, err))
			}
			s.tried[key] = tr
		}
		if err := v.clear(); err != nil {
			return 0, err
		}
	}
	if err := s.shorten(budget); err != nil {
		return 0, err
	}
	s.forecast = baseline.NewForecast(s.jobs()...)
	left := s.forecast.Announced()
	if s.result.PlannedNS == 0 {
		s.result.PlannedNS = int64(left)
	}
	return left, nil
}

func kindOf(t baseline.Task, volume int) kind {
	return kind{work: t.Work, cold: t.Cold, op: t.Op, volume: volume, access: t.Access}
}

// clear removes what was made for trials.
func (v *volume) clear() error {
	v.ready = ""
	_, err := v.ws.RemoveData()
	return errors.Join(err, v.ws.Sync())
}

// small is a task as it is tried.
func small(t baseline.Task) baseline.Task {
	switch t.Work {
	case "tree":
		n := min(t.Files, trialFiles)
		t.Bytes, t.Files = t.Bytes*int64(n)/int64(t.Files), n
	case "sustained":
		t.Bytes, t.Files = t.Bytes/int64(max(t.Files, 1)), 1
	default:
		least := int64(trialBytes)
		if t.Point != nil && t.Point.Over == baseline.OverBlock {
			least = max(least, t.Point.Value)
		}
		t.Bytes = min(t.Bytes, least)
	}
	return t
}

func (v *volume) try(ctx context.Context, t baseline.Task) (r tried, err error) {
	t = small(t)
	same := v.ready == needs(t)
	begun := time.Now()
	if err := v.prepare(ctx, t); err != nil {
		return r, err
	}
	r.making = baseline.Trial{Wall: time.Since(begun), Active: time.Since(begun), Bytes: t.Bytes}
	if same { // another kind of work has made it, and knows how long that took
		r.making = v.made
	}
	v.made = r.making
	begun = time.Now()
	run, err := v.run(ctx, t)
	r.run = baseline.Trial{Wall: time.Since(begun), Active: time.Duration(run.NS), Durable: time.Duration(run.SafeNS),
		Bytes: t.Bytes}
	if t.Work == "files" {
		r.run.Files, r.run.Durable = run.Parts, 0
	}
	return r, err
}

// lasts estimates the making of what a task reads, and one run of it.
func (r tried) lasts(t baseline.Task) (making, run time.Duration) {
	moves := baseline.Step{Op: baseline.Write, FileSize: t.Bytes, Threads: 1, Block: 1}
	if making = r.making.Lasts(moves, t.Bytes); r.making.Bytes == 0 {
		making = 0
	}
	switch {
	case t.Point != nil:
		// What is under way when the time is over is waited for.
		s := step(t)
		outstanding := baseline.Step{Op: s.Op, FileSize: s.Block * int64(s.Nominal()), Threads: 1, Block: 1}
		return making, max(r.run.Wall, r.making.Lasts(outstanding, outstanding.FileSize))
	case t.Work == "launch", t.Work == "clone":
		return making, r.run.Wall
	case t.Work == "scrub":
		return making, r.run.Wall
	case t.Work == "files":
		return making, r.run.Lasts(step(t), t.Bytes)
	}
	return making, r.run.Lasts(moves, t.Bytes)
}

func makingKey(t baseline.Task, volume int) string {
	return fmt.Sprint("making ", needs(t), " ", volume)
}
func runKey(t baseline.Task, volume int) string { return fmt.Sprint("run ", t.Name, " ", volume) }

// jobs are all that is still to be done.
func (s *ReviewSession) jobs() (jobs []baseline.Job) {
	for k, v := range s.volumes {
		ready := v.ready
		for _, t := range s.result.Tasks {
			if !s.lacks(t, k) {
				continue
			}
			making, run := s.tried[kindOf(t, k)].lasts(t)
			if needs(t) != ready {
				ready = needs(t)
				jobs = append(jobs, baseline.Job{Key: makingKey(t, k), Times: 1, Each: making})
			}
			jobs = append(jobs, baseline.Job{Key: runKey(t, k), Times: s.result.RunsOf(t) - len(t.Results[k].Runs),
				Each: run + s.config.Rest, Known: s.config.Rest})
		}
	}
	return jobs
}

// shorten makes as many runs of each task as fit into a budget.
func (s *ReviewSession) shorten(budget time.Duration) error {
	if budget <= 0 {
		return nil
	}
	for most := s.result.Runs; ; s.result.Runs-- {
		left := baseline.NewForecast(s.jobs()...).Announced()
		switch {
		case left <= budget && s.result.Runs < most:
			s.result.Shortened = fmt.Sprintf("to end within %s (--budget), there are no more than %s", unit.Duration(budget),
				unit.Things(int64(s.result.Runs), "run"))
			return nil
		case left <= budget:
			return nil
		case s.result.Runs == 1:
			return fmt.Errorf("--budget %s is too short: a single run of each task takes about %s; use smaller --sizes, or "+
				"less work", unit.Duration(budget), unit.Duration(left))
		}
	}
}
