package generator

import (
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/stats"
)

// chunk is a piece of a run of equal bytes: where it ends and how fast it was.
type chunk struct {
	Bytes int64   // moved up to its end
	NS    int64   // active time up to its end
	Rate  float64 // bytes per second within it
}

// A run is cut into chunks of equal bytes to look for a change of its rate: no
// more than 160, no smaller than 64 MiB, and at least 20.
const (
	maxChunks = 160
	minChunks = 20
	minChunk  = 64 << 20
)

// levelsOf finds the stretches of a series during which the rate stayed the
// same.
func levelsOf(all []chunk) []baseline.Level {
	rates := make([]float64, len(all))
	for i, c := range all {
		rates[i] = c.Rate
	}
	var levels []baseline.Level
	for _, l := range stats.ChangePoints(rates, stats.ChangeOptions{}).Levels {
		level := baseline.Level{ToBytes: all[l.To-1].Bytes, Rate: rounded(l.Median)}
		if l.From > 0 {
			level.FromBytes, level.FromNS = all[l.From-1].Bytes, all[l.From-1].NS
		}
		levels = append(levels, level)
	}
	return levels
}

// chunkCount is the number of chunks that a run of so many bytes is cut into; 0 if it is
// too short to say anything of its course.
func chunkCount(bytes int64) int {
	if n := int(min(bytes/minChunk, maxChunks)); n >= minChunks {
		return n
	}
	return 0
}

// changesOf finds lasting changes of the rate within a run.
func changesOf(all []chunk) []baseline.Change {
	var changes []baseline.Change
	levels := levelsOf(all)
	for i := 1; i < len(levels); i++ {
		changes = append(changes, baseline.Change{Bytes: levels[i].FromBytes, NS: levels[i].FromNS,
			Before: levels[i-1].Rate, After: levels[i].Rate})
	}
	return changes
}
