package tracer

import (
	"cmp"
	"os"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// runners is the processor time that the processes of the machine had used when a recording began, by PID.
type runners map[uint32]int64

// maxLooked bounds the processes that are looked at, as each look takes a microsecond.
const maxLooked = 1 << 14

// leastRun is the processor time from which on a process is told of: ten ticks of the kernel's clock.
const leastRun = 100_000_000

func newRunners() runners {
	r := runners{}
	for _, pid := range everybody() {
		if used, known := host.ProcessCPU(int(pid)); known {
			r[pid] = int64(used)
		}
	}
	return r
}

func everybody() []uint32 {
	pids, err := host.PIDs() // elsewhere than on Linux they are not known
	if err != nil {
		return nil
	}
	return pids[:min(len(pids), maxLooked)]
}

// most are the processes that the processors ran longest since then, but for those that are recorded and this one.
func (r runners) most(recorded func(pid uint32) bool) (list []trace.Runner) {
	for _, pid := range everybody() {
		used, known := host.ProcessCPU(int(pid))
		if !known || int(pid) == os.Getpid() || recorded(pid) {
			continue
		}
		ns := int64(used)
		if before := r[pid]; before <= ns { // or it is another one with the same number
			ns -= before
		}
		if ns >= leastRun {
			list = append(list, trace.Runner{PID: pid, Command: machine.Command(pid), Time: ns})
		}
	}
	sorting.Stably(list, func(a, b trace.Runner) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.PID, b.PID))
	})
	return list[:min(len(list), trace.MaxRunners)]
}
