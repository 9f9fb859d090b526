package experiment

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// TestSampleData: what files hold tells how far it compresses.
func TestSampleData(t *testing.T) {
	dir := t.TempDir()
	noise := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for name, c := range map[string]struct {
		data      []byte
		low, high float64
	}{
		"noise": {noise, 0, 0}, "zeros": {make([]byte, 1<<20), 0.98, 1},
		"half": {append(noise[:1<<19:1<<19], make([]byte, 1<<19)...), 0.4, 0.6}, "empty": {nil, 0.3, 0.3},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		w := &gap.Workload{Paths: []string{path, filepath.Join(dir, "gone")}, Compressible: 0.3}
		if SampleData(w); w.Compressible < c.low || w.Compressible > c.high {
			t.Errorf("%s: %v, want %v … %v", name, w.Compressible, c.low, c.high)
		}
	}
}
