package course

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
)

// processors tells steps that came and went with the processors that others left to the workload. A thread that others
// keep from its processor seems to run, in a call or between two, and every curve falls; the kernel says only of
// whole processes how much of that time they ran.
type processors struct {
	trend   *measure.Trend
	missing float64 // ns: the workload seemed to run, and did not
}

// fewestMissing is the share of the time in which the workload seemed to run above which it did not get its processors:
// below it stand the calls of others that ran in its threads, as interrupts do, and what is lost at the edges of calls.
const fewestMissing = .2

// seemsToRun are the labels of a thread that runs, or would if it had a processor.
var seemsToRun = []timeline.Label{timeline.PageCache, timeline.Metadata, timeline.OtherCall, timeline.CPU,
	timeline.Ready}

// newProcessors reads how much time is missing from the times of threads and processes.
func newProcessors(trend *measure.Trend, p *profile.Profile) processors {
	seemed, ran := 0.0, 0.0
	for _, state := range []string{"data_calls", "metadata_calls", "other_calls", "async_calls", "running", "waking",
		"ready"} {
		seemed += float64(p.TimeStack.ThreadNS[state])
	}
	for i := range p.Processes {
		if p.Processes[i].CPUNS < 0 {
			return processors{trend: trend} // not known of all: nothing is missing
		}
		ran += float64(p.Processes[i].CPUNS)
	}
	if ran <= 0 || seemed-ran < fewestMissing*seemed {
		return processors{trend: trend}
	}
	return processors{trend, seemed - ran}
}

// join makes one level of neighbours whose difference came with the processors, or is no step any more once others were
// joined.
func (x processors) join(levels []level) (kept []level, joined int) {
	for _, next := range levels {
		if len(kept) == 0 {
			kept = append(kept, next)
			continue
		}
		last := &kept[len(kept)-1]
		next.Ratio = next.Median / last.Median
		if x.made(last, &next) || math.Abs(math.Log(next.Ratio)) < math.Log(stats.LeastRatio) {
			last.append(&next)
			joined++
			continue
		}
		kept = append(kept, next)
	}
	return kept, joined
}

// made reports whether processors made the difference between two levels: at least half of the time that the same bytes
// took longer the workload seemed to run, and at least half of that is missing from its processor time.
func (x processors) made(a, b *level) bool {
	if x.missing <= 0 {
		return false
	}
	fast, slow := a, b
	if a.perByte(a.lasted()) > b.perByte(b.lasted()) {
		fast, slow = b, a
	}
	longer := slow.perByte(slow.lasted()) - fast.perByte(fast.lasted())
	seemed := slow.perByte(x.seemed(slow)) - fast.perByte(x.seemed(fast))
	return seemed >= longer/2 && x.missing >= seemed/2*float64(slow.bytes())
}

// seemed is how long the workload seemed to run during a level.
func (x processors) seemed(l *level) float64 {
	return x.trend.Share(l.begin.at, l.end.at, seemsToRun...) * l.lasted()
}

// lasted is how long a level was kept up.
func (l *level) lasted() float64 { return float64(l.end.at - l.begin.at) }

func (l *level) perByte(ns float64) float64 { return ns / float64(max(l.bytes(), 1)) }

// append adds the level that follows.
func (l *level) append(next *level) {
	l.To, l.end = next.To, next.end
	l.rates, l.busy = slices.Concat(l.rates, next.rates), slices.Concat(l.busy, next.busy)
	l.Median = stats.Median(l.rates)
}

// tell warns that the speed varied by more than the steps that are listed.
func (x processors) tell(p *profile.Profile, joined int) {
	if joined == 0 {
		return
	}
	p.Warnings = append(p.Warnings, profile.Warning{
		Code: "processors_shared", Affects: []string{"/phases"}, Count: uint64(joined),
		Text: fmt.Sprintf("Others had the CPUs for %s in which the workload could have run. The speed changed with "+
			"them %s: "+
			"that is no step of a device or of the program, and is not listed as one.",
			unit.Duration(time.Duration(x.missing)), unit.Things(int64(joined), "time")),
	})
}
