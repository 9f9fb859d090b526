package content

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Copies are told of where they are a hundredth of what was written, or where nothing had to be.
func TestCopied(t *testing.T) {
	for _, c := range []struct {
		method  string
		written int64
		told    bool
	}{
		{"read_write", 100, true},
		{"read_write", 100_00, true},
		{"read_write", 102_00, false},
		{"reflink", 102_00, true},
	} {
		p := &profile.Profile{
			Layers: []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: c.written}}},
			Copies: []profile.Copy{{Method: c.method, Bytes: 100, WallNS: profile.Unknown, Certainty: "checked"}},
		}
		if text := copied(p); (text != "") != c.told {
			t.Errorf("100 bytes by %s of %d that were written: %q", c.method, c.written, text)
		}
	}
}
