package experiment

import (
	"context"
	"errors"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// The pilot of an experiment.
const (
	pilotSmallest = 1 << 20 // bytes
	pilotLargest  = 64 << 20
	pilotGrowth   = 8
	pilotQuick    = 500 * time.Millisecond // a run for which the next larger one is made too
	pilotLimit    = 20 * time.Second       // for all of it
	pilotShare    = 5                      // of a budget, at most one in so many
)

// pilot finds out what a run takes here: the recording tells how long its program took,
// most of which need not come back in the cells. It makes the two cells that differ most,
// that of the benchmark and that of the workload, with small payloads; as far as effects
// add up, their mean is that of all.
type pilot struct {
	dir       string
	design    *design
	seed      uint64
	limit     time.Duration // of a run
	unreached string        // why direct I/O measures no device here, if it does not
}

// run makes the runs, for so long at most. Nothing is known if that is too short.
func (p *pilot) run(ctx context.Context, within time.Duration) (f forecast, err error) {
	f.limit = p.limit
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for size := int64(pilotSmallest); ; size *= pilotGrowth {
		payload := min(size, p.design.payload)
		run, err := p.sample(limited, payload)
		switch {
		case err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded):
			return f, nil
		case err != nil:
			return f, err
		}
		f.pilots = append(f.pilots, run)
		if run.took > pilotQuick || size >= min(pilotLargest, p.design.payload) {
			if f.longer, err = p.between(limited, payload); err != nil && ctx.Err() == nil && limited.Err() == nil {
				return f, err
			}
			return f, ctx.Err()
		}
	}
}

// sample is the mean time of the two cells with a payload, once their files are there, and what making these took.
func (p *pilot) sample(ctx context.Context, payload int64) (r pilotRun, err error) {
	cells, err := newAblation(p.dir, payload, p.design.corners(), p.seed)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	cells.Limit = p.limit
	r.payload = payload
	ends := []gap.Setting{gap.Corner(p.design.bench, p.design.factors, 0),
		gap.Corner(p.design.bench, p.design.factors, 1<<len(p.design.factors)-1)}
	for i, c := range ends {
		var took [2]time.Duration // the first run makes the files
		for k := range took {
			begun := time.Now()
			result, err := cells.Run(ctx, c)
			if err != nil {
				return r, err
			}
			took[k] = time.Since(begun)
			r.active[i] = time.Duration(result.ActiveNS)
			r.perByte = float64(result.ActiveNS) / float64(max(result.Bytes, 1))
		}
		r.took += took[1] / time.Duration(len(ends))
		r.making += max(took[0]-took[1], 0)
		r.made = files(payload, ends[:i+1])
	}
	p.unreached = cells.Unreached()
	return r, nil
}

// between finds out how much longer the cells between benchmark and workload take than the mean of those two: small
// requests past the page cache are much slower than either. It makes those with one difference, and with all but one,
// with the payload of the last pilot. What it does not come to counts as no longer.
func (p *pilot) between(ctx context.Context, payload int64) (factor float64, err error) {
	k := len(p.design.factors)
	if k < 2 || payload == 0 {
		return 0, nil
	}
	cells, err := newAblation(p.dir, payload, p.design.corners(), p.seed)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	cells.Limit = p.limit
	took := make([]time.Duration, 1<<k) // 0: not known
	all := 1<<k - 1
	order := []int{0, all}
	for i := range k {
		order = append(order, 1<<i, all&^(1<<i))
	}
	for _, mask := range order {
		if took[mask] != 0 {
			continue
		}
		r, err := cells.Run(ctx, gap.Corner(p.design.bench, p.design.factors, mask))
		if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			break
		}
		if err != nil {
			return 0, err
		}
		took[mask] = time.Duration(r.ActiveNS + r.DeferredNS)
	}
	return longer(took), nil
}
