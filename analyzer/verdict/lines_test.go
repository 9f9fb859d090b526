package verdict

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// What is written to memory alone is never safe, whenever it was written.
func TestMemoryIsNotSafe(t *testing.T) {
	for fs, memory := range map[string]bool{"tmpfs": true, "ramfs": true, "ext4": false, "": false} {
		p := &profile.Profile{WallNS: 1e9, DurableNS: 2e9, Command: []string{"cp", "a", "b"}}
		p.Layers = []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: 1e6}}}
		p.Files = []profile.File{{Type: "file", FSType: fs, Write: p.Layers[0].Write}, {Type: "file", FSType: "ext4"}}
		text := safe(&account{p: p})
		if strings.Contains(text, "in memory only") != memory || strings.Contains(text, "safe") == memory {
			t.Errorf("%q: %s", fs, text)
		}
	}
}
