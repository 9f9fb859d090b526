package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// maxOthers bounds the processes of others that are told apart on a device.
const maxOthers = 4096

// by adds a request of others to the process that asked for it.
func (d *deviceUse) by(e *world.Request, bytes int64) {
	if bytes <= 0 {
		return
	}
	if d.others == nil {
		d.others = map[uint32]int64{}
	}
	if _, known := d.others[e.PID]; known || len(d.others) < maxOthers {
		d.others[e.PID] += bytes
	}
}

// leastPart of what others moved is what a program has to have moved to be named.
const leastPart = 5

// outsider is what somebody is called who was not recorded, and whether that is a thread of the kernel.
type outsider func(pid uint32) (command string, kernel bool)

// program is what the processes of a name moved together.
type program struct {
	profile.User
	most int64 // by one of them
}

// users adds up by program what processes moved, and names those that moved a fifth of all or more. If none did, most
// was moved by workers of the kernel, which write back for others: then those are named that have a fifth of what
// programs moved themselves. A name that several processes have goes with the number of the one that moved most.
func users(moved map[uint32]int64, all int64, outsider outsider) []profile.User {
	programs, known := map[string]*program{}, int64(0)
	for pid, bytes := range moved {
		name, kernel := outsider(pid)
		if name == "" {
			continue
		}
		x := programs[name]
		if x == nil {
			x = &program{User: profile.User{Command: name, Kernel: kernel}}
			programs[name] = x
		}
		if !kernel {
			known += bytes
		}
		if x.Bytes += bytes; bytes > x.most || bytes == x.most && pid < x.PID {
			x.PID, x.most = pid, bytes
		}
	}
	list := atLeast(programs, all)
	if len(list) == 0 {
		list = atLeast(programs, known)
	}
	sorting.Stably(list, func(a, b profile.User) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Command, b.Command))
	})
	return list
}

// atLeast are the programs that have a part of so many bytes.
func atLeast(programs map[string]*program, all int64) (list []profile.User) {
	for _, x := range programs {
		if x.Bytes*leastPart >= all {
			list = append(list, x.User)
		}
	}
	return list
}

// shared says for how long others had requests at the device, and the workload waited for these.
func (u *deviceUse) shared() {
	if u.theirs == nil {
		return
	}
	u.theirs.Finish()
	u.foreign.BusyNS = u.theirs.Busy()
	u.foreign.MeanBusy = float64(u.theirArea) / float64(max(u.foreign.BusyNS, 1))
	u.foreign.ReadBehind, u.foreign.WriteBehind = u.turns.waited(&u.turns.reads), u.turns.waited(&u.turns.writes)
}

// count adds a request that is not the workload's.
func count(s *profile.Share, e *world.Request) {
	s.Count++
	if world.Failed(e.Request) {
		s.Errors++
	}
	switch e.Op {
	case trace.ReqRead:
		s.Read += e.Bytes
	case trace.ReqWrite:
		s.Write += e.Bytes
	}
}
