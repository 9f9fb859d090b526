package content

import "testing"

func TestSystemFile(t *testing.T) {
	for name, want := range map[string]bool{
		"/usr/lib/x86_64-linux-gnu/libpcre2-8.so.0.11.2": true, "/lib64/ld-linux-x86-64.so.2": true,
		"/usr/lib/locale/C.utf8/LC_CTYPE": true, "/usr/share/locale/locale.alias": true, "/etc/ld.so.cache": true,
		"/usr/lib/libSystem.B.dylib": true, "/home/me/also.sorted": false, "/home/me/lib/film.mp4": false,
		"/srv/x.solid": false,
	} {
		if SystemFile(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}
