package experiment

import (
	"context"
	"errors"
	"math/bits"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline/ablation"
)

// between finds out how much longer the cells between benchmark and workload take than the mean of those two: small
// requests past the page cache are much slower than either. It makes those with one difference, and with all but one,
// with the payload of the last pilot. What it does not come to counts as no longer.
func (x *Experiment) between(ctx context.Context, payload int64) (err error) {
	k := len(x.factors)
	if k < 2 || payload == 0 {
		return nil
	}
	cells, err := ablation.New(x.o.Dir, payload, x.corners(), uint64(x.o.Seed))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	cells.Limit = x.limit
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
		r, err := cells.Run(ctx, ablation.Cell(gap.Corner(x.bench, x.factors, mask)))
		if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			break
		}
		if err != nil {
			return err
		}
		took[mask] = time.Duration(r.ActiveNS + r.DeferredNS)
	}
	x.longer = longer(took)
	return nil
}

// longer is the mean of the runs of a block, both ends twice more among them, over the mean of the ends. Cells that are
// not known are between those nearest in the number of differences.
func longer(took []time.Duration) float64 {
	k := bits.Len(uint(len(took) - 1))
	sum, n := make([]float64, k+1), make([]float64, k+1)
	for mask, t := range took {
		if t > 0 {
			sum[bits.OnesCount(uint(mask))] += float64(t)
			n[bits.OnesCount(uint(mask))]++
		}
	}
	ends := (took[0] + took[len(took)-1]).Seconds() * 1e9 / 2
	if took[0] == 0 || took[len(took)-1] == 0 {
		return 1
	}
	total, below := 4*ends, 0
	for mask := range took {
		level := bits.OnesCount(uint(mask))
		for below = level; n[below] == 0; below-- {
		}
		above := level
		for n[above] == 0 {
			above++
		}
		mean := sum[below] / n[below]
		if above > below {
			mean += (sum[above]/n[above] - mean) * float64(level-below) / float64(above-below)
		}
		total += mean
	}
	return total / float64(len(took)+4) / ends
}
