//go:build linux

package corpus

import (
	"os"
	"testing"
	"time"
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
			for _, err := os.Stat(dir + "/ready"); err != nil; _, err = os.Stat(dir + "/ready") {
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}
