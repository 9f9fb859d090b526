package generator

import (
	"slices"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/stats"
)

// newShown turns a rate into what the tool prints.
func newShown(o baseline.Original, rate float64) *baseline.Shown {
	return &baseline.Shown{Rule: o.Pick, Runs: o.Runs, BytesPerSecond: rounded(rate), Value: rate / 1e6 * o.Factor}
}

// shown is what the original shows for this step, from the first of our
// counted runs; nil if its number is not one of the step.
func (l *stepLog) shown(o baseline.Original) *baseline.Shown {
	rates := l.Counted(rateOf)
	if len(rates) == 0 {
		return nil
	}
	rates = rates[:min(len(rates), max(o.Runs, 1))]
	switch o.Pick {
	case baseline.PickMax:
		return newShown(o, slices.Max(rates))
	case baseline.PickMean:
		return newShown(o, stats.Mean(rates))
	case baseline.PickMedian:
		return newShown(o, stats.Median(rates))
	case baseline.PickLast:
		return newShown(o, rates[len(rates)-1])
	case baseline.PickSingle, baseline.PickPerStep:
		return newShown(o, rates[0])
	case baseline.PickBurstMean:
		return l.burstMean(o)
	case baseline.PickRegression:
		if line := l.sizeTime(); line != nil {
			if line.OLS <= 0 {
				return nil
			}
			return newShown(o, float64(line.OLS))
		}
	}
	return nil
}

func (l *stepLog) burstMean(o baseline.Original) *baseline.Shown {
	for _, r := range l.Runs {
		if !r.Counted || len(r.Bursts) == 0 {
			continue
		}
		sum := 0.0
		for _, b := range r.Bursts {
			sum += float64(b.BytesPerSecond)
		}
		return newShown(o, sum/float64(len(r.Bursts)))
	}
	return nil
}

// shownOverSteps is the number of a tool that averages over steps of one run.
func shownOverSteps(o baseline.Original, logs []*stepLog) *baseline.Shown {
	if o.Pick != baseline.PickStepMean {
		return nil
	}
	sum, n := 0.0, 0
	for _, l := range logs {
		rates := l.Counted(rateOf)
		if picked(o, l.Step.Name) && len(rates) > 0 {
			sum += rates[0]
			n++
		}
	}
	want := len(o.Steps)
	if want == 0 {
		want = len(logs)
	}
	if n < want {
		return nil // not all of them could be measured
	}
	return newShown(o, sum/float64(n))
}

func picked(o baseline.Original, step string) bool {
	return len(o.Steps) == 0 || slices.Contains(o.Steps, step)
}

// steadyMean applies the rule of a search for steady state to the rates of the
// tracked step, one per round.
func steadyMean(s baseline.SteadyState, rates []float64) (mean float64, ok bool) {
	if len(rates) < s.Window {
		return 0, false
	}
	rates = rates[len(rates)-s.Window:]
	x := make([]float64, len(rates))
	lo, hi := rates[0], rates[0]
	for i, r := range rates {
		x[i] = float64(i)
		lo, hi = min(lo, r), max(hi, r)
	}
	mean = stats.Mean(rates)
	change := stats.OLS(x, rates, 0).Slope.Value * float64(s.Window-1)
	return mean, hi-lo <= s.Range*mean && change <= s.Slope*mean && change >= -s.Slope*mean
}
