package content

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// What goes to memory alone reaches no disk, whenever it was written.
func TestMemoryIsNoDisk(t *testing.T) {
	written := func(types ...string) *profile.Profile {
		p := &profile.Profile{WallNS: 100, DurableNS: 90, Layers: []profile.Layer{{Write: &profile.Flow{Bytes: 1}}}}
		for _, fs := range types {
			p.Files = append(p.Files, profile.File{Type: "file", FSType: fs, Write: &profile.Flow{Bytes: 1}})
		}
		return p
	}
	for _, c := range []struct {
		p    *profile.Profile
		disk bool
	}{
		{written("ext4"), true}, {written("tmpfs"), false}, {written("ramfs", "tmpfs"), false}, {written("hugetlbfs"), false},
		{written("tmpfs", "xfs"), true},
	} {
		text := strings.Join(Lead(c.p), " ")
		if strings.Contains(text, "on the disk") != c.disk || strings.Contains(text, "in memory only") == c.disk {
			t.Errorf("%s: %q", c.p.Files[0].FSType, text)
		}
	}
}
