package generator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/unit"
)

// SustainedConfig says how long to write.
type SustainedConfig struct {
	Dir      string
	Total    int64         // bytes of each pass; 0: 100 GB, or what the disk holds
	FileSize int64         // bytes of each file; 0: a 160th of the total
	HalfRate bool          // a second pass, busy half of the time
	Rest     time.Duration // between the passes
	Threads  bool
	Seed     int64
	Tool     string
	// Precondition is how much is written before, and stays; 0 takes the drive as it is.
	Precondition int64
	// Late is told, once, that the run takes more than twice as long as announced, and how long in all.
	Late func(announced, all time.Duration)
}

// The writes of a sustained run: large and deep enough to keep any drive busy.
const (
	sustainedBlock = mib
	sustainedDepth = 8
	sustainedTotal = 100e9
	sustainedFiles = 160 // of a total that leaves the file size open
	smallestFile   = 16 * mib
)

// Sustained is a sustained run that is ready to begin. Close removes its files.
type Sustained struct {
	config SustainedConfig
	ws     *storage.Workspace
	place  storage.Volume
	meter  meter
	// forecast is nil without a trial.
	forecast *baseline.Forecast
	short    string // how a budget has made it shorter
}

// NewSustained makes the working directory, checks the space and settles the
// sizes that were left open.
func NewSustained(c SustainedConfig) (*Sustained, error) {
	ws, err := storage.OpenWorkspace(c.Dir)
	if err != nil {
		return nil, err
	}
	s := &Sustained{config: c, ws: ws}
	if s.place, err = storage.Describe(c.Dir); err == nil {
		err = s.settle()
	}
	if err != nil {
		return nil, errors.Join(err, ws.Close())
	}
	return s, nil
}

func (s *Sustained) settle() error {
	c := &s.config
	free := s.place.FreeBytes - c.Precondition
	if free <= 0 {
		return fmt.Errorf("preparing %s: %s are free, less than --precondition %s", c.Dir, unit.Bytes(s.place.FreeBytes),
			unit.Bytes(c.Precondition))
	}
	if c.Total == 0 {
		c.Total = min(sustainedTotal, free-baseline.Spare(free))
	}
	if need := c.Total + baseline.Spare(c.Total); need > free {
		return fmt.Errorf("preparing %s: %s of free space are needed there, %s are free: use a smaller --total", c.Dir,
			unit.Bytes(need), unit.Bytes(free))
	}
	if c.FileSize == 0 {
		c.FileSize = max(baseline.WholeBlocks(c.Total/sustainedFiles, sustainedBlock), smallestFile)
	}
	if c.FileSize < sustainedBlock || c.Total/c.FileSize < minChunks {
		return fmt.Errorf("preparing %s: %s in files of %s are less than %d files of at least %s, too few to find a "+
			"change: use a larger --total or a smaller --file-size",
			c.Dir, unit.Bytes(c.Total), unit.Bytes(s.config.FileSize), minChunks, unit.BlockSize(sustainedBlock))
	}
	c.FileSize = baseline.WholeBlocks(c.FileSize, sustainedBlock)
	if c.Seed == 0 {
		c.Seed = rand.Int64N(1 << 53)
	}
	return nil
}

// Plan announces the run in one line.
func (s *Sustained) Plan() string {
	before := ""
	if s.config.Precondition > 0 {
		before = fmt.Sprintf("; before that a file of %s three times, which stays until the end",
			unit.Bytes(s.config.Precondition))
	}
	text := fmt.Sprintf("%s: writes %s in %d new files of %s, %s are free", s.config.Dir, unit.Bytes(s.config.Total),
		s.files(), unit.Bytes(s.config.FileSize), unit.Bytes(s.place.FreeBytes)) + before
	if s.config.HalfRate {
		text += fmt.Sprintf("; then, after %s of rest, the same at half the rate", unit.Duration(s.config.Rest))
	}
	return text
}

