package trace

import (
	"fmt"
	"testing"
)

// Of many places those that were seen most keep their names, and no sample is lost.
func TestSampledPutsTheRarestTogether(t *testing.T) {
	counts, all := map[Sample]int64{}, int64(0)
	for i := range 300 {
		counts[Sample{Process: "cc1", Library: "cc1", Function: fmt.Sprint("f", i)}] = int64(1000 - i)
		counts[Sample{Process: "ld", Call: "read", Library: SampleKernel, Function: fmt.Sprint("k", i)}] = 1
		all += int64(1000-i) + 1
	}
	list := Sampled(counts)
	if len(list) > MaxSamples {
		t.Errorf("%d places", len(list))
	}
	var got int64
	most := false
	for _, s := range list {
		got += s.Count
		most = most || s == Sample{Process: "cc1", Library: "cc1", Function: "f0", Count: 1000}
	}
	if got != all || !most {
		t.Errorf("%d of %d samples, the most frequent place among them: %v", got, all, most)
	}
}
