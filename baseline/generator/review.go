package generator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/unit"
)

// ReviewConfig says what to do and where.
type ReviewConfig struct {
	Dirs   []string
	Labels map[string]string // by directory; others are called as they are written
	Tasks  []baseline.Task
	Runs   int
	Tool   string
	// Program is what is started: "PROGRAM version" has to end by itself.
	Program string
	Seed    int64
	// Rest is waited for after each run, so that a drive cools down and empties its cache.
	Rest time.Duration
	// Late is told, once, that the review takes more than twice as long as announced, and how long in all.
	Late func(announced, all time.Duration)
	// Former is a review that was interrupted: its runs are kept.
	Former *baseline.Review
	// Keep is called after each run, to save what is there.
	Keep func(*baseline.Review) error
}

// ReviewSession is a review under way. Close removes its files.
type ReviewSession struct {
	config   ReviewConfig
	result   *baseline.Review
	volumes  []*volume
	tried    map[kind]tried
	forecast *baseline.Forecast
	rng      *rand.Rand
}

// NewReview makes the working directories and checks the space.
func NewReview(c ReviewConfig) (*ReviewSession, error) {
	s := &ReviewSession{config: c, result: newReview(c)}
	for i, dir := range c.Dirs {
		v, err := storage.Describe(dir)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("preparing %s: %w", dir, err), s.Close())
		}
		label := c.Labels[dir]
		if label == "" {
			label = dir
		}
		s.result.Volumes = append(s.result.Volumes, baseline.Volume{Label: label, Place: v.Place})
		ws, err := storage.OpenWorkspace(dir)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.volumes = append(s.volumes, &volume{ws: ws, place: v, program: c.Program,
			seed: uint64(s.result.Seed) + uint64(i)<<40})
		if need := space(c.Tasks); need+baseline.Spare(need) > v.FreeBytes {
			return nil, errors.Join(fmt.Errorf("preparing %s: the tasks need %s of free space there, %s are free: use "+
				"smaller --sizes",
				dir, unit.Bytes(need+baseline.Spare(need)), unit.Bytes(v.FreeBytes)), s.Close())
		}
	}
	s.rng = rand.New(rand.NewPCG(uint64(s.result.Seed), 3))
	return s, s.resume(c.Former)
}

func newReview(c ReviewConfig) *baseline.Review {
	r := &baseline.Review{
		Type: "review", Version: 1, Tool: c.Tool, OS: runtime.GOOS, CPUs: runtime.NumCPU(),
		Started: time.Now().UTC().Round(time.Second),
		Seed:    c.Seed, Runs: c.Runs, RestNS: int64(c.Rest), Tasks: slices.Clone(c.Tasks),
	}
	if r.Seed == 0 {
		r.Seed = rand.Int64N(1 << 53)
	}
	for i := range r.Tasks {
		r.Tasks[i].Results = make([]baseline.TaskResult, len(c.Dirs))
	}
	r.Host, _ = os.Hostname()
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		r.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	return r
}

// resume takes over the runs of a former review, if that was of the same work on the same volumes.
func (s *ReviewSession) resume(former *baseline.Review) error {
	if former == nil {
		return nil
	}
	same := (former.Runs == s.result.Runs || former.Shortened != "") && len(former.Tasks) == len(s.result.Tasks) &&
		len(former.Volumes) == len(s.result.Volumes)
	for i := 0; same && i < len(former.Tasks); i++ {
		same = former.Tasks[i].Name == s.result.Tasks[i].Name && len(former.Tasks[i].Results) == len(s.volumes)
	}
	for i := 0; same && i < len(former.Volumes); i++ {
		same = former.Volumes[i].Path == s.result.Volumes[i].Path && former.Volumes[i].Label == s.result.Volumes[i].Label
	}
	if !same {
		return errors.Join(errors.New("the results that are there are of other work, sizes, runs or directories: choose "+
			"another file with -o, or replace it with -f"), s.Close())
	}
	former.Tool, former.Interrupted = s.result.Tool, false
	s.result = former
	return nil
}

// space is the most that the tasks need at once: what is read and its copy, or what is written.
func space(tasks []baseline.Task) int64 {
	most := int64(0)
	for _, t := range tasks {
		if t.Op != "" {
			most = max(most, t.Bytes)
			continue
		}
		most = max(most, 2*t.Bytes)
	}
	return most + 64*mib // of the pilot, and a program
}

