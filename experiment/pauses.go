package experiment

import (
	"sync"
	"time"

	"github.com/iotrace/iotrace/internal/host"
)

// pauses are those of a thread.
type pauses struct {
	gap   time.Duration // CPU time between two calls
	perGB time.Duration
	turn  *sync.Mutex   // only one thread pauses at a time
	debt  time.Duration // that is due
}

// between lets the time pass that the program spends between two calls.
func (p *pauses) between(since int64) {
	if p.gap > 0 && since > 0 {
		for host.Now()-since < int64(p.gap) {
		}
	}
}

// leastSleep is the shortest pause that is worth a sleep; shorter ones are
// saved up. The system's own delay is taken off the next one.
const leastSleep = 100 * time.Microsecond

// pay pauses for the bytes moved; last pays what is left. It returns when that ended,
// 0 if there was no pause. As threads pause in turn, all pauses together take as long
// as they should, however many threads there are.
func (p *pauses) pay(bytes int64, last bool) (ended int64) {
	p.debt += time.Duration(float64(p.perGB) * float64(bytes) / 1e9)
	if p.debt >= leastSleep || last && p.debt > 0 {
		p.turn.Lock()
		defer p.turn.Unlock()
		begun := host.Now()
		time.Sleep(p.debt)
		ended = host.Now()
		p.debt -= time.Duration(ended - begun)
	}
	return ended
}
