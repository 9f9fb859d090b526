package copies

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Files are copied in one go from one directory to another; those without a name lie in none.
func TestGroups(t *testing.T) {
	copied := func(paths ...string) (list []profile.Copy) {
		for i := 0; i < len(paths); i += 2 {
			list = append(list, profile.Copy{Method: "read_write", Source: paths[i], Destination: paths[i+1], WallNS: 1})
		}
		return list
	}
	for _, c := range []struct {
		list       []profile.Copy
		roots      int
		from, into string
	}{
		{copied("/a/x/1", "/b/x/1", "/a/y/2", "/b/y/2"), 1, "/a/", "/b/"},
		{copied("/a/1", "/b/2", "/a/3", "/b/4"), 1, "/a/", "/b/"},
		{copied(`C:\a\1`, `D:\b\2`, `C:\a\3`, `D:\b\4`), 1, `C:\a\`, `D:\b\`},
		{copied("open:[1]", "open:[2]", "open:[3]", "open:[4]"), 0, "", ""},
		{copied("open:[1]", "/b/2", "open:[3]", "/b/4"), 0, "", ""},
	} {
		groups := groupCopies(c.list)
		if len(groups) != c.roots || c.roots > 0 && (groups[0].SourceRoot != c.from || groups[0].DestinationRoot != c.into) {
			t.Errorf("%s and so on: %+v", c.list[0].Source, groups)
		}
	}
}
