package analyzer

import "github.com/iotrace/iotrace/analyzer/survey"

// Options bound and direct an analysis. The zero value is the default.
type Options struct {
	// Surveyed, if any, is given what the first reading found out, when the profile is made: whoever reads the trace once
	// more has no need of it.
	Surveyed  func(*survey.Survey)
	Charts    bool // fill Profile.Charts
	MaxFiles  int  // files listed (default 1000)
	MaxCopies int  // copies listed (default 1000)
	MaxSlices int  // loss slices listed (default 1000)

	// The bounds of Charts.
	Bins  int // time bins of series and heat maps (default 600)
	Lanes int // lanes of the timeline (default 32)
	Items int // single events in the timeline (default 20000)

	apart int // files told apart (default that of package world)

	// TempDir is where a trace that cannot be read twice (a pipe) is kept while
	// it is analysed; empty for the system's.
	TempDir string
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value     *int
		otherwise int
	}{
		{&o.MaxFiles, 1000}, {&o.MaxCopies, 1000}, {&o.MaxSlices, 1000}, {&o.Bins, 600}, {&o.Lanes, 32}, {&o.Items, 20_000},
	} {
		if *d.value <= 0 {
			*d.value = d.otherwise
		}
	}
	return o
}
