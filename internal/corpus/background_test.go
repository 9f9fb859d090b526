//go:build linux

package corpus

import (
	"testing"
)

// TestBackground ends a program that takes a while to end, as its memory has to be freed, and unmounts where it was.
func TestBackground(t *testing.T) {
	needPrivilege(t)
	for range 3 {
		t.Run("", func(t *testing.T) {
			dir := mount(t, "ext4", 64<<20)
			background(t, dir, python(`b = bytearray(300 << 20)
open("ready", "w")
time.sleep(60)`))
			exists(t, dir+"/ready")
		})
	}
}
