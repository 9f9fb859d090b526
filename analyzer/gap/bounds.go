package gap

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
)

// serialCopy is the best rate of a copy that reads a block, writes it and only
// then reads the next: 1/(1/read + 1/write). All rates are in bytes per second.
func serialCopy(read, write float64) float64 {
	if !(read > 0 && write > 0) {
		return 0
	}
	return 1 / (1/read + 1/write)
}

// overlappedCopy is the best rate of a copy that reads while it writes: the
// slower of both directions and, if both share a link, half of the link's rate.
// link is 0 if they share none.
func overlappedCopy(read, write, link float64) float64 {
	best := min(read, write)
	if link > 0 {
		best = min(best, link/2)
	}
	return max(best, 0)
}

// little is the rate of depth operations of block bytes in flight that take
// latency seconds each (little, Operations Research 9, 1961).
func little(depth, block, latency float64) float64 {
	if !(latency > 0) {
		return math.Inf(1)
	}
	return depth * block / latency
}

// ratePerFile is the rate at which bytes in a number of files move at best, if each
// file costs perFile seconds on top of its bytes at rate.
func ratePerFile(files int64, perFile float64, bytes int64, rate float64) float64 {
	t := float64(files) * perFile
	if rate > 0 {
		t += float64(bytes) / rate
	}
	if t <= 0 {
		return math.Inf(1)
	}
	return float64(bytes) / t
}

// readShare is the part of the gap between writing at rate write and copying
// at rate measured that reading the bytes alone takes, in time per byte. NaN
// if there is no such gap.
func readShare(read, write, measured float64) float64 {
	gap := 1/measured - 1/write
	if !(read > 0 && write > 0 && measured > 0 && gap > 0) {
		return math.NaN()
	}
	return 1 / read / gap
}

// Speed is a rate of a benchmark, in bytes per second. Low and High are its
// interval if Level is set; the zero Speed is not known.
type Speed struct {
	stats.Estimate
	Source string // "given", or where it was measured
}

// ends are those of its interval.
func (s Speed) ends() (low, high float64) {
	if s.Interval.Known() {
		return s.Low, s.High
	}
	return s.Value * (1 - tolerance), s.Value * (1 + tolerance)
}

// Known reports whether there is a rate.
func (s Speed) Known() bool { return s.Value > 0 }

// Benchmark is what is known of the speed of the device under a benchmark.
type Benchmark struct {
	Read, Write Speed
	Copy        Speed   // of a benchmark that copies: its payload, counted once
	Link        float64 // rate of a link that reads and writes share, 0 if there is none
}

// tolerance is the relative half-width of the interval of a bound whose inputs
// have none: benchmarks differ by that from run to run.
const tolerance = 0.05

// Bound is the best rate that a simple model allows.
type Bound struct {
	Code     string  `json:"code"` // "copy", "serial", "overlapped", "direction", "little", "per_file"
	Text     string  `json:"text"`
	Formula  string  `json:"formula"`
	Rate     float64 `json:"bytes_per_s"`
	Low      float64 `json:"low"`  // interval of the rate: of the benchmark's numbers,
	High     float64 `json:"high"` // or 5 % to each side where those have none
	Measured float64 `json:"measured_bytes_per_s"`
	Reached  float64 `json:"reached"` // measured / rate
	// Independent: its numbers do not come from the recording, so that it can
	// explain it.
	Independent bool `json:"independent"`
	Explains    bool `json:"explains"` // the measured rate lies within the interval
}

func (b Bound) against(measured float64) Bound {
	b.Measured, b.Reached = measured, measured/b.Rate
	b.Explains = b.Independent && b.Low <= measured && measured <= b.High
	return b
}

// speeds evaluates a model of the benchmark's rates at their values and at the
// ends of their intervals. Models must grow with both.
func (b Benchmark) speeds(model func(read, write float64) float64) (rate, low, high float64) {
	rl, rh := b.Read.ends()
	wl, wh := b.Write.ends()
	return model(b.Read.Value, b.Write.Value), model(rl, wl), model(rh, wh)
}

// Bounds are the bounds that the workload and the known rates allow to be
// stated.
func Bounds(w *Workload, b Benchmark) []Bound {
	all := []Bound{}
	measured := w.Rate()
	model := func(code, text, formula string, f func(r, w float64) float64) {
		x := Bound{Code: code, Text: text, Formula: formula, Independent: true}
		x.Rate, x.Low, x.High = b.speeds(f)
		all = append(all, x.against(measured))
	}
	if w.Copies() && b.Copy.Known() {
		x := Bound{Code: "copy", Text: "as fast as the benchmark copies", Formula: "C", Rate: b.Copy.Value, Independent: true}
		x.Low, x.High = b.Copy.ends()
		all = append(all, x.against(measured))
	}
	switch {
	case w.Copies() && b.Read.Known() && b.Write.Known():
		model("serial", "each block read, then written, one after the other", "1/(1/R + 1/W)", serialCopy)
		model("overlapped", "reading while writing", "min(R, W, link/2)",
			func(r, w float64) float64 { return overlappedCopy(r, w, b.Link) })
	case w.WriteBytes > 0 && !w.Reading() && b.Write.Known():
		model("direction", "as fast as the benchmark writes", "W", func(_, w float64) float64 { return w })
	case w.Reading() && b.Read.Known():
		model("direction", "as fast as the benchmark reads", "R", func(r, _ float64) float64 { return r })
	}
	own := func(code, text, formula string, rate float64) {
		x := Bound{Code: code, Text: text, Formula: formula, Rate: rate, Low: rate, High: rate}
		all = append(all, x.against(measured))
	}
	if w.Latency > 0 && w.MeanBlock > 0 {
		own("little", fmt.Sprintf("depth %.3g, calls of %s that take %s each, without a pause", w.Depth,
			unit.BlockSize(int64(w.MeanBlock)), seconds(w.Latency)),
			"L·bs/W", payloadShare(w)*little(w.Depth, w.MeanBlock, w.Latency))
	}
	if rate := w.fullRate(b); w.Files > 1 && w.MetaSeconds > 0 {
		own("per_file", fmt.Sprintf("%d files, %s for names and attributes of each", w.Files,
			seconds(w.MetaSeconds/float64(w.Files))),
			"bytes/(n·a + bytes/b)", ratePerFile(w.Files, w.MetaSeconds/float64(w.Files), w.Bytes, rate))
	}
	return all
}

// payloadShare is how much of what the calls move is payload: half for a copy
// that reads and writes each byte in a call of its own.
func payloadShare(w *Workload) float64 {
	if n := w.CallBytes; n > 0 {
		return float64(w.Bytes) / float64(n)
	}
	return 1
}

// fullRate is the rate of the payload without a cost per file; 0 if not known.
func (w *Workload) fullRate(b Benchmark) float64 {
	switch {
	case w.Copies() && b.Copy.Known():
		return b.Copy.Value
	case w.Copies():
		return serialCopy(b.Read.Value, b.Write.Value)
	case w.Reading():
		return b.Read.Value
	}
	return b.Write.Value
}

// Explained is the first bound that already explains the measurement.
func Explained(bounds []Bound) (Bound, bool) {
	for _, b := range bounds {
		if b.Explains {
			return b, true
		}
	}
	return Bound{}, false
}