// Try writes a file for a moment and says how long the run takes, as long as the drive stays as fast. With a budget it
// writes no more than fits into that.
func (s *Sustained) Try(ctx context.Context, budget time.Duration) (time.Duration, error) {
	path, begun := s.ws.NewPath("data"), time.Now()
	step := s.step(1)
	step.Limit = baseline.Limit{Time: baseline.TrialTime, Bytes: s.config.FileSize}
	m, err := s.execution(step, path, 1, &meter{}).blocks(ctx)
	trial := baseline.Trial{Wall: time.Since(begun)}
	if err = errors.Join(err, s.ws.Remove(path), s.ws.Sync()); err != nil {
		return 0, s.ws.Explain(err)
	}
	trial.Active, trial.Bytes = time.Duration(m.active), m.bytes[0]
	each := trial.Lasts(s.step(1), s.config.FileSize)
	before, err := s.tryPrecondition(ctx)
	if err != nil {
		return 0, s.ws.Explain(err)
	}
	fixed, passes := before, 1.0
	if s.config.HalfRate {
		fixed, passes = fixed+s.config.Rest, 3 // the second pass takes twice as long
	}
	if all := fixed + time.Duration(float64(each)*passes*float64(s.files())); budget > 0 && all > budget {
		fit := int64(float64(budget-fixed) / (float64(each) * passes))
		if fit < minChunks {
			return 0, fmt.Errorf("--budget %s is too short: %d files of %s, the fewest that show a change, take about %s; use "+
				"a smaller --file-size", unit.Duration(budget), minChunks, unit.Bytes(s.config.FileSize),
				unit.Duration(fixed+time.Duration(float64(each)*passes*float64(minChunks))))
		}
		s.config.Total = fit * s.config.FileSize
		s.short = fmt.Sprintf("to end within %s (--budget), %s are written", unit.Duration(budget),
			unit.Bytes(s.config.Total))
	}
	jobs := []baseline.Job{{Key: "full", Times: s.files(), Each: each, Bytes: s.config.FileSize}}
	if before > 0 {
		jobs = append(jobs, baseline.Job{Key: "precondition", Times: 1, Each: before})
	}
	if s.config.HalfRate {
		jobs = append(jobs, baseline.Job{Key: "rest", Times: 1, Each: s.config.Rest, Known: s.config.Rest},
			baseline.Job{Key: "half", Times: s.files(), Each: 2 * each, Bytes: s.config.FileSize})
	}
	s.forecast = baseline.NewForecast(jobs...)
	return s.forecast.Announced(), nil
}

func (s *Sustained) execution(step baseline.Step, path string, seed uint64, m *meter) *execution {
	return &execution{step: step, path: path, data: &s.ws.DataFiles, place: s.place, seed: seed,
		threads: s.config.Threads, meter: m}
}

// tryPrecondition writes a file for a moment, and over it at random, and says how long preconditioning takes.
func (s *Sustained) tryPrecondition(ctx context.Context) (all time.Duration, err error) {
	if s.config.Precondition == 0 {
		return 0, nil
	}
	path, have := s.ws.NewPath("data"), int64(0)
	for _, step := range preconditioning(s.config.Precondition) {
		full := step
		if !step.Fresh {
			step = baseline.TrialStep(step, have)
		}
		step.Limit = baseline.Limit{Time: baseline.TrialTime, Bytes: step.FileSize}
		m, err := s.execution(step, path, 1, &meter{}).blocks(ctx)
		if err != nil {
			return 0, err
		}
		if have == 0 {
			have = m.bytes[0]
		}
		all += baseline.Trial{Wall: time.Duration(m.active), Active: time.Duration(m.active), Bytes: m.bytes[0]}.Lasts(full,
			full.FileSize)
	}
	return all, errors.Join(s.ws.Remove(path), s.ws.Sync())
}

// booked books what was done, and tells when that takes much longer than it was said to.
func (s *Sustained) booked(key string, begun time.Time) {
	if s.forecast == nil {
		return
	}
	s.forecast.Done(key, time.Since(begun))
	if all, over := s.forecast.Overrun(baseline.UnderWay{}); over && s.config.Late != nil {
		s.config.Late(s.forecast.Announced(), all)
	}
}

