package copies

import "slices"

// relayed adds to routes those that lead through programs that pass on what they get: cat, pv, dd, mbuffer. Such a
// program writes to the next as many bytes as it has read from the one before.
func relayed(direct []route) []route {
	next := map[*process][]*route{}
	for i := range direct {
		next[direct[i].from] = append(next[direct[i].from], &direct[i])
	}
	all := direct
	for step, ends := 0, direct; step < maxHops && len(ends) > 0; step++ {
		var further []route
		for i := range ends {
			a := &ends[i]
			for _, b := range next[a.to] {
				if a.bytes == b.bytes && b.to != a.from && !slices.Contains(a.through, b.to) && len(all) < maxRelayed {
					further = append(further, route{from: a.from, to: b.to, bytes: a.bytes, kind: a.kind,
						through: append(slices.Clone(a.through), a.to)})
				}
			}
		}
		all = append(slices.Clip(all), further...)
		ends = further
	}
	return all
}

// maxRelayed bounds the routes: of a few equal bytes each, many processes can pass them on.
const maxRelayed = 4096
