package tracer

import (
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// running lists recorded processes that have not exited. The system is asked as
// well, for the case that the exit was lost.
func (w *watch) running() []uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []uint32
	for pid := range w.live {
		if host.Running(pid) {
			list = append(list, pid)
		} else {
			delete(w.live, pid)
		}
	}
	return list
}

// aFew is how many processes stand for all of a recording.
const aFew = 16

// sample lists a few of the recorded processes that have not exited, others each time: any one of
// them shows what they have in common, and in time each gets its turn.
func (w *watch) sample() (list []uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for pid := range w.live {
		if len(list) == aFew {
			break
		}
		list = append(list, pid)
	}
	return list
}

// recorded reports whether a process belongs to the recording and has not exited.
func (w *watch) recorded(pid uint32) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.live[pid]
}

// remain writes down the CPU time of processes that still run as the recording ends, as their exits would, and what
// they call themselves by then. A failure of the file shows in flush.
func (w *watch) remain(running []uint32, now int64) {
	out := guarded{w, &w.mu}
	for _, pid := range running {
		cpu, known := host.ProcessCPU(int(pid))
		if known { // otherwise it has ended meanwhile, or the system does not tell
			_ = out.Process(&trace.Process{Time: now, Action: trace.ProcessRunning, PID: pid, TID: pid, CPU: int64(cpu),
				Args: host.Arguments(pid)})
		}
	}
}
