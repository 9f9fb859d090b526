package gap

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/internal/unit"
)

// judge decides whether the parts may be ranked, and says what is in the way: the one thing that the others follow from
// first, with a remedy where one can help. elsewhere is what the recording met and a replay may not.
func (e *Explanation) judge(elsewhere string) {
	e.Refusals = []string{}
	no := func(format string, args ...any) { e.Refusals = append(e.Refusals, fmt.Sprintf(format, args...)) }
	within := e.GapLow <= 0 && e.GapHigh >= 0
	if !e.reproduced() && (within || missing(e)) {
		no("%s", unlike(e, elsewhere))
	}
	if e.Drift {
		no("the device changed during the experiment (cache full, heat, other users): let it rest, or use a smaller " +
			"--size, and repeat")
	}
	if !e.Benchmark.OK {
		no("the benchmark cell reached %s, %s off the benchmark's %s (limit %s): give numbers measured on this disk now "+
			"(iotrace bench --json), or leave them out",
			unit.Rate(1e9/e.Benchmark.Cell), unit.Share(e.Benchmark.Error), unit.Rate(1e9/e.Benchmark.Reality),
			unit.Share(maxMiss))
	}
	if within {
		no("%s", noGap(e))
	}
	if missing(e) && e.reproduced() && !towers(e, len(e.Refusals)) {
		no("%s", notModelled(e))
	}
	e.Ranked = len(e.Refusals) == 0
}

// reproduced reports whether replays of the recording take about what it took when it was made, as far as they were
// made: if not, what was recorded is not there to be measured.
func (e *Explanation) reproduced() bool {
	return e.Replay == 0 || math.Abs(e.Moment) <= maxResidual*math.Abs(e.Workload.Reality-e.Benchmark.Cell)
}

// unlike says how a recording differs from its replays, and the likely reason: one that made it slower explains none
// that was faster.
func unlike(e *Explanation, elsewhere string) string {
	text := fmt.Sprintf("what was recorded does not come back here: it took %s per GB then, replays of it take %s now",
		seconds(e.Workload.Reality), seconds(e.Replay))
	switch {
	case e.Moment < 0:
		return text + "; the disk or the machine is slower now than it was then, or others use it"
	case elsewhere != "":
		return text + "; the likely reason: " + elsewhere
	}
	return text + "; the recording shows no reason for that but that it was made at another moment"
}

// noGap says that the cells do not differ, and what would help if more runs could tell.
func noGap(e *Explanation) string {
	text := fmt.Sprintf("on this disk, now, the differences cost nothing that stands out of the noise (%s per GB in the "+
		"benchmark cell, %s in the workload cell", seconds(e.Benchmark.Cell), seconds(e.Workload.Cell))
	if intervals(e) {
		text += fmt.Sprintf(", runs of the same cell differ by %s", unit.Share(e.Noise))
	}
	text += ")"
	if e.reproduced() && e.Gap > 0 && e.Gap > e.Noise*e.Benchmark.Cell/2 {
		text += ": more repetitions (--runs) or a larger --size may tell"
	}
	return text
}

// notModelled says how much of the gap no cell has.
func notModelled(e *Explanation) string {
	if e.Replay > 0 {
		return fmt.Sprintf("the workload cell took %s per GB, replays of the recording %s now (%s when it was made): %s of "+
			"the gap is not in the model (limit %s)", seconds(e.Workload.Cell), seconds(e.Replay), seconds(e.Workload.Reality),
			unit.Share(e.Workload.Error), unit.Share(maxResidual))
	}
	return fmt.Sprintf("the workload cell took %s per GB, the recording %s: %s of the gap is not in the model (limit %s)"+
		"; record on this disk, now, and see iotrace replay", seconds(e.Workload.Cell), seconds(e.Workload.Reality),
		unit.Share(e.Workload.Error), unit.Share(maxResidual))
}

// towers reports whether a factor that is resolved costs more than all that is not in the model, which then cannot take
// its place; with any other thing in the way, none does.
func towers(e *Explanation, refused int) bool {
	if refused > 0 || !intervals(e) {
		return false
	}
	for _, c := range e.Factors {
		if c.Verdict == "resolved" && c.Low > math.Abs(e.Residual) {
			return true
		}
	}
	return false
}
