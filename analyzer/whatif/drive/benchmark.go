package drive

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
)

// ReadBenchmark makes a model of the drive that the result of `iotrace bench --json` in a
// file was measured on.
func ReadBenchmark(file string) (Model, error) {
	r, err := baseline.ReadReport(file)
	if err != nil {
		return Model{}, err
	}
	m, ok := ModelOf(cells(r))
	if !ok {
		return m, fmt.Errorf("%s has no direct reads or writes with one in flight, which tell the latency of the drive: "+
			"measure them with `iotrace bench kdm/default --json`", file)
	}
	return m, nil
}

// cells are the measurements of a result that speak of the drive alone: reads or
// writes past the page cache. Of each, the run with the median rate counts.
func cells(r *baseline.Report) []Cell {
	var list []Cell
	for i := range r.Patterns {
		p := &r.Patterns[i]
		for k := range p.Places {
			for n := range min(len(p.Places[k].Steps), len(p.Pattern.Steps)) {
				if c, ok := cell(&p.Pattern.Steps[n], &p.Places[k].Steps[n]); ok {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

func cell(step *baseline.Step, result *baseline.StepResult) (Cell, bool) {
	runs := slices.DeleteFunc(slices.Clone(result.Runs), func(r baseline.RunResult) bool {
		return !r.Counted || r.ActiveNS <= 0 || r.Rate <= 0
	})
	if len(runs) == 0 || step.Cache != baseline.Direct || step.Reads() == step.Writes() || step.Files != nil {
		return Cell{}, false
	}
	sorting.Stably(runs, func(a, b baseline.RunResult) int { return int(a.Rate - b.Rate) })
	run, direction := &runs[len(runs)/2], "read"
	if step.Writes() {
		direction = "write"
	}
	return Cell{
		Write: step.Writes(), Random: step.Access == baseline.Random, Block: step.Block, Depth: step.Nominal(),
		Rate: float64(run.Rate) / 1e9, Latency: float64(run.Latency[direction].P50),
	}, true
}
