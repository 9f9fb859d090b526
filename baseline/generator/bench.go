package generator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/unit"
)

// Config says what to run and where.
type Config struct {
	Patterns []baseline.Pattern
	Dirs     []string
	// Device is a block device whose content may be destroyed. Patterns that
	// need a whole device run there, all others in Dirs.
	Device string
	// Seed makes orders, offsets and data repeatable; 0 draws one.
	Seed int64
	// Threads uses threads even where io_uring is available.
	Threads bool
	// KeepCaches leaves the page cache of the system alone.
	KeepCaches bool
	Tool       string // name and version for the report
	// Precondition is how much is written to each directory before, and stays there; 0 takes the drives as they are.
	Precondition int64
	Labels       map[string]string // what directories are called
	// Late is told, once, that the run takes more than twice as long as announced, and how long in all.
	Late func(announced, all time.Duration)
}

// Bench is a run that is ready to begin. Its working directories exist; Close
// removes them.
type Bench struct {
	config Config
	spaces []*directory     // one per directory
	device *storage.Device  // nil without one
	places []storage.Volume // of the directories
	plan   baseline.Plan
	rng    *rand.Rand
	order  int
	drops  bool // the page cache of the system may be dropped

	tried     *trials // nil if nothing was
	shortened string  // by a budget: how

	meter    meter
	mu       sync.Mutex
	now      activity
	forecast *baseline.Forecast
}

// directory is the working directory in one place, with the prepared file that
// exists there, if any.
type directory struct {
	*storage.Workspace
	file  string // its path
	ready baseline.Prepared
	// The file of trials, and how much of it was filled.
	trial     string
	trialSize int64
}

// activity is what a run is doing.
type activity struct {
	baseline.Activity
	key string // of the job
}

// New checks the configuration, makes the working directories and the plan.
// Nothing has been written yet but their owner files.
func New(c Config) (*Bench, error) {
	if len(c.Patterns) == 0 {
		return nil, errors.New("no pattern to run")
	}
	b := &Bench{config: c}
	if c.Seed == 0 {
		b.config.Seed = rand.Int64N(1 << 53)
	}
	b.rng = rand.New(rand.NewPCG(uint64(b.config.Seed), 1))
	if err := b.open(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if err := b.check(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// open validates the patterns and opens the places.
func (b *Bench) open() error {
	files := false
	for _, p := range b.config.Patterns {
		if err := p.Validate(); err != nil {
			return err
		}
		if p.Target == baseline.TargetFile {
			files = true
		} else if b.config.Device == "" {
			return fmt.Errorf("pattern %s writes to a whole device and destroys what is on it: name the device with "+
				"--destroy DEVICE", p.Name)
		}
	}
	if !files && b.config.Precondition > 0 {
		return errors.New("nothing to precondition: patterns that need a whole device write all of it before")
	}
	if files && len(b.config.Dirs) == 0 {
		return errors.New("no directory to work in: name one with --dir DIR")
	}
	for _, dir := range b.config.Dirs {
		if err := b.openDir(dir); err != nil {
			return err
		}
	}
	if b.config.Device != "" {
		var err error
		if b.device, err = storage.OpenDevice(b.config.Device); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bench) openDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("preparing %s: %w", dir, err)
	}
	for _, ws := range b.spaces {
		if other, err := os.Stat(ws.Dir); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("preparing %s: it is the same directory as %s (to compare a disk with itself, use two "+
				"directories on it)", dir, ws.Dir)
		}
	}
	ws, err := storage.OpenWorkspace(dir)
	if err != nil {
		return err
	}
	b.spaces = append(b.spaces, &directory{Workspace: ws})
	place, err := storage.Describe(dir)
	if err != nil {
		return fmt.Errorf("preparing %s: %w", dir, err)
	}
	place.Label = b.config.Labels[dir]
	b.places = append(b.places, place)
	return nil
}

// check makes the plan and compares it with the free space.
func (b *Bench) check() error {
	onFile, onDevice := b.split()
	need := map[string]int64{} // by file system: several directories may share one
	for i, place := range b.places {
		p := baseline.PlanOf(onFile, place.Place)
		p.Removed = b.spaces[i].Removed
		p.Space += b.config.Precondition
		for _, step := range preconditioning(b.config.Precondition) {
			p.Writes += min(step.FileSize, b.config.Precondition)
		}
		b.plan.Places = append(b.plan.Places, p)
		key := place.Source + place.Mount
		need[key] += p.Space
		if want := need[key] + baseline.Spare(need[key]); want > place.FreeBytes {
			return fmt.Errorf("preparing %s: the patterns need %s of free space there, %s are free: use a smaller --size",
				place.Path, unit.Bytes(want), unit.Bytes(place.FreeBytes))
		}
	}
	if len(onDevice) > 0 {
		p := baseline.PlanOf(onDevice, b.device.Place.Place)
		p.Space = 0
		b.plan.Places = append(b.plan.Places, p)
	}
	for _, p := range b.config.Patterns {
		b.drops = b.drops || p.DropCaches
	}
	b.drops = b.drops && !b.config.KeepCaches && rights.CanRoot()
	b.plan.DropsCaches = b.drops
	return nil
}

// split sorts the patterns by what they write to.
func (b *Bench) split() (onFile, onDevice []baseline.Pattern) {
	for _, p := range b.config.Patterns {
		if p.Target == baseline.TargetDevice {
			onDevice = append(onDevice, p)
		} else {
			onFile = append(onFile, p)
		}
	}
	return onFile, onDevice
}

// Plan is what Run is about to do.
func (b *Bench) Plan() baseline.Plan { return b.plan }

// Close removes everything the run made. It must be called, also after errors.
func (b *Bench) Close() error {
	var errs []error
	for _, ws := range b.spaces {
		errs = append(errs, ws.Close())
	}
	if b.device != nil {
		errs = append(errs, b.device.Close())
	}
	b.spaces, b.device = nil, nil
	return errors.Join(errs...)
}

// Run executes the patterns. When ctx is cancelled or something fails, the
// report holds what was measured until then, and is returned with the error.
func (b *Bench) Run(ctx context.Context) (*baseline.Report, error) {
	begin := time.Now()
	r := &baseline.Report{
		Type: "bench", Version: 1, Tool: b.config.Tool, OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(),
		Started: begin.UTC().Round(time.Second), Seed: b.config.Seed, Warnings: []baseline.Warning{},
	}
	r.Host, _ = os.Hostname()
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		r.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	for _, p := range b.places {
		r.Places = append(r.Places, p.Place)
	}
	if b.device != nil {
		r.Places = append(r.Places, b.device.Place.Place)
	}
	b.warn(r)
	if b.forecast == nil {
		b.forecast = baseline.NewForecast(b.jobs()...)
	}
	stop := b.watch()
	err := b.precondition(ctx, r)
	if err == nil {
		err = b.patterns(ctx, r)
	}
	stop()
	r.Interrupted = err != nil
	r.WallNS = int64(time.Since(begin))
	for _, p := range r.Patterns {
		count(r, p)
	}
	return r, err
}

// watch tells the caller when the run takes much longer than it was said to, until the returned function is called.
func (b *Bench) watch() (stop func()) {
	if b.config.Late == nil || b.tried == nil {
		return func() {}
	}
	end := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				b.mu.Lock()
				all, over := b.forecast.Overrun(b.underWay())
				announced := b.forecast.Announced()
				b.mu.Unlock()
				if over {
					b.config.Late(announced, all)
					return
				}
			}
		}
	})
	return func() { close(end); done.Wait() }
}

