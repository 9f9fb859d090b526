//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/internal/testenv"
)

// Sustained runs are scaled down: files of 16 MiB on a device that is the same
// all the time until it is throttled; without a throttle they write more, to last
// some seconds too. A control group lets what 100 ms are worth of the
// new limit through before it holds anything back: less than half a file.
const (
	sustainedSize  = 1200 << 20
	sustainedFile  = 16 << 20
	sustainedClean = 2000 << 20
	sustainedSlow  = 64 << 20
	sustainedPaced = time.Millisecond // how often the device is asked how much it has written
)

// sustained throttles a device after a random number of bytes, and in as many
// runs not at all.
func sustained(ctx context.Context, s *baselineSession) (err error) {
	limits, err := newThrottle()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, limits.close()) }()
	return withSlow(func(dir string) error { return sustainedRuns(ctx, s, dir, limits) })
}

func sustainedRuns(ctx context.Context, s *baselineSession, dir string, limits *throttle) error {
	l, err := testenv.At(dir)
	if err != nil {
		return err
	}
	for i := range 2 * s.rounds {
		var r sustainedRun
		if i%2 == 0 {
			r.Imposed = sustainedSize/4 + rand.Int64N(sustainedSize/2)
		}
		if err := throttled(ctx, &r, l, limits); err != nil {
			return err
		}
		s.results.Sustained = append(s.results.Sustained, r)
		fmt.Fprintf(os.Stderr, "throttled after %d MiB, found after %d MiB\n", r.Imposed>>20, r.Found>>20)
	}
	return nil
}

// throttled writes while the counters of the device are watched, and throttles it
// when they have come to r.Imposed.
func throttled(ctx context.Context, r *sustainedRun, l *testenv.FS, limits *throttle) error {
	if err := limits.limit(l, 0); err != nil {
		return err
	}
	total := int64(sustainedClean)
	if r.Imposed > 0 {
		total = sustainedSize
	}
	s, err := generator.NewSustained(generator.SustainedConfig{Dir: l.Dir, Total: total, FileSize: sustainedFile})
	if err != nil {
		return err
	}
	before := l.Written()
	done := make(chan struct{})
	watched := make(chan error, 1)
	go func() {
		if r.Imposed == 0 {
			watched <- nil
			return
		}
		for l.Written()-before < r.Imposed {
			select {
			case <-done:
				watched <- errors.New("the run ended before it was throttled")
				return
			case <-time.After(sustainedPaced):
			}
		}
		watched <- limits.limit(l, sustainedSlow)
	}()
	report, err := s.Run(ctx, func(baseline.SustainedProgress) {})
	close(done)
	if err := errors.Join(err, <-watched, s.Close()); err != nil {
		return err
	}
	if o := report.Passes[0].Onset; o != nil {
		r.Found = o.Bytes
		fmt.Fprintf(os.Stderr, "from %d to %d MB/s: ", o.Before/1e6, o.After/1e6)
	}
	return nil
}
