//go:build linux

package corpus

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
)

var recordings = flag.String("recordings", "", "a directory of recordings of which the first lines are checked, too")

// TestFirstLines checks what is said first of all recordings of the repository.
func TestFirstLines(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../testdata/*.iotrace", "../../testdata/versions/*/*.iotrace",
		"../../trace/tracefile/testdata/*.iotrace", "../../report/browsertest/testdata/*.iotrace"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d recordings, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	if *recordings != "" {
		found, err := filepath.Glob(filepath.Join(*recordings, "*.iotrace"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d recordings, %v", *recordings, len(found), err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p, err := analyzer.AnalyzeAhead(file, analyzer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			answered(t, p)
		})
	}
}
