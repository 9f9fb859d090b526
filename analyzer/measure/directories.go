package measure

import (
	"path"
	"strings"
)

// Deepest is the directory furthest down in or below which more than a part of all lies, and how much does. The part is
// a half at least, so that such directories lie within each other. It is "" if there is none but the root.
func Deepest(in map[string]int64, part float64) (dir string, n int64) {
	var all int64
	below := map[string]int64{}
	for d, k := range in {
		all += k
		for ; d != "/" && d != "."; d = path.Dir(d) {
			below[d] += k
		}
	}
	for d, k := range below {
		if float64(k) > part*float64(all) && len(d) > len(dir) {
			dir, n = d, k
		}
	}
	return dir, n
}

// Within reports whether a path is that of a directory or lies below it. Below the root, and below ".", is all.
func Within(name, dir string) bool {
	return dir == "/" || dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}
