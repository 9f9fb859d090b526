package dtrace

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Loss is a message of dtrace that it dropped something.
type Loss struct {
	Count uint64
	CPU   int32  // -1 if it does not say
	What  string // PRINCIPAL, DYNAMIC, …: the tag that -x droptags puts in front
}

// parseLoss reads a line of standard error such as
//
//	dtrace: [DTRACEDROP_PRINCIPAL] 12 drops on CPU 3
//	dtrace: [DTRACEDROP_DYNAMIC] 1 dynamic variable drop with non-empty dirty list
//
// (dt_handle.c; the texts are the same on macOS and Linux, where they were seen).
func parseLoss(line string) (Loss, bool) {
	l := Loss{CPU: -1}
	tag, ok := strings.CutPrefix(strings.TrimPrefix(line, "dtrace: "), "[DTRACEDROP_")
	if !ok {
		return l, false
	}
	l.What, tag, ok = strings.Cut(tag, "]")
	if !ok {
		return l, false
	}
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(tag), "dtrace:"))
	if len(words) == 0 {
		return l, false
	}
	n, err := strconv.ParseUint(words[0], 10, 64)
	if err != nil {
		return l, false
	}
	l.Count = n
	for i := 0; i+1 < len(words); i++ {
		if words[i] == "CPU" {
			if cpu, err := strconv.ParseInt(strings.TrimSuffix(words[i+1], ":"), 10, 32); err == nil && cpu >= 0 {
				l.CPU = int32(cpu)
			}
		}
	}
	return l, true
}

// drops are the lines that a CPU has dropped and that are not in the trace yet.
// Ticks may be among them, which are no events: their numbers show how many.
// Messages and lines come by ways of their own, so some ticks are waited for
// before it is settled how many events were lost.
type drops struct {
	count    uint64 // lines
	from, to int64  // ns: when
	tick     int64  // number of the newest tick
	missing  uint64 // ticks that did not come
	due      int64  // number of the tick at which it is settled
}

// settleTicks is how many ticks, of a tenth of a second, a loss waits.
const settleTicks = 10

// Lost records that DTrace dropped lines. Where in the text they are missing is
// not known, only that they were dropped since it last looked; descriptors may
// stand for other files now.
func (d *Decoder) Lost(l Loss, now int64) error {
	d.fds.Clear()
	d.files.ForgetSizes()
	for _, p := range d.procs {
		p.asked = false
		p.maps = nil
	}
	p := d.dropped(l.CPU)
	if p.count == 0 {
		p.from, p.due = min(d.last, now), p.tick+settleTicks
	}
	p.count += l.Count
	p.to = now
	if d.cfg.Platform == Linux && l.CPU >= 0 {
		return nil
	}
	return d.settle(l.CPU, p)
}

func (d *Decoder) dropped(cpu int32) *drops {
	p := d.drops[cpu]
	if p == nil {
		if len(d.drops) >= maxCPUs {
			cpu = -1
		}
		p = &drops{}
		d.drops[cpu] = p
	}
	return p
}

// tick notes the number of a tick.
func (d *Decoder) tick(r *record) error {
	p := d.dropped(r.cpu)
	if p.tick > 0 && r.number > p.tick {
		p.missing += uint64(r.number - p.tick - 1)
	}
	p.tick = max(p.tick, r.number)
	if p.count == 0 || p.tick < p.due {
		return nil
	}
	return d.settle(r.cpu, p)
}

// settle records the events among the dropped lines of a CPU.
func (d *Decoder) settle(cpu int32, p *drops) error {
	ticks := min(p.missing, p.count)
	n := p.count - ticks
	p.missing -= ticks
	p.count = 0
	if n == 0 {
		return nil
	}
	d.count.Lost[trace.KindSyscall] += n
	return d.sink.Lost(&trace.Lost{From: p.from, To: p.to, Count: n, Kind: trace.KindSyscall, CPU: cpu})
}
