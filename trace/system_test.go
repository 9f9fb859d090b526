package trace

import "testing"

func TestOfSystem(t *testing.T) {
	for path, want := range map[string]bool{
		"/usr/lib/libc.so.6": true, "/lib64/ld-linux-x86-64.so.2": true, "/lib/modules/x.ko": true, "/run/utmp": true,
		"/run/mount/utab": true,
		"/etc/passwd":     true,
		"/dev/null":       true, "/Library/Fonts/a.ttf": true, "/System/Library/a": true,
		"/library/book": false, "/libraries/a": false, "/home/me/usr/file": false, "/run/media/me/USB/big.iso": false,
		"/run/user/1000/gvfs/file": false, "/dev/shm/file": false, "/Volumes/Ext/big.gguf": false, "relative/usr/": false,
		"/runner/file": false,
	} {
		if got := (&File{Path: path}).OfSystem(); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
