package copies

import (
	"cmp"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// identical finds the files that a process wrote whole and that hold what
// another one holds that it had read whole, whatever the calls look like. What it
// had not read itself may come from a process that it shares memory with. Programs
// read and write the same few bytes for other reasons: those need the name as well,
// and one process.
func identical(t *transfers, c contents, taken map[*world.File]bool) []judgedCopy {
	var list []judgedCopy
	kin := families(t.Processes)
	for _, s := range t.Sinks {
		n := s.File.Size
		if _, known := c[s.File]; !known || taken[s.File] || !s.File.Data() || !wrote(s) {
			continue
		}
		by, because := t.Processes[s.By], "one process read the whole file and wrote the whole of another, and they hold "+
			"the same"
		src := model(by, s, c)
		for i := 0; src == nil && n >= small && i < len(kin[by]); i++ {
			src = model(kin[by][i], s, c)
			because = "a process read the whole file, another one of its program wrote the whole of another, and they hold " +
				"the same"
		}
		if src == nil {
			continue
		}
		taken[s.File] = true
		list = append(list, judgedCopy{
			Source: src.File, Dest: s.File, ID: src.ID, Into: s.ID, Bytes: n,
			In: src.Detail, Reader: src, Out: writesOf(s), Writer: s, Calls: s.Calls, Between: []*world.Process{src.By},
			Parts:    measure.Ranges{List: []measure.Extent{{From: 0, To: n}}, Bytes: n},
			Evidence: "content", Checked: true, Because: because,
		})
	}
	return list
}

// wrote reports whether a session wrote the whole file, or more, of which the end was
// cut off: direct writes end with a block.
func wrote(s *sink) bool {
	return len(s.Written.List) == 1 && s.Written.First() == 0 && s.Written.End() >= s.File.Size
}

// model is what a process had read that holds the same as what was written; nil if
// there is nothing. Of several it is the one whose path ends alike.
func model(a *process, s *sink, c contents) *source {
	var list []*source
	for _, src := range a.Sources {
		if same, known := c.same(src.File, s.File); !same || !known {
			continue
		}
		if src.Read.Whole(s.File.Size) && src.Flow.First <= s.Flow.Last && !a.Wrote(src.File) &&
			!src.File.HadName(s.File.Path) {
			list = append(list, src)
		}
	}
	src := closest(list, s)
	if src != nil && s.File.Size < small && path.Base(src.File.Path) != path.Base(s.File.Path) {
		return nil
	}
	return src
}

// families lists for each process those of the same program that it forked or that
// forked it: memory that they share is not seen.
func families(all map[*world.Process]*process) map[*process][]*process {
	var list []*process
	byPID := map[uint32][]*process{}
	for _, a := range all {
		list = append(list, a)
		byPID[a.Process.PID] = append(byPID[a.Process.PID], a)
	}
	slices.SortFunc(list, func(a, b *process) int { return cmp.Compare(a.Process.Number, b.Process.Number) })
	kin := map[*process][]*process{}
	for _, child := range list {
		for _, a := range byPID[child.Process.Parent] {
			if a != child && a.Process.Exe == child.Process.Exe && child.Process.Exe != "" {
				kin[a] = append(kin[a], child)
				kin[child] = append(kin[child], a)
			}
		}
	}
	return kin
}
