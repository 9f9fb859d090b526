package answer

import (
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
)

// mostCopied says from where most bytes of several copies came, if that is below what all of them are from, and where
// they went, if no argument of the command has that name.
func mostCopied(command []string, list []profile.Copy) string {
	sources, destinations := map[string]int64{}, map[string]int64{}
	root := ""
	for i := range list {
		c := &list[i]
		sources[path.Dir(c.Source)] += c.Bytes
		destinations[path.Dir(c.Destination)] += c.Bytes
		if i == 0 {
			root = path.Dir(c.Source)
		}
		for !within(c.Source, root) {
			root = path.Dir(root)
		}
	}
	from, to := deepest(sources), deepest(destinations)
	if from == root || from == "" || to == "" || root == "." {
		return ""
	}
	const width = 32
	below := from[len(strings.TrimSuffix(root, "/")):]
	text := ", most of it " + visible.Shorten(path.Join(path.Base(root), below), width)
	to = strings.TrimSuffix(to, below)
	if slices.ContainsFunc(command, func(a string) bool { return path.Base(a) == path.Base(to) }) {
		return text
	}
	return text + visible.Arrow + visible.Shorten(to, width)
}

// deepest is the directory furthest down that more than half of all bytes lie below; "" if there is none but the root.
func deepest(bytes map[string]int64) (dir string) {
	var all int64
	below := map[string]int64{}
	for d, n := range bytes {
		all += n
		for ; d != "/" && d != "."; d = path.Dir(d) {
			below[d] += n
		}
	}
	for d, n := range below {
		if 2*n > all && len(d) > len(dir) { // those with more than half lie in one another
			dir = d
		}
	}
	return dir
}

// within reports whether a path lies below a directory.
func within(name, dir string) bool {
	return dir == "/" || dir == "." || strings.HasPrefix(name, dir+"/")
}
