package chart

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Of more copies than are listed the largest are, and the lane says so.
func TestCopyLaneSaysWhatItLeavesOut(t *testing.T) {
	p := &profile.Profile{Copies: []profile.Copy{{StartNS: 5, WallNS: 1}, {StartNS: 9, WallNS: 1}}}
	for _, x := range []struct {
		omitted int64
		want    string
	}{{0, "copies"}, {3, "copies, the largest 2"}} {
		p.Omitted.Copies = x.omitted
		if l, any := copyLane(p, 0, func(string) int64 { return 0 }); !any || l.Name != x.want {
			t.Errorf("with %d copies left out the lane is called %q, want %q", x.omitted, l.Name, x.want)
		}
	}
}
