package tracer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// maxStrangers bounds the processes outside of the recording that are told apart.
const maxStrangers = 1 << 10

// users notes which processes outside of the recording use the same drives. What one is called is asked at its first
// request, as it may be gone soon, and now and then again, as it may execute another program.
type users struct {
	trace.Sink
	name  func(pid uint32) string
	found map[uint32]*user
	loops bool // the recording has loop devices
}

type user struct {
	trace.User
	asked int64 // when
}

// askAgain is after how long somebody is asked for the name again.
const askAgain = int64(100 * time.Millisecond)

func newUsers(s trace.Sink) *users {
	return &users{Sink: s, name: machine.Command, found: map[uint32]*user{}}
}

// Request implements trace.Sink.
func (u *users) Request(e *trace.Request) error {
	foreign, bytes := e.Flags&(trace.ReqForeign|trace.ReqRecorder) == trace.ReqForeign, e.Others
	if foreign {
		bytes = e.Bytes
	}
	if foreign || bytes > 0 {
		x := u.found[e.PID]
		if x == nil && len(u.found) < maxStrangers {
			x = &user{User: trace.User{PID: e.PID, Command: u.name(e.PID)}, asked: e.Issued}
			u.found[e.PID] = x
		} else if x != nil && e.Issued-x.asked > askAgain {
			x.Command, x.asked = cmp.Or(u.name(e.PID), x.Command), e.Issued
		}
		if x != nil {
			x.Bytes = min(x.Bytes+bytes, trace.MaxTotal)
		}
	}
	return u.Sink.Request(e)
}

// Device implements trace.Sink.
func (u *users) Device(e *trace.Device) error {
	u.loops = u.loops || e.Backing != ""
	return u.Sink.Device(e)
}

// works reports whether a name is that of a worker of the kernel that may serve a loop device of the recording. Whom it
// works for was counted at that device. What it is called by the time it is asked may be its next work.
func (u *users) works(command string) bool {
	return u.loops && (strings.HasPrefix(command, "kworker/") || strings.HasPrefix(command, "loop"))
}

// most are those that moved most.
func (u *users) most() (list []trace.User) {
	for _, x := range u.found {
		if x.Command != "" && !u.works(x.Command) {
			list = append(list, x.User)
		}
	}
	slices.SortFunc(list, func(a, b trace.User) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.PID, b.PID))
	})
	return list[:min(len(list), trace.MaxUsers)]
}
