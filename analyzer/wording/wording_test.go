package wording

import (
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
	} {
		if got := Each(&d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
