package experiment

import (
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// The parts of a budget.
const (
	forReplays = 0.25 // at most, of what the pilot left
	forRuns    = 0.8  // of what is left then: a device may be slower later
)

// smallPayload is the least payload that a budget may lead to.
const smallPayload = 1 << 20

// shortRun is a length below which the noise of runs hides what differs.
const shortRun = 100 * time.Millisecond

// Less is told by fewer differences: two at least, the others together, and only where that spares a third of the runs.
const (
	fewestTold = 2
	worthwhile = 2. / 3
)

// fit chooses payload and factors of a design: larger where runs are too short to be told apart, and as what a pilot
// has left of a budget permits. A payload that was asked for stays.
func fit(d *design, f *forecast, b *budget, tried time.Duration, asked bool) {
	for each := f.run(d.payload); !asked && b.total == 0 && each > 0 && each < shortRun && 2*d.payload <= mostPayload &&
		2*d.payload <= d.workload.Bytes; each = f.run(d.payload) {
		d.payload *= 2
	}
	if b.total == 0 || f.run(d.payload) == 0 {
		return
	}
	left := max(b.total-tried, 0)
	if replayable(d.workload) {
		left -= min(replays*f.replay(d.workload), time.Duration(forReplays*float64(left)))
	}
	left = time.Duration(forRuns * float64(left))
	payload, most := within(d, f, left, asked)
	if payload < d.payload {
		b.leave("runs move %s instead of %s", unit.Bytes(payload), unit.Bytes(d.payload))
	}
	if most < min(d.most, len(d.factors)) {
		b.leave("at most %d differences are told apart, the others are measured together", most)
	}
	d.payload, d.most = payload, most
	runs := time.Duration(d.runs(most))
	if all := runs * f.run(payload); all > left {
		b.leave("all repetitions take about %s: as many are made as there is time for", unit.Duration(all))
	}
	f.limit = min(f.limit, max(2*left/runs, shortRun/4))
}

// within is the largest experiment that takes no longer than there is time; the smallest if none does.
func within(d *design, f *forecast, left time.Duration, asked bool) (payload int64, most int) {
	payload, most = d.payload, d.most
	full := d.runs(d.most)
	fewest := full
	for n := d.most; n >= fewestTold; n-- {
		runs := d.runs(n)
		if n < d.most && float64(runs) > worthwhile*float64(full) {
			continue
		}
		for size := d.payload; size >= min(smallPayload, d.payload); size /= 2 {
			if time.Duration(runs)*f.run(size) <= left {
				return size, n
			}
			if runs < fewest || runs == fewest && size < payload {
				fewest, payload, most = runs, size, n
			}
			if asked {
				break
			}
		}
	}
	return payload, most
}
