package convert

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/bounded"
)

// maxKinds bounds the names that LeftOut remembers.
const maxKinds = 1 << 10

// LeftOut counts what is read and no event stands for, by its kind.
type LeftOut map[string]uint64

// Add counts one of a kind. Names beyond 1024, and those that are too long, are counted together.
func (l LeftOut) Add(kind []byte) {
	if _, known := l[string(kind)]; known || len(l) < maxKinds && len(kind) <= bounded.MaxName {
		l[string(kind)]++
	} else {
		l["unnamed"]++
	}
}

// String is "3, of brk (2), newcall (1)": the most frequent first.
func (l LeftOut) String() string {
	const shown = 12
	names := slices.SortedFunc(maps.Keys(l), func(a, b string) int {
		return cmp.Or(cmp.Compare(l[b], l[a]), cmp.Compare(a, b))
	})
	var list []string
	total := uint64(0)
	for i, name := range names {
		if total += l[name]; i < shown {
			list = append(list, fmt.Sprintf("%s (%d)", name, l[name]))
		}
	}
	if len(names) > shown {
		list = append(list, fmt.Sprintf("%d others", len(names)-shown))
	}
	return fmt.Sprintf("%d, of %s", total, strings.Join(list, ", "))
}
