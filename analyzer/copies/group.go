package copies

import (
	"cmp"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
)

// groupCopies groups the copies that took whole trees or several files of one
// directory to another: those whose paths end alike under the same two roots.
func groupCopies(list []profile.Copy) []profile.CopyGroup {
	type roots struct{ source, dest string }
	members := map[roots][]*profile.Copy{}
	var order []roots
	for i := range list {
		c := &list[i]
		common := strings.TrimPrefix(commonEnd(c.Source, c.Destination), "/")
		r := roots{strings.TrimSuffix(c.Source, common), strings.TrimSuffix(c.Destination, common)}
		if common == "" { // another name: the directories are the roots
			r = roots{directory(c.Source), directory(c.Destination)}
		}
		if r.source == "" || r.dest == "" { // a file that is not known by name lies in no directory
			continue
		}
		if members[r] == nil {
			order = append(order, r)
		}
		members[r] = append(members[r], c)
	}
	groups := []profile.CopyGroup{}
	for _, r := range order {
		if m := members[r]; len(m) > 1 {
			groups = append(groups, group(r.source, r.dest, m))
		}
	}
	sorting.Stably(groups, func(a, b profile.CopyGroup) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return groups
}

// directory is where a file lies, "" if its path does not tell. Those of Windows have backslashes.
func directory(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i+1]
	}
	return path[:strings.LastIndexByte(path, '\\')+1]
}

// distinct is how many files were copied: several parts of one file are one.
func distinct(members []*profile.Copy) int {
	sources, destinations := map[string]bool{}, map[string]bool{}
	for _, c := range members {
		sources[c.Source], destinations[c.Destination] = true, true
	}
	return max(len(sources), len(destinations))
}

func group(source, dest string, members []*profile.Copy) profile.CopyGroup {
	g := profile.CopyGroup{SourceRoot: source, DestinationRoot: dest, Files: distinct(members),
		Methods: map[profile.Method]int{},
		StartNS: members[0].StartNS}
	var sizes, times, between measure.Histogram
	end, durable, busy := int64(0), int64(0), int64(0)
	counted := map[[2]string]bool{}
	for _, c := range members {
		g.Methods[c.Method]++
		g.Bytes += c.Bytes
		if pair := [2]string{c.Source, c.Destination}; !counted[pair] { // each part has those of the whole file
			counted[pair] = true
			g.MetadataCalls += c.MetadataCalls
			g.MetadataNS += c.MetadataNS
			g.Syncs += c.Syncs
		}
		if !c.SizeUnknown {
			sizes.Add(c.Bytes)
		}
		times.Add(c.WallNS)
		if busy > 0 && c.StartNS > busy {
			between.Add(c.StartNS - busy)
		}
		busy = max(busy, c.StartNS+c.WallNS)
		end = max(end, c.StartNS+c.WallNS)
		if c.DurableNS == profile.Unknown || durable == profile.Unknown {
			durable = profile.Unknown
		} else {
			durable = max(durable, c.StartNS+c.DurableNS)
		}
		g.Marks = measure.Union(g.Marks, c.Marks)
	}
	for _, m := range measure.SortedKeys(g.Methods) {
		if g.Method == "" || g.Methods[m] > g.Methods[g.Method] {
			g.Method = m
		}
	}
	g.WallNS = end - g.StartNS
	g.DurableNS, g.DurableBytesPerS = profile.Unknown, profile.Unknown
	if durable > g.StartNS {
		g.DurableNS = durable - g.StartNS
		g.DurableBytesPerS = measure.Rate(g.Bytes, g.DurableNS)
	} else if durable != profile.Unknown {
		g.DurableNS = 0
	}
	if !g.Method.Names() { // no data moved
		g.BytesPerS = measure.Rate(g.Bytes, g.WallNS)
	}
	if g.WallNS > 0 {
		g.FilesPerS = float64(g.Files) / float64(g.WallNS) * 1e9
	}
	g.Sizes, g.PerFile, g.Between = sizes.Dist(), times.Dist(), between.Dist()
	return g
}
