package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// behind tells of threads that waited while another one of their process was in a sync, if that is as much as half a
// thread for all of the time in these syncs, and what helps then. Whatever the syncs wait for, it is those threads that
// are held up.
func (a *account) behind(call *profile.Call, r *profile.Reason) {
	p, index := most(a.p.Processes, func(p *profile.Process) int64 { return p.BehindNS })
	if p == nil || 2*p.BehindNS < call.TimeNS {
		return
	}
	r.Text += fmt.Sprintf("; other threads of %s (%d) waited meanwhile, %s in all: for a lock that is held, or for "+
		"these syncs", p.Command, p.PID, unit.Nanoseconds(p.BehindNS))
	r.Remedy = "sync without a lock that others need, or after less data; " + r.Remedy
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/processes/%d/behind_syncs_ns", index), float64(p.BehindNS)))
}
