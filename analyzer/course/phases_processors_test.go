package course

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/stats"
)

// A second at 1 GB/s, then ten at a tenth of that: what the threads did in the slow part, and how much of that time
// they had a processor, say whether that is a step.
func TestProcessorsMakeNoStep(t *testing.T) {
	const second = int64(1_000_000_000)
	for name, c := range map[string]struct {
		label timeline.Label // in the slow part
		ran   int64          // of the processes
		steps int
	}{
		"others had the CPUs between calls":            {timeline.CPU, 2 * second, 0},
		"others had the CPUs in calls":                 {timeline.PageCache, 2 * second, 0},
		"the program computed":                         {timeline.CPU, 11 * second, 1},
		"copying in memory became slower":              {timeline.PageCache, 10 * second, 1},
		"a limit, and others had the CPUs":             {timeline.IOWait, second / 4, 1},
		"the device, and others had the CPUs":          {timeline.DeviceRead, second / 4, 1},
		"the dirty limit, and others had processors":   {timeline.Throttled, second / 4, 1},
		"how long the processes ran was not recorded":  {timeline.CPU, profile.Unknown, 1},
		"processes that nothing is known of in all":    {timeline.CPU, 0, 1},
		"a little is missing, as interrupts take some": {timeline.CPU, 9 * second, 1},
	} {
		trend := measure.NewTrend(600, 11*second)
		trend.Label(timeline.Kind(timeline.PageCache), 0, second)
		trend.Label(timeline.Kind(c.label), second, 11*second)
		seemed := second
		if c.label == timeline.CPU || c.label == timeline.PageCache {
			seemed = 11 * second
		}
		p := &profile.Profile{Processes: []profile.Process{{CPUNS: c.ran}}}
		p.TimeStack.ThreadNS = map[string]int64{"data_calls": seemed}
		levels := []level{
			{Level: stats.Level{From: 0, To: 10, Median: 1e9}, chunk: 1e8, end: mark{at: second}},
			{Level: stats.Level{From: 10, To: 20, Median: 1e8, Ratio: .1}, chunk: 1e8, begin: mark{at: second},
				end: mark{at: 11 * second}},
		}
		for i := range levels {
			levels[i].rates = []float64{levels[i].Median, levels[i].Median}
		}
		kept, joined := newProcessors(trend, p).join(levels)
		if len(kept)-1 != c.steps || joined != 1-c.steps {
			t.Errorf("%s: %d steps, %d joined, want %d", name, len(kept)-1, joined, c.steps)
		}
		if last := kept[len(kept)-1]; last.To != 20 || last.end.at != 11*second {
			t.Errorf("%s: the last level ends at chunk %d, %d ns", name, last.To, last.end.at)
		}
	}
}

// Of three levels the middle one came with the processors: what is left on both sides is one level again, and no step.
func TestJoinedLevelsAreOne(t *testing.T) {
	const second = int64(1_000_000_000)
	trend := measure.NewTrend(600, 5*second)
	trend.Label(timeline.Kind(timeline.PageCache), 0, 5*second)
	p := &profile.Profile{Processes: []profile.Process{{CPUNS: 3 * second}}}
	p.TimeStack.ThreadNS = map[string]int64{"data_calls": 5 * second}
	var levels []level
	for i, rate := range []float64{1e9, 3e8, 1e9} {
		at := []int64{0, 1, 4, 5}
		levels = append(levels, level{Level: stats.Level{From: 10 * i, To: 10*i + 10, Median: rate, Ratio: 1}, chunk: 1e8,
			begin: mark{at: at[i] * second}, end: mark{at: at[i+1] * second}, rates: []float64{rate, rate, rate}})
	}
	kept, joined := newProcessors(trend, p).join(levels)
	if len(kept) != 1 || joined != 2 || kept[0].Median != 1e9 || kept[0].To != 30 {
		t.Errorf("%d levels, %d joined: %+v", len(kept), joined, kept)
	}
}
