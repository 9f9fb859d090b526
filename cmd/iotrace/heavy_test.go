package main

import (
	"maps"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/samples"
)

// A trace that asks as much of its readers as a fortieth of the promised size can leaves them below the promised
// memory, and what they allocate in all, which is work, stays in proportion to it. Times are measured by hand: they are
// the machine's.
func TestHeavyTraces(t *testing.T) {
	const size, events = 250_000, 60_000
	for _, kind := range slices.Sorted(maps.Keys(samples.Heavy)) {
		t.Run(kind, func(t *testing.T) {
			file, err := samples.HeavyTrace(kind, size, events)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), kind)
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			lines := [][]string{{"show", path}, {"report", "-o", "-", path}, {"events", "--json", path}, {"whatif", path}}
			for _, args := range slices.Concat(lines, exports(path), folders(path)) {
				s, out, errs := cli.FakeStreams()
				s.Out = nowhere{out}
				before := allocated()
				status := 0
				bounded(args[0], func() { status = run(args, s, nil) })
				if status != 0 && (status != 1 || args[0] != "whatif" && args[1] != "-f") { // which refuse what they cannot know
					t.Errorf("%s: status %d: %s", args[0], status, errs)
				}
				if n := allocated() - before; n > heavyAllocations {
					t.Errorf("%s of %d bytes: %d MiB were allocated, want %d at most", args[0], len(file), n>>20, heavyAllocations>>20)
				}
			}
		})
	}
}

// heavyAllocations is what a command may allocate in all for such a trace.
const heavyAllocations = 400 << 20

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// nowhere keeps nothing of what is written to it.
type nowhere struct{ *cli.Fake }

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
