package text

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// The parts of a bar take the room there is, however their lengths are rounded, and each can be seen.
func TestLengthsOfABar(t *testing.T) {
	for _, shares := range [][]float64{{0.83, 0.066, 0.059, 0.045}, {0.74, 0.13, 0.126, 0.004}, {1}, {0.5, 0.5},
		{0.4, 0.3, 0.3}} {
		var parts []profile.BarPart
		for _, share := range shares {
			parts = append(parts, profile.BarPart{Share: share})
		}
		for room := len(parts); room < 40; room++ {
			sum := 0
			for _, n := range lengths(parts, room) {
				if n < 1 {
					t.Errorf("%v in %d columns: a part cannot be seen", shares, room)
				}
				sum += n
			}
			if sum != room {
				t.Errorf("%v take %d columns of %d", shares, sum, room)
			}
		}
	}
}
