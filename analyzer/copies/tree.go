package copies

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// roots are the top directories of a tree and of its copy.
type roots struct{ source, dest string }

// treesOf lists the trees that copies belong to, each once.
func treesOf(list []judgedCopy) []roots {
	seen := map[roots]bool{}
	var trees []roots
	for _, f := range list {
		common := commonEnd(f.Source.Path, f.Dest.Path)
		t := roots{strings.TrimSuffix(f.Source.Path, common), strings.TrimSuffix(f.Dest.Path, common)}
		if !seen[t] {
			seen[t] = true
			trees = append(trees, t)
		}
	}
	return trees
}

// emptyAmong finds the files without bytes that belong to the trees that were found:
// they leave no trace in the stream, but the sender looked at a file of this
// name, and the receiver made one and wrote nothing.
func emptyAmong(some []judgedCopy, r *route, made []made, files *world.Files, taken map[*world.File]bool) []judgedCopy {
	trees := treesOf(some)
	var list []judgedCopy
	for _, m := range made {
		dest := m.File
		if taken[dest] || dest.Size > 0 || r.to.Written[dest] != nil {
			continue
		}
		for _, t := range trees {
			rest, below := strings.CutPrefix(dest.Path, t.dest)
			source := files.ByPath[t.source+rest]
			if !below || source == nil || source == dest || source.Size > 0 || source.Kind == trace.FileDirectory {
				continue
			}
			taken[dest] = true
			list = append(list, judgedCopy{
				Source: source, Dest: dest, Between: r.processes(), Via: r.kind, Method: profile.ByReadWrite,
				At: m.At, Until: m.At, Evidence: "framed", Certainty: Likely,
				Because: "the sender looked at a file of this name, the receiver made an empty one",
			})
			break
		}
	}
	return list
}

// closest is the source with the longest common end of path.
func closest(list []*source, out *sink) *source {
	var best *source
	length := -1
	for _, s := range list {
		if n := len(commonEnd(s.File.Path, out.File.Path)); n > length && s.File != out.File {
			best, length = s, n
		}
	}
	return best
}

// commonEnd is the longest common end of two paths, cut at a slash.
func commonEnd(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	s := a[len(a)-i:]
	if i == len(a) || i == len(b) {
		return s
	}
	for j := range s {
		if s[j] == '/' {
			return s[j:]
		}
	}
	return ""
}
