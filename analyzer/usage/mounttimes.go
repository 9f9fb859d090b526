package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// brief is what is kept of the calls and page faults on a file that is not listed.
type brief struct{ ns, names, namesNS int64 }

func (b *brief) call(op trace.Op, duration int64) {
	b.ns += duration
	if op.Metadata() {
		b.names++
		b.namesNS += duration
	}
}

// mountTimes adds up, by mount, the time on files that are not listed.
type mountTimes map[mountOf]*profile.MountTime

// mountOf is a place where a file system of a type is mounted.
type mountOf struct{ mount, fsType string }

func (m mountTimes) add(f *world.File, b brief) {
	if f.Stream() || f.Mount == "" {
		return
	}
	at := mountOf{f.Mount, f.FSType}
	t := m[at]
	if t == nil {
		t = &profile.MountTime{Mount: f.Mount, FSType: f.FSType}
		m[at] = t
	}
	t.TimeNS += b.ns
	t.Names += b.names
	t.NamesNS += b.namesNS
}

func (m mountTimes) list() (list []profile.MountTime) {
	for _, t := range m {
		list = append(list, *t)
	}
	sorting.Stably(list, func(a, b profile.MountTime) int {
		return cmp.Or(cmp.Compare(b.TimeNS, a.TimeNS), cmp.Compare(a.Mount, b.Mount), cmp.Compare(a.FSType, b.FSType))
	})
	return list
}
