package verdict

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// underWay is the cause if both ends of a connection waited for each other in most of the time blocked: what one of
// them had sent was held back by the network between them. nil if it was not.
func underWay(a *account, f *profile.File, index int, ns int64) *profile.Reason {
	other, at2 := connected(a.p, f)
	if other == nil || 2*bothWait(f, other) <= ns {
		return nil
	}
	outside := a.onPath(func(x *profile.PathPart) bool { // an interrupt of the network ended it
		file := x.Place.File // none where the path goes through both ends
		return x.Place.What == "outside" && labels[x.Place.Label] == inCall &&
			(file == "" || file == f.Path || file == other.Path)
	})
	if 2*outside <= ns {
		return nil
	}
	return &profile.Reason{
		Code: cause.UnderWay, Name: "the network", TimeNS: ns, Certainty: cause.Measured,
		Text: fmt.Sprintf("both ends of a connection waited at once, %s: what one had sent was under way%s",
			unit.List([]string{user(a, f), user(a, other)}), a.askedOften(f)),
		Remedy: "TCP_NODELAY, or one send for each message: a second small one waits until the first is acknowledged " +
			"(Nagle); fewer round trips",
		Evidence: []profile.Evidence{a.thread("blocked_in_call"), at(fmt.Sprintf("/files/%d/inode", index),
			float64(f.Inode)), at(fmt.Sprintf("/files/%d/inode", at2), float64(other.Inode))},
	}
}

// connected is the other end of a socket if both were recorded, each with one process.
func connected(p *profile.Profile, f *profile.File) (*profile.File, int) {
	holds := func(x *profile.File, pid uint32) bool {
		return slices.ContainsFunc(p.Trace.Holders, func(h profile.Holder) bool {
			return h.What == x.Type.String() && h.Inode == x.Inode && h.PID == pid
		})
	}
	for i := range p.Files {
		o := &p.Files[i]
		if f.Type == trace.FileSocket && o.Type == trace.FileSocket && o.Inode != f.Inode && len(f.Processes) == 1 &&
			len(o.Processes) == 1 && holds(f, o.Processes[0]) && holds(o, f.Processes[0]) {
			return o, i
		}
	}
	return nil, 0
}

// bothWait is for how long two ends were read from at the same time at least: each for so long, of the time from the
// first read until the last.
func bothWait(f, other *profile.File) int64 {
	if f.Read == nil || other.Read == nil {
		return 0
	}
	reads := func(op trace.Op) bool { return op == trace.OpRead }
	lasted := max(f.Read.LastNS, other.Read.LastNS) - min(f.Read.FirstNS, other.Read.FirstNS)
	return min(timeIn(f, reads), lasted) + min(timeIn(other, reads), lasted) - lasted
}

// user is the process that alone uses a file.
func user(a *account, f *profile.File) string {
	if list := users(a, f); len(list) > 0 {
		return list[0].Called()
	}
	return fmt.Sprintf("process %d", f.Processes[0])
}
