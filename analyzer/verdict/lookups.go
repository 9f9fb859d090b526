package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// lookups are the calls on names that can find that there is nothing of that name, whatever system call makes them.
type lookups struct {
	count, vain int64
	time, all   int64 // all: of calls on names of whatever kind
	index       int   // of the call that found nothing most often
}

func lookupsOf(p *profile.Profile) (l lookups) {
	for i := range p.Calls {
		c := &p.Calls[i]
		n := c.Errno[trace.ErrNoEntry]
		if !c.Op.Metadata() {
			continue
		}
		if l.all += c.TimeNS; n == 0 {
			continue
		}
		l.count += c.Count
		l.time += c.TimeNS
		if l.vain += n; n > p.Calls[l.index].Errno[trace.ErrNoEntry] || p.Calls[l.index].Errno == nil {
			l.index = i
		}
	}
	return l
}

// most reports whether more than half of them found nothing, and they took most of the time of calls on names.
func (l *lookups) most() bool { return l.vain > 1 && 2*l.vain > l.count && 2*l.time > l.all }

// text says how many found nothing.
func (l *lookups) text(a *account) string {
	a.figure("lookups", float64(l.count))
	a.figure("lookups_in_vain", float64(l.vain))
	a.figure("lookups_ns", float64(l.time))
	c := &a.p.Calls[l.index]
	return fmt.Sprintf("%s of %s found nothing, most of them %s%s, %s in all", unit.Number(float64(l.vain)),
		unit.Things(l.count, "lookup"), c.Name, wording.Below(a.p.FilesOf(c.Op)), unit.Nanoseconds(l.time))
}
