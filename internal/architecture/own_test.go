package architecture

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// apartBecause stands in the comment of a package that only one other imports; the reason follows.
const apartBecause = "It is a package of its own"

// A package that only one other imports is a part of that, or says why it is not. One that several import says nothing.
func TestOwnPackages(t *testing.T) {
	for path, fault := range unexplained(rooms(t)) {
		t.Errorf("%s %s", path, fault)
	}
}

func unexplained(list []*room) map[string]string {
	importers := map[string][]string{}
	for _, r := range list {
		for _, i := range slices.Sorted(maps.Keys(r.imports)) {
			importers[i] = append(importers[i], r.path)
		}
	}
	faults := map[string]string{}
	for _, r := range list {
		said := strings.Contains(r.comment, apartBecause)
		switch by := importers[r.path]; {
		case len(by) == 1 && !said:
			faults[r.path] = "is imported by " + by[0] + " alone: make it a part of that, or let its comment say \"" +
				apartBecause + " because …\""
		case len(by) > 1 && said:
			faults[r.path] = "says why it is a package of its own, but several import it: " + strings.Join(by, ", ")
		}
	}
	return faults
}

func TestOwnPackagesAreFound(t *testing.T) {
	of := func(path, comment string, imports ...string) *room {
		r := &room{path: path, comment: comment, imports: map[string]bool{}}
		for _, i := range imports {
			r.imports[i] = true
		}
		return r
	}
	faults := unexplained([]*room{
		of("lone", ""), of("reason", "It reads. "+apartBecause+" because it does."), of("shared", ""),
		of("outdated", apartBecause+" because it was."), of("one", "", "lone", "reason", "shared", "outdated"),
		of("two", "", "shared", "outdated"),
	})
	if got := slices.Sorted(maps.Keys(faults)); !slices.Equal(got, []string{"lone", "outdated"}) {
		t.Errorf("%q", faults)
	}
}
