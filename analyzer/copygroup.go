package analyzer

import (
	"cmp"
	"slices"
	"strings"
)

// groupCopies groups the copies that took whole trees or several files of one
// directory to another: those whose paths end alike under the same two roots.
func groupCopies(list []Copy) []CopyGroup {
	type roots struct{ source, dest string }
	members := map[roots][]*Copy{}
	var order []roots
	for i := range list {
		c := &list[i]
		common := strings.TrimPrefix(commonSuffix(c.Source, c.Destination), "/")
		r := roots{strings.TrimSuffix(c.Source, common), strings.TrimSuffix(c.Destination, common)}
		if common == "" { // another name: the directories are the roots
			r = roots{directory(c.Source), directory(c.Destination)}
		}
		if members[r] == nil {
			order = append(order, r)
		}
		members[r] = append(members[r], c)
	}
	groups := []CopyGroup{}
	for _, r := range order {
		if m := members[r]; len(m) > 1 {
			groups = append(groups, group(r.source, r.dest, m))
		}
	}
	slices.SortStableFunc(groups, func(a, b CopyGroup) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return groups
}

func directory(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

func group(source, dest string, members []*Copy) CopyGroup {
	g := CopyGroup{SourceRoot: source, DestinationRoot: dest, Files: len(members), Methods: map[string]int{}, StartNS: members[0].StartNS}
	var sizes, times, between histogram
	end, durable, busy := int64(0), int64(0), int64(0)
	for _, c := range members {
		g.Methods[c.Method]++
		g.Bytes += c.Bytes
		g.MetadataCalls += c.MetadataCalls
		g.MetadataNS += c.MetadataNS
		g.Syncs += c.Syncs
		if !c.SizeUnknown {
			sizes.add(c.Bytes)
		}
		times.add(c.WallNS)
		if busy > 0 && c.StartNS > busy {
			between.add(c.StartNS - busy)
		}
		busy = max(busy, c.StartNS+c.WallNS)
		end = max(end, c.StartNS+c.WallNS)
		if c.DurableNS == Unknown || durable == Unknown {
			durable = Unknown
		} else {
			durable = max(durable, c.StartNS+c.DurableNS)
		}
		g.Marks = union(g.Marks, c.Marks)
	}
	for _, m := range sortedKeys(g.Methods) {
		if g.Method == "" || g.Methods[m] > g.Methods[g.Method] {
			g.Method = m
		}
	}
	g.WallNS = end - g.StartNS
	g.DurableNS = Unknown
	if durable != Unknown {
		g.DurableNS = max(durable-g.StartNS, 0)
	}
	g.BytesPerS = rate(g.Bytes, g.WallNS)
	if g.WallNS > 0 {
		g.FilesPerS = float64(g.Files) / float64(g.WallNS) * 1e9
	}
	g.Sizes, g.PerFile, g.Between = sizes.dist(), times.dist(), between.dist()
	return g
}
