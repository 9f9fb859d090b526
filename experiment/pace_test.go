package experiment

import (
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// What was announced is corrected after the first block that shows it to be wrong, once, and not where it was right.
func TestPaceIsCorrected(t *testing.T) {
	const s = time.Second
	p := pace{what: "run", said: s}
	for i, c := range []struct {
		made int
		took time.Duration
		left int
		want string // none: nothing is said
	}{
		{10, 11 * s, 30, ""},
		{10, 9 * s, 20, ""},
		{10, 100 * s, 10, "So far 30 runs took 2m00s, not 30.0 s: the 10 that are left take about 40.0 s.\n"},
		{10, 40 * s, 10, ""}, // as it was corrected
		{10, s, 0, ""},       // nothing is left
	} {
		if got := p.add(c.made, c.took, c.left); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
	if p.each() != 161*s/50 {
		t.Errorf("each took %v", p.each())
	}
}

// Where a replay has to make the files first that the program had read, that counts.
func TestReplaysAreExpectedWithTheirFiles(t *testing.T) {
	const s = time.Second
	w := &gap.Workload{Seconds: 5, ReadBytes: 1 << 30}
	f := forecast{pilots: []pilotRun{
		{payload: 8 << 20, took: s}, {payload: 64 << 20, took: 2 * s, made: 64 << 20, making: s},
	}}
	if run, replay := f.run(64<<20), f.replay(w); run != 2*s || replay != 21*s {
		t.Errorf("runs %v, replays %v, want 2s and 21s", run, replay)
	}
	f.pilots = nil
	if run, replay := f.run(64<<20), f.replay(w); run != 0 || replay != 5*s {
		t.Errorf("without a pilot: runs %v, replays %v, want 0s and 5s", run, replay)
	}
}

// Runs are timed by whole blocks: cells differ more than blocks do.
func TestBlocks(t *testing.T) {
	runs := gap.Factorial(2, 3, 1)
	var blocks []int
	for i := 0; i < len(runs); i += blocks[len(blocks)-1] {
		blocks = append(blocks, len(blockAt(runs, i)))
	}
	if len(blocks) != 3 || blocks[0] != 8 || blocks[2] != 8 {
		t.Errorf("blocks of %v runs", blocks)
	}
	if rest := len(blockAt(runs, 5)); rest != 3 {
		t.Errorf("after an interruption %d runs of the block are left, want 3", rest)
	}
}
