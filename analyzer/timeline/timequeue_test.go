package timeline

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Times come back in order, however many there are meanwhile: few are a sorted
// list, many a heap, and the change is made in both directions.
func TestTimeQueueComeInOrder(t *testing.T) {
	changes := 0
	rapid.Check(t, func(t *rapid.T) {
		var m timeQueue
		var want []int64
		for range rapid.IntRange(1, 20).Draw(t, "turns") {
			for range rapid.IntRange(0, 3*maxSorted).Draw(t, "pushed") {
				at := rapid.Int64Range(0, 50).Draw(t, "time")
				m.push(at)
				want = append(want, at)
			}
			slices.Sort(want)
			heap := m.heap
			for range min(rapid.IntRange(0, 4*maxSorted).Draw(t, "popped"), len(want)) {
				if m.first() != want[0] {
					t.Fatalf("%d comes first instead of %d", m.first(), want[0])
				}
				m.pop()
				want = want[1:]
			}
			if heap && !m.heap {
				changes++
			}
			if m.len() != len(want) {
				t.Fatalf("%d times instead of %d", m.len(), len(want))
			}
		}
	})
	if changes == 0 {
		t.Error("no heap became a list again")
	}
}
