package verdict

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
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

// Of several hosts the verdict speaks of the commands that they ran, if any, and not of how long all were watched.
func TestCommandsOfSeveralHosts(t *testing.T) {
	for start, want := range map[int64]string{0: "It was watched for 2.00 s.",
		1: "The last command returned after 2.00 s."} {
		p := &profile.Profile{StartNS: start, WallNS: 2e9, Trace: profile.Trace{Scope: trace.ScopeMerge}}
		if text := safe(&account{p: p}); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}
