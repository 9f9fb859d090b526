package evidence

import (
	"github.com/iotrace/iotrace/analyzer/copies/transfers"
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// identical finds the files that a process wrote whole and that hold what
// another one holds that it had read whole, whatever the calls look like.
func identical(t *transfers.Transfers, c contents, taken map[*world.File]bool) []Copy {
	var list []Copy
	for _, s := range t.Sinks {
		n := s.File.Size
		if n < small { // programs read and write the same few bytes for other reasons
			continue
		}
		if taken[s.File] || !s.File.Data() || !s.Written.Whole(n) {
			continue
		}
		src := model(t.Processes[s.By], s, c)
		if src == nil {
			continue
		}
		taken[s.File] = true
		list = append(list, Copy{
			Source: src.File, Dest: s.File, ID: src.ID, Into: s.ID, Bytes: n,
			In: src.Detail, Reader: src, Out: writesOf(s), Writer: s, Calls: s.Calls, Between: []*world.Process{s.By},
			Parts:    measure.Ranges{List: []measure.Extent{{From: 0, To: n}}, Bytes: n},
			Evidence: "content", Checked: true,
			Because: "one process read the whole file and wrote the whole of another, and they hold the same",
		})
	}
	return list
}

// model is what a process had read that holds the same as what it wrote; nil if
// there is nothing.
func model(a *transfers.Process, s *transfers.Sink, c contents) *transfers.Source {
	for _, src := range a.Sources {
		if same, known := c.same(src.File, s.File); !same || !known {
			continue
		}
		if src.Read.Whole(s.File.Size) && src.Flow.First <= s.Flow.Last && !a.Wrote(src.File) &&
			!src.File.HadName(s.File.Path) {
			return src
		}
	}
	return nil
}
