package answer

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// fewestListings is how often a directory has to be listed without a change, that listing it is work. Who goes through
// a tree lists each directory once or twice.
const fewestListings = 100

// listingShare is the part of the time that listings have to take, that fewer of them would help.
const listingShare = 0.05

// spent is how many calls were made, and the time in them.
type spent struct{ count, ns int64 }

// most reports whether it is more than half of all, by calls or by time.
func (s spent) most(all spent) bool { return 2*s.count > all.count || 2*s.ns > all.ns }

// listedAgain is for a directory that was listed again and again while its names stayed the same, if that is most of
// the calls on names, or of the time in them.
func listedAgain(o *observer) {
	var all spent
	for i := range o.p.Calls {
		if c := &o.p.Calls[i]; c.Op.Metadata() {
			all.count, all.ns = all.count+c.Count, all.ns+c.TimeNS
		}
	}
	for i := range o.p.Files {
		f := &o.p.Files[i]
		d := f.Directory
		if d == nil || d.Unchanged < fewestListings || 2*d.Unchanged < d.Listings {
			continue
		}
		took := listing(o.p, f)
		if !took.most(all) {
			continue
		}
		at := fmt.Sprintf("/files/%d/directory", i)
		o.say("listed_again", at, fmt.Sprintf("%s was listed %s, and had not changed %s (%s of entries); %s.",
			named(f.Path), unit.Things(d.Listings, "time"), unit.Things(d.Unchanged, "time"), unit.Bytes(d.LastBytes),
			listOnce), number(at+"/listings", float64(d.Listings)),
			number(at+"/unchanged_listings", float64(d.Unchanged)), number(at+"/last_bytes", float64(d.LastBytes)))
		if float64(took.ns) >= listingShare*float64(o.p.WallNS) {
			o.instead(listOnce)
		}
		return
	}
}

// listing is what listings of a directory took: calls on it, and a look at the files in it for each listing.
func listing(p *profile.Profile, dir *profile.File) (all spent) {
	for i := range p.Files {
		f := &p.Files[i]
		if f != dir && path.Dir(f.Path) != dir.Path {
			continue
		}
		for _, c := range f.Ops {
			switch {
			case f == dir && c.Op.Metadata():
				all.count, all.ns = all.count+c.Count, all.ns+c.TimeNS
			case f != dir && c.Op == trace.OpStat && c.Count > 0:
				n := min(c.Count, dir.Directory.Listings)
				all.count, all.ns = all.count+n, all.ns+c.TimeNS/c.Count*n
			}
		}
	}
	return all
}
