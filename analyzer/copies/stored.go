package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
)

// stored lists which process wrote how much to files that which other one read afterwards: an archive in volumes that
// is unpacked again.
func stored(t *transfers) []route {
	read := map[*world.File][]*source{}
	for _, s := range t.Sources {
		if s.File != nil && !s.Mapped && len(t.Written[s.File]) > 0 && s.File.Data() {
			read[s.File] = append(read[s.File], s)
		}
	}
	type ends struct{ from, to *world.Process }
	sums := map[ends]*route{}
	for f, sources := range read {
		moved := map[ends]*measure.Ranges{}
		for _, w := range t.Written[f] {
			for _, s := range sources[:min(len(sources), maxEnds)] {
				if s.By == w.By || s.Flow.First < w.Flow.First {
					continue
				}
				k := ends{w.By, s.By}
				if moved[k] == nil {
					moved[k] = new(measure.Ranges)
				}
				for _, e := range s.Read.List {
					for _, x := range w.Written.Common(e).List {
						moved[k].Add(x)
					}
				}
			}
		}
		for k, m := range moved {
			if m.Bytes == 0 {
				continue
			}
			if sums[k] == nil {
				sums[k] = &route{from: t.Processes[k.from], to: t.Processes[k.to]}
			}
			sums[k].bytes += m.Bytes
			sums[k].files = append(sums[k].files, f)
		}
	}
	var list []route
	for _, r := range sums {
		slices.SortFunc(r.files, func(a, b *world.File) int { return cmp.Compare(a.Path, b.Path) })
		list = append(list, *r)
	}
	sorting.Stably(list, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.from.Process.Number, b.from.Process.Number),
			cmp.Compare(a.to.Process.Number, b.to.Process.Number))
	})
	return list
}
