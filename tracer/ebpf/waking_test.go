//go:build linux

package ebpf

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// waking is what the kernel's own log says of one wake.
type waking struct {
	at     int64
	waker  uint32 // running task
	inside byte   // '.' for that task itself; 's', 'h', 'H' for interrupts
}

// wakingLine matches "comm-123 (  1) [001] d.h2. 12.345678: sched_waking: comm=fio pid=7 …".
var wakingLine = regexp.MustCompile(`-(\d+) +\([^)]*\) \[\d+\] ..(.)\S* +(\d+)\.(\d{6}): sched_waking: .* pid=(\d+) `)

// wakings are the wakes of each thread in the order of time.
func (f *ftrace) wakings(base int64) map[uint32][]waking {
	f.t.Helper()
	all := map[uint32][]waking{}
	for _, line := range f.lines() {
		m := wakingLine.FindStringSubmatch(line)
		if m == nil {
			f.t.Fatalf("no wake: %q", line)
		}
		var n [5]int64
		for i, group := range []int{1, 3, 4, 5} {
			n[i], _ = strconv.ParseInt(m[group], 10, 64)
		}
		woken := uint32(n[3])
		all[woken] = append(all[woken], waking{n[1]*1e9 + n[2]*1e3 - base, uint32(n[0]), m[2][0]})
	}
	return all
}

// Who woke which thread in which context, the kernel's own log says too.
func TestWakesAreThoseOfTheKernel(t *testing.T) {
	needBPF(t)
	needTools(t, "fio")
	log := startFtrace(t, `comm == "fio"`, "sched/sched_waking")
	log.Set("trace_clock", "mono")
	s, w := launch(t, Options{}, "fio", "--name=x", "--directory="+workDir(t), "--size=8m", "--bs=4k", "--rw=randrw",
		"--direct=1",
		"--ioengine=psync", "--numjobs=4", "--fsync=16", "--thread", "--output=/dev/null")
	wait(t, w)
	rec := s.end()
	wakes := log.wakings(s.base)
	same, different, none := 0, 0, 0
	for i := range rec.Waits {
		w := &rec.Waits[i]
		if w.By == trace.WokenByUnknown || w.Flags&trace.WaitHelper != 0 {
			continue
		}
		switch k := lastWake(wakes[w.TID], w); {
		case k == nil:
			t.Logf("the kernel has no wake for %+v", *w)
			none++
		case w.By == trace.WokenByThread && (k.inside != '.' || w.Waker != k.waker),
			(w.By == trace.WokenByTimer || w.By == trace.WokenByInterrupt) && k.inside == '.' && k.waker != 0:
			t.Errorf("the kernel says %+v (%c), the recording %+v", *k, k.inside, *w)
			different++
		default:
			same++
		}
	}
	t.Logf("%d wakes agree, %d do not; of %d the kernel says nothing", same, different, none)
	if same < 1000 || none > 0 {
		t.Errorf("%d wakes are told alike, and %d the kernel does not know", same, none)
	}
}

// lastWake is the last wake of a thread until it ran again. It may come shortly before the thread has left its
// processor.
func lastWake(list []waking, w *trace.Wait) *waking {
	var last *waking
	for i := range list {
		if k := &list[i]; k.at >= w.Start-50_000 && k.at <= w.End() {
			last = k
		}
	}
	return last
}
