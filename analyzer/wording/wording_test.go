package wording

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

func TestEach(t *testing.T) {
	const ms = int64(1e6)
	for want, d := range map[string]profile.Dist{
		"5.34 s":                  {Count: 1, Sum: 5340 * ms, P10: 5340 * ms, P50: 5340 * ms, P90: 5340 * ms, Max: 5340 * ms},
		"2.00 ms each":            {Count: 9, Sum: 18 * ms, P10: 2 * ms, P50: 2 * ms, P90: 2 * ms, Max: 3 * ms},
		"1.00 ms to 3.00 ms each": {Count: 9, Sum: 18 * ms, P10: ms, P50: 2 * ms, P90: 3 * ms, Max: 6 * ms},
		"1.00 ms to 3.00 ms each, the longest 1.10 s": {
			Count: 99, Sum: 2000 * ms, P10: ms, P90: 3 * ms, Max: 1100 * ms,
		},
		"5.00 s in all, the longest 1.20 s": {Count: 80, Sum: 5000 * ms, P10: ms, P90: 3 * ms, Max: 1200 * ms},
	} {
		if got := Each(&d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A step says what the time went to, and of what else was different only what matters.
func TestStep(t *testing.T) {
	slower := profile.Step{Before: 100e6, After: 50e6, BeforeNS: 10e6, AfterNS: 20e6, SizeBefore: 4096, SizeAfter: 4096,
		Parts: []profile.StepPart{{Text: "device writing", BeforeNS: 9e6, AfterNS: 18e6},
			{Text: "computing", BeforeNS: 1e6, AfterNS: 0}}}
	faster := profile.Step{Before: 50e6, After: 100e6, BeforeNS: 20e6, AfterNS: 10e6, OthersBefore: 30e6,
		OthersAfter: 26e6}
	changed := profile.Step{Before: 100e6, After: 50e6, SizeBefore: 1 << 20, SizeAfter: 4096, DirectBefore: 1,
		OthersAfter: 30e6, Limit: "Its control group lets it write less"}
	for name, c := range map[string]struct {
		step profile.Step
		want []string
	}{
		"slower": {slower, []string{"Each MB took 10.0 ms longer: 90 % of that device writing."}},
		"faster": {faster, nil},
		"changed": {changed, []string{"Its control group lets it write less.", "Others moved 0 B/s before, 30.0 MB/s after.",
			"Operations had 1 MiB on average before, 4 KiB after.",
			"Of the bytes 100 % went past the page cache before, 0 % after."}},
	} {
		if got := Step(&c.step); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
