package tracer

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/holders"
)

// maxStrangers bounds the processes outside of the recording that are told apart.
const maxStrangers = 1 << 10

// users notes which processes outside of the recording use the same drives. What one is called is asked at its first
// request: it may be gone soon.
type users struct {
	trace.Sink
	name  func(pid uint32) string
	found map[uint32]*trace.User
}

func newUsers(s trace.Sink) *users {
	return &users{Sink: s, name: holders.Command, found: map[uint32]*trace.User{}}
}

// Request implements trace.Sink.
func (u *users) Request(e *trace.Request) error {
	if e.Flags&(trace.ReqForeign|trace.ReqRecorder) == trace.ReqForeign {
		x := u.found[e.PID]
		if x == nil && len(u.found) < maxStrangers {
			x = &trace.User{PID: e.PID, Command: u.name(e.PID)}
			u.found[e.PID] = x
		}
		if x != nil {
			x.Bytes = min(x.Bytes+e.Bytes, trace.MaxTotal)
		}
	}
	return u.Sink.Request(e)
}

// most are those that moved most.
func (u *users) most() (list []trace.User) {
	for _, x := range u.found {
		if x.Command != "" {
			list = append(list, *x)
		}
	}
	slices.SortFunc(list, func(a, b trace.User) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.PID, b.PID))
	})
	return list[:min(len(list), trace.MaxUsers)]
}
