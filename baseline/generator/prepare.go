package generator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// prepare makes the file that the steps work on, or brings the device into the
// state that the pattern begins with.
func (pr *patternRun) prepare(ctx context.Context, s *site) error {
	b, begun := pr.b, time.Now()
	key := fillKey(pr.pattern.Name, s.place.Path)
	b.begin(key, baseline.Activity{Pattern: pr.pattern.Name, Step: "preparing", Place: s.place.Path})
	defer func() { b.done(key, time.Since(begun)) }()
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
	// Only btrfs and bcachefs know it; elsewhere there is nothing to be done.
	_ = s.ws.SetNoCOW(want.NoCOW)
	if _, err := pr.fillWith(ctx, s, fillStep(want), b.rng.Uint64()); err != nil {
		return fmt.Errorf("preparing a file of %d bytes: %w", want.Size, err)
	}
	s.ws.file, s.ws.ready = s.path, want
	return nil
}

// fillStep writes a prepared file in large blocks, past the cache where that is possible, and makes it durable.
func fillStep(want baseline.Prepared) baseline.Step {
	step := baseline.Step{Name: "fill", Op: baseline.Write, Access: baseline.Sequential, Block: mib, Depth: 8,
		Threads: 1, Cache: baseline.Direct,
		FileSize: want.Size, Data: want.Data, Fresh: true, Sync: baseline.SyncEnd}
	if want.Size%storage.Sector != 0 {
		step.Cache = baseline.Buffered // direct I/O does not end within a sector
	}
	return step
}

// fillWith fills a file by a step, through the cache where there is no way past it.
func (pr *patternRun) fillWith(ctx context.Context, s *site, step baseline.Step, seed uint64) (*measure, error) {
	x := pr.execution(s, step, seed)
	pr.b.meter.begin()
	m, err := x.blocks(ctx)
	if errors.Is(err, storage.ErrUnsupported) {
		x.step.Cache = baseline.Buffered
		m, err = x.blocks(ctx)
	}
	return m, err
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
		x := pr.execution(s, step, pr.b.rng.Uint64())
		if _, err := x.blocks(ctx); err != nil {
			return fmt.Errorf("preconditioning, step %s: %w", step.Name, err)
		}
	}
	return nil
}

// cool makes sure that a step that reads through the cache finds nothing there.
func (pr *patternRun) cool(s *site, step baseline.Step) error {
	if pr.pattern.DropCaches && pr.b.drops {
		if err := storage.DropCaches(); err != nil {
			return err
		}
	}
	if s.ws != nil && step.Reads() && strings.HasPrefix(s.place.FSType, "fuse") {
		if err := s.ws.Sync(); err != nil {
			return err
		}
		s.place.DropDevice() // what its daemon has read there
	}
	if s.ws == nil || !step.Reads() || step.Cache == baseline.Direct {
		return nil
	}
	return s.ws.DropPages()
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
	return errors.Join(s.removeFiles(), s.ws.RemoveKind("set"), s.ws.Sync())
}

// removeFresh removes the new files of a step, but no set of files.
func (s *site) removeFresh() error {
	if s.ws == nil || len(s.created) == 0 {
		return nil
	}
	return errors.Join(s.removeFiles(), s.ws.Sync())
}

func (s *site) removeFiles() (err error) {
	for _, path := range s.created {
		err = errors.Join(err, s.ws.Remove(path))
	}
	s.created = nil
	return err
}

func (s *site) hasSet() bool {
	return slices.ContainsFunc(s.logs, func(l *stepLog) bool { return l.Step.Files != nil })
}
