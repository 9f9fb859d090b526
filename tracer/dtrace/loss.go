package dtrace

import (
	"errors"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// loss is a message of dtrace that it dropped something.
type loss struct {
	Count uint64
	CPU   int32 // -1 if it does not say
}

// parseLoss reads a line of standard error such as
//
//	dtrace: [DTRACEDROP_PRINCIPAL] 12 drops on CPU 3
//	dtrace: [DTRACEDROP_DYNAMIC] 1 dynamic variable drop with non-empty dirty list
//
// (dt_handle.c; the texts are the same on macOS and Linux, where they were seen).
func parseLoss(line string) (loss, bool) {
	l := loss{CPU: -1}
	tag, ok := strings.CutPrefix(strings.TrimPrefix(line, "dtrace: "), "[DTRACEDROP_")
	if !ok {
		return l, false
	}
	_, tag, ok = strings.Cut(tag, "]")
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

// losses counts what DTrace has dropped.
type losses struct {
	d  *decoder
	by map[int32]*drops // CPU
}

// lost notes a message of DTrace.
func (x *losses) lost(l loss, now int64) error {
	p := x.dropped(l.CPU)
	if p.count == 0 {
		p.from, p.due = min(x.d.last, now), p.tick+settleTicks
	}
	p.count += l.Count
	p.to = now
	if x.d.cfg.Platform == Linux && l.CPU >= 0 {
		return nil
	}
	return x.settle(l.CPU, p)
}

// dropped is what a CPU has dropped; CPUs beyond the bound share one.
func (x *losses) dropped(cpu int32) *drops {
	if x.by[cpu] == nil && len(x.by) >= MaxCPUs {
		cpu = -1
	}
	if x.by[cpu] == nil {
		x.by[cpu] = &drops{}
	}
	return x.by[cpu]
}

// tick notes the number of a tick.
func (x *losses) tick(r *Record) error {
	p := x.dropped(r.CPU)
	if p.tick > 0 && r.Number > p.tick {
		p.missing += uint64(r.Number - p.tick - 1)
	}
	p.tick = max(p.tick, r.Number)
	if p.count == 0 || p.tick < p.due {
		return nil
	}
	return x.settle(r.CPU, p)
}

// settle records the events among the dropped lines of a CPU.
func (x *losses) settle(cpu int32, p *drops) error {
	ticks := min(p.missing, p.count)
	n := p.count - ticks
	p.missing -= ticks
	p.count = 0
	if n == 0 {
		return nil
	}
	x.d.count.Lost[trace.KindSyscall] += n
	return x.d.sink.Lost(&trace.Lost{From: p.from, To: p.to, Count: n, Kind: trace.KindSyscall, CPU: cpu})
}

// flush settles what still waits.
func (x *losses) flush() (err error) {
	for cpu, p := range x.by {
		err = errors.Join(err, x.settle(cpu, p))
	}
	return err
}
