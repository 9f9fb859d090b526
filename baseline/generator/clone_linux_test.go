package generator

import (
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// On a file system that can clone files the clone is made, and equals its source.
func TestClones(t *testing.T) {
	dir, _ := loopFS(t, "xfs", 400*mib)
	patterns, err := baseline.Lookup("copy/clone")
	if err != nil {
		t.Fatal(err)
	}
	r := runBench(t, Config{Patterns: []baseline.Pattern{tiny(patterns[0])}, Dirs: []string{dir}})
	if s := r.Patterns[0].Places[0].Steps[0]; s.Skipped != "" || len(s.Runs) == 0 {
		t.Errorf("%d clones were made: %s", len(s.Runs), s.Skipped)
	}
	copiesAreEqual(t, dir, baseline.CopyClone)
}
