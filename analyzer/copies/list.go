package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
)

// listCopies puts the copies into the profile: in the order in which they began, and if there are too many, the
// largest. Files that only got another name are left out first.
func listCopies(p *profile.Profile, list []profile.Copy, most int) {
	sorting.Stably(list, func(a, b profile.Copy) int {
		return cmp.Or(cmp.Compare(a.StartNS, b.StartNS), cmp.Compare(a.Destination, b.Destination))
	})
	shareSources(list)
	p.CopyGroups = groupCopies(list)
	if len(list) > most {
		kept := slices.Clone(list)
		sorting.Stably(kept, func(a, b profile.Copy) int {
			return cmp.Or(onlyNamed(&a)-onlyNamed(&b), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(described(&b), described(&a)))
		})
		for _, c := range kept[most:] {
			if c.Method.Names() {
				p.Omitted.Renames++
				continue
			}
			p.Omitted.Copies++
			p.Omitted.CopyBytes += c.Bytes
		}
		kept = kept[:most]
		sorting.Stably(kept, func(a, b profile.Copy) int { return cmp.Compare(a.StartNS, b.StartNS) })
		list = kept
	}
	p.Copies = list
}

// onlyNamed is 1 for a file that got another name, 0 for a copy.
func onlyNamed(c *profile.Copy) int {
	if c.Method.Names() {
		return 1
	}
	return 0
}

// described is how much of a copy's calls is known: of files that are not
// listed there are sums only.
func described(c *profile.Copy) int {
	n := 0
	if c.Read != nil {
		n++
	}
	if c.Write != nil {
		n++
	}
	return n
}

// shareSources corrects copies of one source: what the device read for the
// first one was in memory for the others.
func shareSources(list []profile.Copy) {
	first := map[string]int{}
	for i := range list {
		c := &list[i]
		if c.DeviceRead == nil {
			continue
		}
		j, again := first[c.Source]
		if !again {
			first[c.Source] = i
			continue
		}
		o := &list[j]
		if c.StartNS >= o.StartNS+o.WallNS && c.DeviceRead.LastNS < c.StartNS {
			c.DeviceRead, c.DeviceReadBytes, c.ReadAmplification, c.CacheHitShare = nil, 0, 0, 1
			continue
		}
		for _, x := range []*profile.Copy{c, o} {
			x.Marks = measure.Union(x.Marks, []string{"shared_source"})
		}
	}
}
