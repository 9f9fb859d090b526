package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// A lane is one row of the timeline as the page gets it. Tiles are aggregates
// of equal width and hold everything; items are single events and fill only
// the stretches that the page lists as detailed.
type lane struct {
	Kind  string  `json:"kind"` // "copy", "thread", "device", "file"
	Name  string  `json:"name"`
	Top   float64 `json:"top"`  // mean depth of the busiest tile: the height of the lane
	Rows  int     `json:"rows"` // rows that items which overlap are spread over
	Tiles tiles   `json:"tiles"`
	Items items   `json:"items"`

	busy float64 // mean depth, added over tiles
}

type tiles struct {
	At    array `json:"at"` // index of the tile
	Count array `json:"count"`
	Busy  array `json:"busy"` // mean depth, without waits
	Wait  array `json:"wait"` // mean number of waits
	What  array `json:"what"` // kind of the event that fills most of it, plus one; 0 if none fills half
	Read  array `json:"read"` // bytes
	Write array `json:"write"`
	Max   array `json:"max"` // ns
}

type items struct {
	Start  array `json:"start"` // ns
	Dur    array `json:"dur"`   // ns
	What   array `json:"what"`
	Row    array `json:"row"`   // waitRow: beneath the others
	Bytes  array `json:"bytes"` // moved
	Offset array `json:"offset"`
	Name   array `json:"name"` // index into the page's names, plus one; 0 if none
}

// A kindOf is a kind of item: its name and what it counts as.
type kindOf struct {
	Name string `json:"name"`
	// colour: "read", "write", "both", "sync", "meta", "wait", "throttle", "fault", "discard", "copy", "other"
	Class string `json:"class"`
}

const (
	maxTiles = 32000 // of all lanes together; neighbours are joined until they fit
	maxRows  = 8     // overlapping items beyond that share the last row
	waitRow  = 255
	maxCopy  = 1000 // spans of copies; where there are more, each stands for several
	maxNamed = 1000 // files that single events are named by: those that moved most
)

// classOf says what kind of work a name of the timeline stands for.
func classOf(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	has := func(any ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
	}
	switch {
	case has("throttle", "throttled"):
		return "throttle"
	case has("wait"):
		return "wait"
	case has("fault"):
		return "fault"
	case has("discard", "punch", "zeroes", "zero"):
		return "discard"
	case has("sync", "datasync", "syncfs", "msync", "flush", "fsync"):
		return "sync"
	case has("copy", "sendfile", "splice", "tee", "clone", "dedupe", "copyfile"):
		return "both"
	case has("read"):
		return "read"
	case has("write"):
		return "write"
	case has("open", "close", "stat", "statfs", "readdir", "rename", "unlink", "link", "symlink", "readlink", "mkdir",
		"xattr", "attr", "truncate", "allocate"):
		return "meta"
	}
	return "other"
}

// A Class is a colour of the timeline and what it stands for.
type Class struct{ Color, Text string }

var classTexts = []Class{
	{"read", "read"}, {"write", "write"}, {"both", "read and write in one call"}, {"sync", "sync, flush"},
	{"meta", "names and attributes"}, {"fault", "page fault"}, {"discard", "discard"}, {"wait", "waiting"},
	{"throttle", "held back: too much unwritten data"}, {"other", "other"},
}

// classes are those that occur in the lanes.
func classes(all []profile.Lane, kinds []kindOf) []Class {
	used := map[string]bool{}
	for _, l := range all {
		for _, w := range l.Items.What {
			if w >= 0 && w < len(kinds) {
				used[kinds[w].Class] = true
			}
		}
		for i := range l.Tiles.At {
			used["read"] = used["read"] || l.Tiles.Read[i] > 0
			used["write"] = used["write"] || l.Tiles.Write[i] > 0
			waits := len(l.Tiles.Wait) > i && l.Tiles.Wait[i] > 0
			used["wait"] = used["wait"] || waits
			if filled := len(l.Tiles.What) > i && l.Tiles.What[i] >= 0 && l.Tiles.What[i] < len(kinds); filled {
				used[kinds[l.Tiles.What[i]].Class] = true
				continue
			}
			used["other"] = used["other"] || l.Tiles.Read[i]+l.Tiles.Write[i] == 0 && !(waits &&
				l.Tiles.Wait[i] == l.Tiles.Busy[i])
		}
	}
	return slices.DeleteFunc(slices.Clone(classTexts), func(c Class) bool { return !used[c.Color] })
}

