package ablation

import (
	"time"

	"github.com/iotrace/iotrace/internal/clock"
)

// between lets the time pass that the program spends between two calls.
func (t *cellThread) between(since int64) {
	if gap := int64(t.run.cell.CallGap); gap > 0 && since > 0 {
		for clock.Now()-since < gap {
		}
	}
}

// leastSleep is the shortest pause that is worth a sleep; shorter ones are
// saved up. The system's own delay is taken off the next one.
const leastSleep = 100 * time.Microsecond

// pause pauses for the bytes moved; last pays what is left. Only one thread
// pauses at a time, so that all pauses together take as long as they should,
// however many threads there are.
func (t *cellThread) pause(bytes int64, last bool) error {
	t.debt += time.Duration(float64(t.run.cell.ThinkPerGB) * float64(bytes) / 1e9)
	if t.debt >= leastSleep || last && t.debt > 0 {
		t.run.thinking.Lock()
		begun := clock.Now()
		time.Sleep(t.debt)
		t.done = clock.Now()
		t.debt -= time.Duration(t.done - begun)
		t.run.thinking.Unlock()
	}
	return nil
}
