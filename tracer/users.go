package tracer

import (
	"cmp"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// maxStrangers bounds the processes outside of the recording that are told apart.
const maxStrangers = 1 << 10

// users notes which processes outside of the recording use the same drives. What one is called is asked at its first
// request, as it may be gone soon, and now and then again, as it may execute another program.
type users struct {
	trace.Sink
	name  func(pid uint32) (command string, kernel bool)
	found map[uint32]*user
	loops bool // the recording has loop devices
}

type user struct {
	trace.User
	asked int64 // when
}

// askAgain is after how long somebody is asked for the name again.
const askAgain = int64(100 * time.Millisecond)

func newUsers(s trace.Sink) *users { return &users{Sink: s, name: identify, found: map[uint32]*user{}} }

// Request implements trace.Sink.
func (u *users) Request(e *trace.Request) error {
	foreign, bytes := e.Flags&(trace.ReqForeign|trace.ReqRecorder) == trace.ReqForeign, e.Others
	if foreign {
		bytes = e.Bytes
	}
	if foreign || bytes > 0 {
		x := u.found[e.PID]
		if x == nil && len(u.found) < maxStrangers {
			x = &user{User: trace.User{PID: e.PID}}
			u.found[e.PID] = x
			u.ask(x, e.Issued)
		} else if x != nil && e.Issued-x.asked > askAgain {
			u.ask(x, e.Issued)
		}
		if x != nil {
			x.Bytes = min(x.Bytes+bytes, trace.MaxTotal)
		}
	}
	return u.Sink.Request(e)
}

// ask finds out who somebody is; who is gone keeps the name.
func (u *users) ask(x *user, now int64) {
	if command, kernel := u.name(x.PID); command != "" {
		x.Command, x.Kernel = command, kernel
	}
	x.asked = now
}

// Device implements trace.Sink.
func (u *users) Device(e *trace.Device) error {
	u.loops = u.loops || e.Backing != ""
	return u.Sink.Device(e)
}

// identify asks what a process is called, "" if it is gone, and whether it is a thread of the kernel.
func identify(pid uint32) (command string, kernel bool) {
	s, _ := host.ReadStatus(pid)
	return s.Name, (&trace.Process{PID: pid, Parent: s.Parent}).OfKernel()
}

// works reports whether somebody is a worker of the kernel that serves whoever has work, the recorded programs too.
// What it is called by the time it is asked may be its next work. The requests of a loop device's thread were counted
// at that device already.
func (u *users) works(x *user) bool {
	return x.Kernel && (strings.HasPrefix(x.Command, "kworker/") || u.loops && strings.HasPrefix(x.Command, "loop"))
}

// most are those that moved most.
func (u *users) most() (list []trace.User) {
	for _, x := range u.found {
		if x.Command != "" && !u.works(x) {
			list = append(list, x.User)
		}
	}
	sorting.Stably(list, func(a, b trace.User) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.PID, b.PID))
	})
	return list[:min(len(list), trace.MaxUsers)]
}
