package wording

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// Gaps words the pauses between calls, each kind by itself; all is what is known where the kinds are not told apart.
func Gaps(g *profile.Gaps, all *profile.Dist) string {
	var parts []string
	if g != nil {
		for _, x := range []struct {
			of   *profile.Dist
			text string
		}{{g.ReadWrite, " from read to write"}, {g.WriteRead, " from write to read"},
			{g.WriteWrite, " from write to write"}} {
			if x.of != nil {
				parts = append(parts, Times(x.of)+x.text)
			}
		}
	}
	if len(parts) == 0 {
		return Times(all) + " between them"
	}
	return unit.List(parts)
}
