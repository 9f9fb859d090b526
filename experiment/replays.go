package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/stats"
)

// replay is what the recording takes now, in seconds per GB: the median of six
// replays. 0 if it is too large.
func (x *Experiment) replay(ctx context.Context, w *gap.Workload) (float64, error) {
	if !replayable(w) {
		return 0, nil
	}
	if x.o.Budget > 0 {
		return x.replayWithin(ctx, w)
	}
	fmt.Fprintf(x.o.Notes, "The workload cell does not match the recording: it is replayed %d times, which takes about "+
		"%s.\n", replays, unit.Duration(replays*x.replays.said))
	p, err := x.recording()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	all, err := replay.Repeat(ctx, p, replay.Options{Dir: x.o.Dir, Made: func(n int) {
		fmt.Fprint(x.o.Notes, x.replays.add(1, time.Since(begun), replays-n))
		begun = time.Now()
	}}, replays)
	if err != nil {
		return 0, err
	}
	var ratios []float64
	for _, r := range all {
		ratios = append(ratios, r.Wall)
	}
	return stats.Median(ratios) * w.SecondsPerGB(), nil
}

// recording reads what is replayed, with the rights that this process began with: the trace may be root's alone.
func (x *Experiment) recording() (p *replay.Program, err error) {
	err = rights.Root(func() (err error) {
		p, err = replay.Load(x.path)
		return err
	})
	return p, err
}

// replayWithin makes as many replays as the budget has left.
func (x *Experiment) replayWithin(ctx context.Context, w *gap.Workload) (float64, error) {
	p, err := x.recording()
	if err != nil {
		return 0, err
	}
	var ratios []float64
	for each := x.replays.said; len(ratios) < replays && x.budget.left() > each; {
		begun := time.Now()
		limited, cancel := x.budget.limited(ctx)
		r, err := replay.Run(limited, p, replay.Options{Dir: x.o.Dir})
		cancel()
		switch {
		case err != nil && ctx.Err() == nil && limited.Err() != nil && x.budget.left() <= 0:
			each = 1 << 62
		case err != nil:
			return 0, err
		default:
			ratios, each = append(ratios, r.Wall), time.Since(begun)
		}
	}
	if len(ratios) < replays {
		x.budget.cut = true
		x.budget.leave("the recording was replayed %d times, not %d", len(ratios), replays)
	}
	if len(ratios) == 0 {
		return 0, nil
	}
	return stats.Median(ratios) * w.SecondsPerGB(), nil
}
