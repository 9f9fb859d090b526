package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// What to do in place of work that need not be done.
const (
	allocated    = perSync + "; allocate it beforehand and write within it, with fdatasync"
	moreMem      = "more memory for the program, or a temporary directory on a faster drive"
	otherDrive   = "these files on another drive, or in memory"
	passOn       = "pass it on as it comes, or more memory for it"
	writeThere   = "write it to its place at once; within one file system a rename (mv) moves no data"
	keepOpen     = "keep it open"
	keepOpenAll  = "keep more of them open (a larger cache of open files)"
	listOnce     = "list it once and keep the names (inotify tells of changes)"
	noHoles      = "leave out the holes (SEEK_DATA, an option such as --sparse), or the file"
	inPlace      = "write within it what has changed (rsync --inplace), if that is little"
	inPlaces     = "write only what has changed, within them (rsync --inplace) or beside them, if that is little"
	shareIt      = "hard links (cp -l) or clones (cp --reflink), which hold it once"
	saveLess     = "save less often, or write what has changed (a log, a database)"
	writeOnce    = "write it once: no zeros beforehand (fallocate), no second pass over it"
	writeChanges = perSync + ", and only what has changed (no whole list, map or page)"
	perSync      = "more changes per sync (one transaction for many)" // as the cause itself says
	readOnce     = "go through it once, in its order, or keep what was read"
	readEachOnce = "read each once: what was found holds while its size and time stay"
	keepPages    = "a larger cache in the program (as SQLite's cache_size), or map the file"
	keepReads    = "keep what a read has brought and seek within that, as a seek discards many a library's buffer"
)

// repeats is what was copied from one place, again and again.
type repeats struct {
	from     string
	times    int
	bytes    int64
	largest  int64
	subject  string
	evidence []profile.Evidence
}

// copiedAgain is for one file, or one directory, of which several copies were made, if these are most of what was
// copied. A copy of a copy is one of what was there first.
func copiedAgain(o *observer) {
	var all int64
	from, first := map[string]*repeats{}, map[string]string{}
	add := func(source, to string, bytes int64, subject string) {
		source = cmp.Or(first[source], source)
		first[to] = source
		r := from[source]
		if r == nil {
			r = &repeats{from: source, subject: subject}
			from[source] = r
		}
		r.times++
		r.bytes += bytes
		r.largest = max(r.largest, bytes)
		if len(r.evidence) < maxObserved {
			r.evidence = append(r.evidence, number(subject+"/bytes", float64(bytes)))
		}
		all += bytes
	}
	for _, i := range byStart(o.p.CopyGroups) {
		if g := &o.p.CopyGroups[i]; g.Method.Moves() {
			add(g.SourceRoot, g.DestinationRoot, g.Bytes, fmt.Sprintf("/copy_groups/%d", i))
		}
	}
	if len(from) == 0 { // no directories
		for i := range o.p.Copies {
			if c := &o.p.Copies[i]; c.Method.Moves() && !c.SizeUnknown {
				add(c.Source, c.Destination, c.Bytes, fmt.Sprintf("/copies/%d", i))
			}
		}
	}
	if len(from) == 0 {
		return
	}
	r := slices.MaxFunc(slices.Collect(maps.Values(from)), func(x, y *repeats) int {
		return cmp.Or(cmp.Compare(x.bytes, y.bytes), cmp.Compare(y.from, x.from))
	})
	if r.times < fewestCopies || r.bytes-r.largest < amplifiedBytes || 2*r.bytes < all {
		return
	}
	text := fmt.Sprintf("%s was copied %d times, %s for %s: %s.", named(r.from), r.times, unit.Bytes(r.bytes),
		unit.Bytes(r.largest), shareIt)
	o.say("copied_again", r.subject, text, r.evidence...)
	o.instead(shareIt)
	o.list[len(o.list)-1].Figures = map[string]float64{"times": float64(r.times), "bytes": float64(r.bytes)}
}

// byStart are the places of copies of directories in the order in which they began.
func byStart(groups []profile.CopyGroup) []int {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[a].StartNS, groups[b].StartNS) })
	return order
}

// fewestCopies of one thing are several, fewestSaves of one file many.
const (
	fewestCopies = 3
	fewestSaves  = 16
)

// saved is for a file that was written anew as a whole many times, if that is most of what was written.
func saved(o *observer) {
	_, wrote := o.p.ByCalls()
	for i := range o.p.Saves {
		s := &o.p.Saves[i]
		if s.Count < fewestSaves || s.Bytes < amplifiedBytes || 2*s.Bytes < wrote {
			continue
		}
		at, by := fmt.Sprintf("/saves/%d", i), runsOn(o.p, usersOf(o.p, s.Path))
		instead := by.instead(saveLess)
		o.say("saved", at, fmt.Sprintf("%s was saved as a whole %s%s, %s for a file of %s: %s.", named(s.Path),
			unit.Things(s.Count, "time"), by.words(), unit.Bytes(s.Bytes), unit.Bytes(s.Last), instead),
			number(at+"/count", float64(s.Count)), number(at+"/bytes", float64(s.Bytes)),
			number(at+"/last_bytes", float64(s.Last)))
		o.instead(instead)
		o.list[len(o.list)-1].Figures = by.figures()
		return
	}
}
