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
	under map[listing]int64 // bytes of entries that listings under way have returned
}

// listing is a directory that a process reads by a descriptor, from its first entry to its last.
type listing struct {
	directory int
	pid       uint32
	fd        int32
}

// maxUnder is how many listings under way are followed. Programs that end before the last entry leave them behind.
const maxUnder = 1 << 12

func newListings(calls []string) listings {
	return listings{names: calls, of: map[int]*profile.Directory{}, under: map[listing]int64{}}
}

// call adds one that lists a directory, or removes it and so has to see that it is empty.
func (l *listings) call(e *world.Call) {
	switch e.Op {
	case trace.OpClose: // before the last entry, perhaps
		if len(l.under) > 0 {
			delete(l.under, listing{e.File.Number, e.PID, e.FD})
		}
	case trace.OpReaddir:
		d := l.directory(e.File)
		d.ReadBytes += e.Filled
		d.NamesBytes += max(e.Result, 0)
		if own := world.HoldsData(trace.FileRegular, e.File.FSType); own && !e.File.Other { // not made up, nor several
			l.follow(d, e)
		}
	case trace.OpUnlink:
		if e.Filled > 0 && int(e.Call) < len(l.names) && l.names[e.Call] == "rmdir" {
			l.directory(e.File).ReadBytes += e.Filled
		}
	}
}

func (l *listings) directory(f *world.File) *profile.Directory {
	d := l.of[f.Number]
	if d == nil {
		d = new(profile.Directory)
		l.of[f.Number] = d
	}
	return d
}

// follow counts a listing at its end, which is a call that returns nothing more.
func (l *listings) follow(d *profile.Directory, e *world.Call) {
	at := listing{e.File.Number, e.PID, e.FD}
	if e.Result > 0 {
		if len(l.under) == maxUnder {
			clear(l.under)
		}
		l.under[at] += e.Result
		return
	}
	returned := l.under[at]
	delete(l.under, at)
	if e.Result < 0 || returned == 0 {
		return
	}
	d.Listings++
	if returned == d.LastBytes {
		d.Unchanged++
	}
	d.LastBytes = returned
}
