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
	under map[listing]entries // what listings under way have returned
}

// listing is a directory that a process reads by a descriptor, from its first entry to its last, or to where it is
// closed.
type listing struct {
	directory int
	pid       uint32
	fd        int32
}

// entries are what calls of a listing returned.
type entries struct{ calls, bytes int64 }

// maxUnder is how many listings under way are followed. Programs that end before the last entry leave them behind.
const maxUnder = 1 << 12

func newListings(calls []string) listings {
	return listings{names: calls, of: map[int]*profile.Directory{}, under: map[listing]entries{}}
}

// call adds one that lists a directory, or removes it and so has to see that it is empty.
func (l *listings) call(e *world.Call) {
	switch e.Op {
	case trace.OpClose: // before the last entry, perhaps; one call may have been to see whether there is any
		at := listing{e.File.Number, e.PID, e.FD}
		if l.under[at].calls > 1 {
			l.ends(l.directory(e.File), at)
		}
		delete(l.under, at)
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

// follow adds to a listing, or counts it at its end, which is a call that returns nothing more.
func (l *listings) follow(d *profile.Directory, e *world.Call) {
	at := listing{e.File.Number, e.PID, e.FD}
	if e.Result > 0 {
		if len(l.under) == maxUnder {
			clear(l.under)
		}
		now := l.under[at]
		l.under[at] = entries{now.calls + 1, now.bytes + e.Result}
		return
	}
	if e.Result < 0 {
		delete(l.under, at)
		return
	}
	l.ends(d, at)
}

// ends counts a listing that has returned something.
func (l *listings) ends(d *profile.Directory, at listing) {
	returned := l.under[at].bytes
	if delete(l.under, at); returned == 0 {
		return
	}
	d.Listings++
	if returned == d.LastBytes {
		d.Unchanged++
	}
	d.LastBytes = returned
}
