package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// unpackedHere is what to do in place of a compression whose data does not leave the machine.
const unpackedHere = "leave the compression out: both ends are on this machine"

// packedHere is for data that one process packed for another one of this machine, which wrote it as it had been: as
// much was written as was read, and far less went from one to the other.
func packedHere(o *observer) {
	if o.p.Trace.Scope == trace.ScopeMerge {
		return
	}
	_, wrote := o.p.ByCalls()
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if !f.Stream() || f.Write == nil || f.Write.Bytes < amplifiedBytes {
			continue
		}
		from, to := endsOf(o.p, f)
		if from == nil || to == nil || 2*to.Write.Bytes <= wrote || 5*f.Write.Bytes > 4*to.Write.Bytes {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("packed_here", at, fmt.Sprintf("%s packed %s into %s for %s, which unpacked and wrote it; %s.", from.Called(),
			unit.Bytes(from.Read.Bytes), unit.Bytes(f.Write.Bytes), to.Called(), unpackedHere),
			number(at+"/write/bytes", float64(f.Write.Bytes)),
			number(fmt.Sprintf("/processes/%d/read/bytes", processAt(o.p, from)), float64(from.Read.Bytes)))
		o.instead(unpackedHere)
		return
	}
}

// endsOf are the process that wrote to a stream what it read of files, and the one that read as much as that of a
// stream, and wrote to files as much as the first had read. A socket is two files.
func endsOf(p *profile.Profile, f *profile.File) (from, to *profile.Process) {
	for i := range p.Files {
		g := &p.Files[i]
		if !g.Stream() || g.Read == nil || !near(g.Read.Bytes, f.Write.Bytes) {
			continue
		}
		for _, x := range p.Users(f) {
			for _, y := range p.Users(g) {
				if x != y && x.Read != nil && y.Write != nil && near(x.Read.Bytes, y.Write.Bytes) &&
					(from == nil || y.Write.Bytes > to.Write.Bytes) {
					from, to = x, y
				}
			}
		}
	}
	return from, to
}

// processAt is the index of a process.
func processAt(p *profile.Profile, x *profile.Process) int {
	return slices.IndexFunc(p.Processes, func(y profile.Process) bool { return y.PID == x.PID && y.StartNS == x.StartNS })
}
