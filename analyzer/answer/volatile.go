package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// littleOf is the part of what was written from which on it is told that it is not durable.
const littleOf = 100

// notDurable is what was written to file systems of which nothing reached a device that is seen here: those in memory,
// those that are a process, and those of another machine; to those that leave it in the cache of a drive, and to
// overlays that never sync. It says where that is, "" if there is little of it, and whether nothing was written beside
// it.
func notDurable(p *profile.Profile) (words string, alone bool) {
	var list []string
	not := int64(0)
	_, all := p.ByCalls()
	for i := range p.Amounts.Filesystems {
		f := &p.Amounts.Filesystems[i]
		memory, elsewhere := f.Write.Of(profile.InMemory), f.Write.Of(profile.Elsewhere)
		m := p.Trace.Mount(f.Name)
		switch {
		case m != nil && m.Unflushed != "":
			written := max(f.Write.Moved, f.Write.Of(profile.Data)+f.Write.Of(profile.Mapped))
			if written == 0 {
				continue
			}
			not += written
			list = append(list, fmt.Sprintf("%s unflushed in %s's cache (nobarrier)", unit.Bytes(written), m.Unflushed))
		case m != nil && m.Has(trace.Volatile...) && f.Write.Moved > 0:
			not += f.Write.Moved
			list = append(list, fmt.Sprintf("%s on %s never synced (volatile)", unit.Bytes(f.Write.Moved), f.Name))
		case f.Device != "":
		case memory > 0 && trace.InMemory(f.FSType):
			not += memory
			list = append(list, fmt.Sprintf("%s on %s in memory only (%s)", unit.Bytes(memory), f.Name, f.FSType))
		case elsewhere > 0:
			not += elsewhere
			list = append(list, fmt.Sprintf("%s on %s not seen here (%s)", unit.Bytes(elsewhere), f.Name, f.FSType))
		}
	}
	if not*littleOf < all || not == 0 {
		return "", false
	}
	return unit.List(list), (all-not)*littleOf < not
}

// Apart reports whether some of what was written is not durable whatever was synced, which the first lines tell.
func Apart(p *profile.Profile) bool {
	words, _ := notDurable(p)
	return words != ""
}
