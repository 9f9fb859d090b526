package gap

import "github.com/iotrace/iotrace/stats"

// maxDisturbed is the share of the runs that may be at another level than most:
// of six values in a cell, the median bears that one block's are off.
const maxDisturbed = 0.25

// Measured is one run that was made.
type Measured struct {
	Run
	Seconds  float64 `json:"seconds"`
	Bytes    int64   `json:"bytes"`            // of payload
	Deferred float64 `json:"deferred_seconds"` // until its data was on the device, after the clock stopped
	Depth    float64 `json:"achieved_depth"`
}

// PerGB is its time per 10^9 bytes.
func (m Measured) PerGB() float64 { return perGB(m.Seconds, m.Bytes) }

// levels takes the runs, each in proportion to the median of its cell and in the
// order in which they were made, apart into levels; main is the longest.
func levels(cells [][]float64, runs []Measured) (all []stats.Level, main stats.Level) {
	series := make([]float64, len(runs))
	for i, m := range runs {
		series[i] = m.PerGB() / stats.Median(cells[m.Mask])
	}
	all = stats.ChangePoints(series, stats.ChangeOptions{}).Levels
	for _, l := range all {
		if l.To-l.From > main.To-main.From {
			main = l
		}
	}
	return all, main
}

// drifted reports whether more runs than the medians bear are at another level.
func drifted(cells [][]float64, runs []Measured) bool {
	_, main := levels(cells, runs)
	return float64(len(runs)-(main.To-main.From)) > maxDisturbed*float64(len(runs))
}

// Disturbed are the blocks of an experiment with k factors during which
// something else slowed the machine down, or made it faster, for a while: they
// are worth repeating. A device that was faster at first, or that is another at
// the end, is not disturbed: it has changed, and no block is named.
func Disturbed(k int, runs []Measured) []int {
	cells := cellsOf(k, runs)
	if cells == nil {
		return nil
	}
	all, main := levels(cells, runs)
	if len(all) < 2 || differs(all[len(all)-1], main) {
		return nil
	}
	inBlock, slow := map[int]int{}, map[int]int{}
	for _, m := range runs {
		inBlock[m.Block]++
	}
	for i, l := range all {
		switch {
		case !differs(l, main):
		case i == 0 && l.Median < main.Median:
			return nil
		default:
			for _, m := range runs[l.From:l.To] {
				slow[m.Block]++
			}
		}
	}
	var blocks []int
	for b := range runs[len(runs)-1].Block + 1 {
		if float64(slow[b]) > maxDisturbed*float64(inBlock[b]) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// differs reports whether a level is another than the main one.
func differs(l, main stats.Level) bool {
	const alike = 1.15
	return l.Median > alike*main.Median || l.Median < main.Median/alike
}

// Without are the runs that are not in some blocks.
func Without(runs []Measured, blocks []int) []Measured {
	out := map[int]bool{}
	for _, b := range blocks {
		out[b] = true
	}
	var rest []Measured
	for _, m := range runs {
		if !out[m.Block] {
			rest = append(rest, m)
		}
	}
	return rest
}

// cellsOf sorts the runs by cell; nil if a cell was never measured.
func cellsOf(k int, runs []Measured) [][]float64 {
	cells := make([][]float64, 1<<k)
	for _, m := range runs {
		if m.Mask < 0 || m.Mask >= len(cells) {
			return nil
		}
		cells[m.Mask] = append(cells[m.Mask], m.PerGB())
	}
	for _, c := range cells {
		if len(c) == 0 {
			return nil
		}
	}
	return cells
}
