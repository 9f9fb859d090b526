package usage

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// line tells for how long requests of one direction stood in line above a device that was at work: there was more to do
// than the queue let through. Where the device is idle meanwhile, as with a limit, something else holds them back.
type line struct {
	ns   int64
	last int64 // when the last of them was issued
	busy int64 // for how long the device had been at work by then
}

// stood adds the time for which a request of the workload stood in line. They come in the order in which they were
// issued; time in which several stood there counts once.
func (d *deviceUse) stood(e *world.Request) {
	d.depth.Advance(e.Issued)
	l, busy := &d.readLine, d.depth.Busy()
	if e.Op == trace.ReqWrite {
		l = &d.writeLine
	}
	if from := max(e.Queued, l.last); e.Queued >= 0 && from < e.Issued {
		l.ns += max(busy-l.busy-(from-l.last), 0) // it was at work from when the last one was issued
	}
	l.last, l.busy = e.Issued, busy
}

// share is that as a part of the time with such requests at the device.
func (l *line) share(f *profile.Flow) float64 {
	if f == nil {
		return 0
	}
	return min(float64(l.ns)/float64(max(f.Depth.BusyNS, 1)), 1)
}
