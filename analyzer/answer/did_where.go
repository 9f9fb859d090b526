package answer

import (
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
)

// mostCopied says from where most bytes of several copies came, if that is below what all of them are from, and where
// they went, if no argument of the command has that name.
func mostCopied(command []string, list []profile.Copy) string {
	const half, width = 0.5, 32
	sources, destinations := map[string]int64{}, map[string]int64{}
	root := ""
	for i := range list {
		c := &list[i]
		sources[path.Dir(c.Source)] += c.Bytes
		destinations[path.Dir(c.Destination)] += c.Bytes
		if i == 0 {
			root = path.Dir(c.Source)
		}
		for !measure.Within(c.Source, root) {
			root = path.Dir(root)
		}
	}
	from, _ := measure.Deepest(sources, half)
	to, _ := measure.Deepest(destinations, half)
	if from == root || from == "" || to == "" || root == "." {
		return ""
	}
	below := from[len(strings.TrimSuffix(root, "/")):]
	text := ", most of it " + visible.Shorten(path.Join(path.Base(root), below), width)
	to = strings.TrimSuffix(to, below)
	if slices.ContainsFunc(command, func(a string) bool { return path.Base(a) == path.Base(to) }) {
		return text
	}
	return text + visible.Arrow + visible.Shorten(to, width)
}
