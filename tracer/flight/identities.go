package flight

import (
	"cmp"
	"strings"
	"unique"

	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// What is known of files, processes and devices, whatever the time of the recording. A program has some ten thousand
// files in use at most, and the backends announce a file anew when it has not been used for about as long.
const (
	mostFiles       = 1 << 17
	mostProcesses   = 1 << 16
	ringMostDevices = 1 << 12
	mostText        = 32 << 20 // bytes of the texts of files, as much for processes
	mostArguments   = 4 << 10  // bytes of one command line
	mostAncestors   = 16       // processes above one that are told with it
)

// identities are what events refer to, by number.
type identities struct {
	files     *recent[trace.FileID, trace.File]
	processes *recent[uint32, trace.Process]
	devices   *recent[trace.DeviceID, trace.Device]
	ended     endings
}

func newIdentities() identities {
	return identities{
		files: newRecent[trace.FileID](mostFiles, mostText, func(f *trace.File) int { return len(f.Path) + len(f.Host) }),
		processes: newRecent[uint32](mostProcesses, mostText, func(p *trace.Process) int {
			return len(p.Command) + len(p.Args) + len(p.Exe) + len(p.Cgroup)
		}),
		devices: newRecent[trace.DeviceID](ringMostDevices, mostText, func(d *trace.Device) int { return len(d.Backing) }),
	}
}

// learn takes what a process event says for later, as the event of one that is there already. Threads are no processes.
// One that has exited stays known: what a device does for it may take longer.
func (i *identities) learn(e *trace.Process) {
	p, from := *e, trace.Process{}
	p.CPU, p.Status = 0, 0
	switch before, known := i.processes.get(e.PID); {
	case e.Action == trace.ProcessExit:
		i.ended.add(e)
		return
	case e.Action == trace.ProcessRunning,
		e.Action == trace.ProcessFork && e.TID != e.PID && e.TID != 0:
		return
	case e.Action == trace.ProcessHelper && known && before.Action != trace.ProcessHelper:
		return // it is recorded itself
	case e.Action == trace.ProcessHelper:
	default:
		p.Action = trace.ProcessPresent
		if parent, ok := i.processes.get(e.Parent); ok && e.Action == trace.ProcessFork {
			from = parent // it is a copy of that one
		}
	}
	i.ended.again(e.PID)
	p.Command, p.Args = strings.Clone(p.Command), strings.Clone(p.Args[:min(len(p.Args), mostArguments)])
	// Few programs and groups have many processes.
	p.Exe, p.Cgroup = unique.Make(p.Exe).Value(), unique.Make(p.Cgroup).Value()
	p.Args, p.Exe, p.Cgroup = cmp.Or(p.Args, from.Args), cmp.Or(p.Exe, from.Exe), cmp.Or(p.Cgroup, from.Cgroup)
	i.processes.put(e.PID, p)
}

// list has the processes that are known, by number.
func (i *identities) list() (all []trace.Process) {
	i.processes.each(func(_ uint32, p *trace.Process) { all = append(all, *p) })
	sorting.Stably(all, func(a, b trace.Process) int { return cmp.Compare(a.PID, b.PID) })
	return all
}
