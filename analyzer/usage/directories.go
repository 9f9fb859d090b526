package usage

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// listings is what was read of directories, by number.
type listings struct {
	names []string // of calls
	of    map[int]*profile.Directory
}

// call adds one that lists a directory, or removes it and so has to see that it is empty.
func (l *listings) call(e *world.Call) {
	removes := e.Op == trace.OpUnlink && int(e.Call) < len(l.names) && l.names[e.Call] == "rmdir"
	if e.Op != trace.OpReaddir && !removes || e.Filled == 0 && l.of[e.File.Number] == nil {
		return
	}
	d := l.of[e.File.Number]
	if d == nil {
		d = new(profile.Directory)
		l.of[e.File.Number] = d
	}
	d.ReadBytes += e.Filled
	if e.Op == trace.OpReaddir {
		d.NamesBytes += max(e.Result, 0)
	}
}