// step writes a file, busy for a share of the time.
func (s *Sustained) step(duty float64) baseline.Step {
	step := baseline.Step{Name: "write", Op: baseline.Write, Access: baseline.Sequential, Block: sustainedBlock,
		Depth: sustainedDepth, Threads: 1, Cache: baseline.Direct,
		FileSize: s.config.FileSize, Data: baseline.RandomData, Fresh: true}
	if duty < 1 {
		step.Burst = &baseline.Burst{Bytes: min(32*mib, s.config.FileSize), Duty: duty}
		step.Limit.Bytes = s.config.FileSize
	}
	return step
}

func (s *Sustained) files() int { return int(s.config.Total / s.config.FileSize) }

// Close removes everything the run made.
func (s *Sustained) Close() error { return s.ws.Close() }

// Run writes. When it is cut short the report holds what was seen until then.
func (s *Sustained) Run(ctx context.Context,
	progress func(baseline.SustainedProgress)) (*baseline.SustainedReport, error) {
	r := &baseline.SustainedReport{Type: "sustained", Version: 1, Tool: s.config.Tool, Place: s.place.Place,
		Started:    time.Now().UTC().Round(time.Second),
		TotalBytes: s.config.Total, FileBytes: s.config.FileSize, Block: sustainedBlock, Depth: sustainedDepth,
		Seed: s.config.Seed, Shortened: s.short}
	var err error
	if s.config.Precondition > 0 {
		begun := time.Now()
		progress(baseline.SustainedProgress{Pass: "preconditioning", Total: s.config.Precondition})
		r.Preconditioned, err = precondition(ctx, s.ws, s.place, s.config.Precondition, s.config.Threads, &s.meter,
			uint64(s.config.Seed))
		s.booked("precondition", begun)
	}
	if err == nil {
		err = s.passes(ctx, r, progress)
	}
	r.Interrupted = err != nil
	concludeSustained(r)
	return r, s.ws.Explain(err)
}

func (s *Sustained) passes(ctx context.Context, r *baseline.SustainedReport,
	progress func(baseline.SustainedProgress)) error {
	full, err := s.pass(ctx, "full", 1, progress)
	r.Passes = append(r.Passes, full)
	if err != nil || !s.config.HalfRate {
		return err
	}
	if _, err := s.ws.RemoveData(); err != nil {
		return err
	}
	if err := s.ws.Sync(); err != nil {
		return err
	}
	begun := time.Now()
	if err := sleep(ctx, s.config.Rest); err != nil {
		return err
	}
	s.booked("rest", begun)
	half, err := s.pass(ctx, "half", 0.5, progress)
	r.Passes = append(r.Passes, half)
	return err
}

// pass writes the files of one pass, busy for the given share of the time.
func (s *Sustained) pass(ctx context.Context, name string, duty float64,
	progress func(baseline.SustainedProgress)) (baseline.Pass, error) {
	p := baseline.Pass{Name: name, Duty: duty, Before: storage.ReadThermal(s.place)}
	rng := rand.New(rand.NewPCG(uint64(s.config.Seed), 2))
	step := s.step(duty)
	begin := time.Now()
	for i := range s.files() {
		x := s.execution(step, s.ws.NewPath("data"), rng.Uint64(), &s.meter)
		s.meter.begin()
		start, begun := time.Since(begin), time.Now()
		m, err := x.blocks(ctx)
		if err != nil {
			return p, err
		}
		if err := s.ws.Check(); err != nil {
			return p, err
		}
		f := baseline.SustainedFile{StartNS: int64(start), ActiveNS: m.active, Bytes: m.bytes[0],
			Rate: baseline.PerSecond(m.bytes[0], m.active)}
		if t := storage.ReadThermal(s.place); t != nil {
			f.MilliCelsius = t.MilliCelsius
		}
		p.Files = append(p.Files, f)
		s.booked(name, begun)
		left := time.Duration(float64(time.Since(begin)) / float64(i+1) * float64(s.files()-i-1))
		progress(baseline.SustainedProgress{Pass: name, Written: int64(i+1) * s.config.FileSize, Total: s.config.Total,
			Rate: f.Rate, Left: left})
	}
	p.After = storage.ReadThermal(s.place)
	return p, nil
}
