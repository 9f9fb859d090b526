package generator

import "github.com/iotrace/iotrace/baseline"

// conclude sums the runs up, and compares each volume with the first.
func conclude(r *baseline.Review) {
	for i := range r.Tasks {
		t := &r.Tasks[i]
		var first []float64
		for k := range t.Results {
			to := &t.Results[k]
			var values, safe []float64
			for _, run := range to.Runs {
				values = append(values, t.Value(run))
				if run.SafeNS > 0 {
					safe = append(safe, float64(run.SafeNS))
				}
			}
			to.Value, to.Safe, to.Against = summariseFew(values), nil, nil
			if len(safe) > 0 {
				s := summariseFew(safe)
				to.Safe = &s
			}
			shape(*t, to)
			if k == 0 {
				first = speeds(*t, values)
				continue
			}
			if t.Runs == 1 || to.Invalid() != "" || t.Results[0].Invalid() != "" {
				continue
			}
			c := compareRuns(t.Name, r.Volumes[k].Path, r.Volumes[0].Path, speeds(*t, values), first,
				uint64(i*len(t.Results)+k))
			to.Against = &c
		}
	}
}

// shape finds what the parts of the runs show together.
func shape(t baseline.Task, to *baseline.TaskResult) {
	to.Line, to.Levels, to.Onset = nil, nil, nil
	var parts []baseline.FileTime
	for _, run := range to.Runs {
		parts = append(parts, run.Parts...)
	}
	switch {
	case t.Work == "files":
		to.Line = sizeTimeOf(parts)
	case len(parts) > 0:
		to.Levels, to.Onset = courseOf(parts)
	}
}

// summariseFew describes values. Five runs have no interval of 95 %, but one of 93.75: from the least to the greatest.
func summariseFew(values []float64) baseline.Summary {
	s := summarise(values)
	if s.Low == nil {
		addInterval(&s, values, leastLevel)
	}
	return s
}

// leastLevel is the least coverage of an interval that is told.
const leastLevel = 0.9

// speeds are greater where a volume is faster.
func speeds(t baseline.Task, values []float64) []float64 {
	if t.Measure == baseline.ByRate {
		return values
	}
	inverse := make([]float64, len(values))
	for i, v := range values {
		inverse[i] = 1 / v
	}
	return inverse
}