// warn adds the warnings that hold for all results.
func (b *Bench) warn(r *baseline.Report) {
	if b.shortened != "" {
		r.Warnings = append(r.Warnings, baseline.Warning{Code: "budget", Text: b.shortened})
	}
	if err := ringAvailable(); err != nil && runtime.GOOS == "linux" && !b.config.Threads {
		r.Warnings = append(r.Warnings, baseline.Warning{Code: "no_io_uring",
			Text: fmt.Sprintf("%v: threads keep the queue depth instead, at a higher cost of CPU", err)})
	}
	for _, p := range b.config.Patterns {
		if p.DropCaches && !b.drops {
			r.Warnings = append(r.Warnings, baseline.Warning{Code: "caches_kept",
				Text: "the page cache of the system was not dropped before each step (needs root and no --keep-caches); the " +
					"pages of the test files were"})
			return
		}
	}
}

func count(r *baseline.Report, p baseline.PatternResult) {
	for _, place := range p.Places {
		for _, s := range place.Steps {
			for _, run := range s.Runs {
				r.ReadBytes += run.ReadBytes
				r.WrittenBytes += run.WriteBytes
			}
		}
	}
}

func (b *Bench) patterns(ctx context.Context, r *baseline.Report) error {
	for i, p := range b.config.Patterns {
		if i > 0 {
			b.begin(pauseKey+p.Name, baseline.Activity{Pattern: p.Name, Step: "pause"})
			if err := sleep(ctx, p.Pause); err != nil {
				return err
			}
			b.done(pauseKey+p.Name, p.Pause)
		}
		pr := newPatternRun(b, p)
		err := pr.run(ctx)
		r.Patterns = append(r.Patterns, pr.result())
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Bench) set(change func(*activity)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.now)
}

// begin says what is done from now on.
func (b *Bench) begin(key string, now baseline.Activity) {
	b.meter.begin()
	b.set(func(a *activity) { *a = activity{Activity: now, key: key} })
}

// done books a job.
func (b *Bench) done(key string, took time.Duration) {
	b.set(func(a *activity) {
		if b.forecast.Done(key, took); a.key == key {
			a.key = ""
		}
	})
}

// underWay is the job that is being done, as the forecast sees it.
func (b *Bench) underWay() baseline.UnderWay {
	if b.now.key == "" {
		return baseline.UnderWay{}
	}
	moved, since := b.meter.read()
	return baseline.UnderWay{Key: b.now.key, Since: since, Moved: moved}
}

// Activity is what the run is doing now; it may be asked from any goroutine.
func (b *Bench) Activity() baseline.Activity {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.now.Activity
	a.Moved, a.Since = b.meter.read()
	if b.forecast != nil {
		a.Left = b.forecast.Left(b.underWay())
	}
	return a
}