// lanes prepares the timeline: its lanes, the names that items refer to and how
// many tiles were joined into one.
func lanes(p *profile.Profile) (all []lane, kinds []kindOf, names []string, join int) {
	t := &p.Charts.Timeline
	for _, name := range t.What {
		kinds = append(kinds, kindOf{visible.Text(name), classOf(name)})
	}
	index := map[string]int64{}
	named := func(s string) int64 {
		if index[s] == 0 {
			names = append(names, visible.Shorten(s, 120))
			index[s] = int64(len(names))
		}
		return index[s]
	}
	if l, any := copyLane(p, len(kinds), named); any && (len(p.Copies) > 1 || p.Charts.Pipeline == nil) {
		kinds = append(kinds, kindOf{"copy", "copy"})
		all = append(all, l)
	}
	if list := processLanes(p, len(kinds), len(kinds)+1, named); len(list) > 0 {
		kinds = append(kinds, kindOf{"program starts", "fault"}, kindOf{"process runs", "cpu"})
		all = append(all, list...)
	}
	join = joinTiles(t.Lanes)
	order := slices.Clone(t.Lanes)
	sorting.Stably(order, func(a, b profile.Lane) int {
		return cmp.Or(laneOrder(a.Kind)-laneOrder(b.Kind), system(a)-system(b))
	})
	for i := range order {
		all = append(all, laneOf(&order[i], t, kinds, join, func(file int) int64 {
			if file < 0 || file >= min(len(p.Files), maxNamed) {
				return 0
			}
			return named(content.FilePath(p.Files[file]))
		}))
	}
	return all, kinds, names, join
}

func laneOf(l *profile.Lane, t *profile.Timeline, kinds []kindOf, join int, name func(int) int64) lane {
	at, sums, filler := joinedTiles(&l.Tiles, join)
	out := lane{Kind: visible.Text(l.Kind), Name: visible.Shorten(laneName(l), 120)}
	width := float64(t.TileNS * int64(join))
	depth, waits := make([]float64, len(at)), make([]float64, len(at))
	for i := range at {
		depth[i], waits[i] = float64(sums[1][i]-sums[5][i])/width, float64(sums[5][i])/width
		out.Top = max(out.Top, depth[i])
		out.busy += depth[i]
	}
	out.Tiles = tiles{deltas(at), integers(sums[0]), float32s(depth), float32s(waits), uint8s(filler), integers(sums[2]),
		integers(sums[3]), integers(sums[4])}
	rows, n := rowsOf(&l.Items, kinds)
	out.Rows = n
	what, names := make([]int64, len(l.Items.What)), make([]int64, len(l.Items.File))
	for i, w := range l.Items.What {
		what[i] = int64(w)
	}
	for i, f := range l.Items.File {
		names[i] = name(f)
	}
	out.Items = items{deltas(l.Items.Start), integers(l.Items.Dur), uint8s(what), uint8s(rows), integers(l.Items.Bytes),
		deltas(l.Items.Offset), deltas(names)}
	return out
}

// laneOrder puts those who ask before those who serve.
func laneOrder(kind string) int {
	return slices.Index([]string{"device", "file", "process", "thread"}, kind) * -1
}

// system is 1 for a file that programs need to run: it stands behind others.
func system(l profile.Lane) int {
	if l.Kind == "file" && content.SystemFile(l.Name) {
		return 1
	}
	return 0
}

// laneName is the name of a lane for people.
func laneName(l *profile.Lane) string {
	name := visible.Text(l.Name)
	if l.Kind == "thread" && l.TID == l.PID && l.PID != 0 {
		return name + " " + strconv.Itoa(int(l.PID))
	}
	return name // further threads are numbered already
}

