package generator

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// Whoever got no processor until the time was over does one operation all the same.
func TestTimeOver(t *testing.T) {
	for _, threads := range []bool{false, true} {
		s := simple(baseline.Write, baseline.Sequential)
		s.Cache, s.Fresh, s.Limit.Time = baseline.Buffered, true, 1
		x := &execution{step: s, path: filepath.Join(t.TempDir(), "file"), seed: 1, threads: threads, meter: &meter{}}
		m, err := x.blocks(context.Background())
		if err != nil || m.ops[0] < int64(s.Threads) {
			t.Errorf("threads %v: %+v (%v)", threads, m, err)
		}
	}
}
