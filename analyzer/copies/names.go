package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// named finds files that got another name instead of a copy, or a further one.
// Renaming what the workload itself has just written is no copy.
func named(t *transfers, files *world.Files) []judgedCopy {
	var list []judgedCopy
	for _, r := range files.Renames {
		if r.Fresh || rewritten(t, r.File, r.Call.Start) || !r.File.Data() && r.File.Kind != trace.FileDirectory {
			continue
		}
		f := judgedCopy{
			Source: r.File, Dest: r.File, From: r.From, To: r.To, Bytes: max(r.File.Size, 0), Evidence: "call",
			Method: profile.ByRename, At: r.Call.Start, Until: r.Call.End(), Because: "the file got another name; no data moved",
			PID: r.Call.PID, Certainty: Certain,
		}
		if r.Call.Op == trace.OpLink {
			f.Method, f.Because = profile.ByHardLink, "the file got a further name; no data moved"
		}
		if r.File.Kind == trace.FileDirectory {
			f.Bytes = 0
		}
		list = append(list, f)
	}
	return list
}

// rewritten reports whether the workload had written all of a file before a time, such as encrypted it in place.
func rewritten(t *transfers, f *world.File, before int64) bool {
	return f.Size > 0 && slices.ContainsFunc(t.Written[f], func(s *sink) bool {
		return s.Written.Whole(f.Size) && s.Flow.Last <= before
	})
}

// unsized finds the clones of files whose size was not seen.
func unsized(clones []clone, taken map[*world.File]bool) []judgedCopy {
	var list []judgedCopy
	for _, x := range clones {
		if taken[x.Dest] || !x.Source.Data() || !x.Dest.Data() {
			continue
		}
		list = append(list, judgedCopy{
			Source: x.Source, Dest: x.Dest, Unsized: true, Between: []*world.Process{x.By}, Method: profile.ByReflink,
			At: x.At, Until: x.Until, Evidence: "call", Certainty: Certain,
			Because: "one call named both files; the size of the source was not seen",
		})
	}
	return list
}