// rowsOf spreads items that overlap over rows, first come, first served. Waits
// lie beneath the calls they happened in.
func rowsOf(it *profile.Items, kinds []kindOf) (rows []int64, n int) {
	var ends []int64
	rows = make([]int64, len(it.Start))
	for i, start := range it.Start {
		if w := it.What[i]; w >= 0 && w < len(kinds) && (kinds[w].Class == "wait" || kinds[w].Class == "throttle") {
			rows[i] = waitRow
			continue
		}
		row := slices.IndexFunc(ends, func(end int64) bool { return end <= start })
		if row < 0 && len(ends) < maxRows {
			row, ends = len(ends), append(ends, 0)
		}
		if row < 0 {
			row = maxRows - 1
		}
		rows[i], ends[row] = int64(row), max(ends[row], start+it.Dur[i])
	}
	return rows, max(1, len(ends))
}

// joinTiles is how many neighbouring tiles to join for all lanes to fit.
func joinTiles(all []profile.Lane) int {
	for join := 1; ; join *= 2 {
		n := 0
		for i := range all {
			last := int64(-1)
			for _, at := range all[i].Tiles.At {
				if k := at / int64(join); k != last {
					n, last = n+1, k
				}
			}
		}
		if n <= maxTiles || join >= 1<<20 {
			return join
		}
	}
}

// joinedTiles adds up every join tiles: index, then count, busy, read, write,
// the longest and waits; and the kind, plus one, of the event that fills at
// least half of one of them.
func joinedTiles(t *profile.Tiles, join int) (at []int64, sums [6][]int64, filler []int64) {
	var lead int64
	for i, k := range t.At {
		k /= int64(join)
		if n := len(at); n == 0 || at[n-1] != k {
			at, filler, lead = append(at, k), append(filler, 0), -1
			for c := range sums {
				sums[c] = append(sums[c], 0)
			}
		}
		n := len(at) - 1
		for c, v := range []int64{t.Count[i], t.Busy[i], t.Read[i], t.Write[i]} {
			sums[c][n] += v
		}
		sums[4][n] = max(sums[4][n], t.Max[i])
		if len(t.Wait) == len(t.At) {
			sums[5][n] += t.Wait[i]
			if t.What[i] >= 0 && t.Lead[i] > lead && 2*t.Lead[i] >= t.Busy[i]-t.Wait[i] {
				lead, filler[n] = t.Lead[i], int64(t.What[i]+1)
			}
		}
	}
	return at, sums, filler
}

// copyLane shows the copies as spans above everything else.
func copyLane(p *profile.Profile, what int, name func(string) int64) (lane, bool) {
	copies, title := slices.Clone(p.Copies), "copies"
	if p.Omitted.Copies > 0 { // of which the largest are listed
		title = "copies, the largest " + unit.Count(int64(len(copies)))
	}
	sorting.Stably(copies, func(a, b profile.Copy) int { return cmp.Compare(a.StartNS, b.StartNS) })
	var it profile.Items
	var names []int64
	each := (len(copies) + maxCopy - 1) / maxCopy
	for some := range slices.Chunk(copies, max(each, 1)) {
		end := int64(0)
		for _, c := range some {
			end = max(end, c.StartNS+max(c.WallNS, 0))
		}
		called := visible.Text(some[0].Destination)
		if len(some) > 1 {
			called = unit.Things(int64(len(some)-1), "copy") + " and " + called
		}
		it.Start, it.Dur = append(it.Start, some[0].StartNS), append(it.Dur, end-some[0].StartNS)
		it.What, names = append(it.What, what), append(names, name(called))
	}
	n := len(it.Start)
	if n == 0 {
		return lane{}, false
	}
	rows, count := rowsOf(&it, nil)
	whats, zeros, nowhere := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range n {
		whats[i], nowhere[i] = int64(what), -1
	}
	return lane{Kind: "copy", Name: title, Rows: count, Items: items{
		deltas(it.Start), integers(it.Dur), uint8s(whats), uint8s(rows), integers(zeros), deltas(nowhere), deltas(names),
	}}, true
}
