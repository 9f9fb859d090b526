//go:build linux

package ebpf

import "strings"

// renames are the directories that got other names, and with them all that lies below, in order.
type renames []struct{ from, to string }

// maxRenames bounds the renamed directories that are remembered.
const maxRenames = 1000

func (r *renames) add(from, to string) {
	if len(*r) < maxRenames {
		*r = append(*r, struct{ from, to string }{from, to})
	}
}

// place is where a file lies in the end that had a path when since directories had been renamed.
func (r renames) place(path string, since int32) string {
	for _, m := range r[since:] {
		if below, ok := strings.CutPrefix(path, m.from+"/"); ok {
			path = m.to + "/" + below
		}
	}
	return path
}
