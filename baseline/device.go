package baseline

import (
	"context"
	"fmt"
)

// device is a block device whose content may be destroyed.
type device struct {
	path  string
	place Place
	hold  *file // opened exclusively for as long as the run lives
}

func (d *device) close() error { return d.hold.close() }

// prepareDevice discards the whole device (the nearest thing to a purge that
// every drive has) and does the steps that come before the first run.
func (pr *patternRun) prepareDevice(ctx context.Context, s *site) error {
	if len(pr.pattern.Before) > 0 {
		if err := pr.b.device.discard(); err != nil {
			for _, l := range s.logs {
				l.warn("purge", fmt.Sprintf("the device could not be discarded (%v): its state before the run is not known", err))
			}
		}
	}
	for _, step := range pr.pattern.Before {
		pr.b.set(func(a *Activity) { a.Step = step.Name })
		x := &execution{step: step, path: s.path, place: s.place, seed: pr.b.rng.Uint64(), threads: pr.b.config.Threads, meter: &pr.b.meter}
		pr.b.meter.begin()
		if _, err := x.blocks(ctx); err != nil {
			return fmt.Errorf("preconditioning, step %s: %w", step.Name, err)
		}
	}
	return nil
}
