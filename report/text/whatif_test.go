package text

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

func TestUndecided(t *testing.T) {
	for want, waits := range map[string][2]int{
		"": {0, 0},
		"1 wait could not be followed and stayed as recorded: b.":    {0, 1},
		"2 waits could not be followed and stayed as recorded.":      {2, 2},
		"1 to 3 waits could not be followed and stayed as recorded.": {3, 1},
	} {
		told := []profile.Prospect{{Name: "a", Undecided: waits[0]}, {Name: "b", Undecided: waits[1]}}
		if got := undecided(told); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
