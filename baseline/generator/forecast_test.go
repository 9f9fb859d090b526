package generator

import (
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
)

// A drive that is so slow that a second fills less than a block of the largest step is filled until there is one.
func TestTrialOfASlowDrive(t *testing.T) {
	defer func(d time.Duration) { fillFor = d }(fillFor)
	fillFor = 1
	patterns, err := baseline.Lookup("bmdst-like/h2-bigwrite")
	if err != nil {
		t.Fatal(err)
	}
	patterns[0] = patterns[0].Scaled(baseline.Scale{Size: 16 << 20, Runs: 1})
	b, err := New(Config{Patterns: patterns, Dirs: []string{t.TempDir()}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := b.Try(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if b.Plan().Duration <= 0 {
		t.Errorf("announced %v", b.Plan().Duration)
	}
}