// Close removes everything that was made.
func (s *ReviewSession) Close() error {
	var errs []error
	for _, v := range s.volumes {
		errs = append(errs, v.ws.Close())
	}
	s.volumes = nil
	return errors.Join(errs...)
}

// Planned is the review that is to be made.
func (s *ReviewSession) Planned() *baseline.Review { return s.result }

// Run does what is left: task by task, in each round once on every volume, in random order, so that a drift of the
// machine hits all alike. What was measured is in the result also when it is cut short.
func (s *ReviewSession) Run(ctx context.Context, progress func(task string, left time.Duration),
) (*baseline.Review, error) {
	err := s.run(ctx, progress)
	s.result.Interrupted = err != nil
	conclude(s.result)
	if err == nil && s.config.Keep != nil {
		err = s.config.Keep(s.result)
	}
	return s.result, err
}

func (s *ReviewSession) run(ctx context.Context, progress func(string, time.Duration)) error {
	if s.forecast == nil {
		s.forecast = baseline.NewForecast(s.jobs()...)
	}
	for i := range s.result.Tasks {
		t := &s.result.Tasks[i]
		if s.missing(*t) == 0 {
			continue
		}
		progress(t.Name, s.forecast.Left(baseline.UnderWay{}))
		if err := s.makeReady(ctx, *t); err != nil {
			return err
		}
		for s.missing(*t) > 0 {
			for _, k := range s.rng.Perm(len(s.volumes)) {
				progress(t.Name, s.forecast.Left(baseline.UnderWay{}))
				if err := s.once(ctx, t, k); err != nil {
					return err
				}
				s.tellLate()
			}
		}
	}
	return nil
}

// makeReady makes what a task reads, on each volume.
func (s *ReviewSession) makeReady(ctx context.Context, t baseline.Task) error {
	for k, v := range s.volumes {
		if !s.lacks(t, k) {
			continue
		}
		begun := time.Now()
		if err := v.prepare(ctx, t); err != nil {
			return v.ws.Explain(fmt.Errorf("preparing %s in %s: %w", t.Name, s.result.Volumes[k].Path, err))
		}
		s.done(makingKey(t, k), begun)
	}
	return nil
}

// done books what was begun at some time.
func (s *ReviewSession) done(key string, begun time.Time) {
	took := time.Since(begun)
	s.result.WallNS += int64(took)
	s.forecast.Done(key, took)
}

// tellLate says that the review takes much longer than it was said to.
func (s *ReviewSession) tellLate() {
	if s.config.Late == nil || s.tried == nil {
		return
	}
	if all, over := s.forecast.Overrun(baseline.UnderWay{}); over {
		s.config.Late(s.forecast.Announced(), all)
	}
}

// once does a task on a volume, if a run is missing there.
func (s *ReviewSession) once(ctx context.Context, t *baseline.Task, k int) error {
	if !s.lacks(*t, k) {
		return nil
	}
	v, begun := s.volumes[k], time.Now()
	r, err := v.run(ctx, *t)
	if err == nil && s.config.Rest > 0 {
		select {
		case <-time.After(s.config.Rest):
		case <-ctx.Done(): // the run is whole
		}
	}
	s.done(runKey(*t, k), begun)
	to := &t.Results[k]
	switch {
	case errors.Is(err, storage.ErrUnsupported):
		to.Skipped = err.Error()
		s.forecast.Drop(runKey(*t, k))
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return v.ws.Explain(fmt.Errorf("%s in %s: %w", t.Name, s.result.Volumes[k].Path, err))
	default:
		to.Runs = append(to.Runs, r)
	}
	if s.config.Keep != nil {
		if err := s.config.Keep(s.result); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *ReviewSession) lacks(t baseline.Task, k int) bool {
	return t.Results[k].Skipped == "" && len(t.Results[k].Runs) < s.result.RunsOf(t)
}

// missing is the number of runs of a task that are still to be made.
func (s *ReviewSession) missing(t baseline.Task) int {
	n := 0
	for k := range s.volumes {
		if s.lacks(t, k) {
			n += s.result.RunsOf(t) - len(t.Results[k].Runs)
		}
	}
	return n
}
