package generator

import (
	"context"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// Single is a step to be executed by itself, in a directory that somebody else looks after.
type Single struct {
	Step  baseline.Step
	Path  string             // of the file to work on
	Space *storage.Workspace // where it is
	Place storage.Volume
	Seed  uint64
}

// Once executes the step once.
func (s Single) Once(ctx context.Context) (baseline.RunResult, error) {
	x := &execution{step: s.Step, path: s.Path, data: &s.Space.DataFiles, place: s.Place, seed: s.Seed, meter: &meter{}}
	x.meter.begin()
	run := x.blocks
	if s.Step.Files != nil {
		run = (&fileRun{execution: x}).files
	}
	m, err := run(ctx)
	if err != nil {
		return baseline.RunResult{}, err
	}
	return m.result(s.Step), nil
}
