package content

import (
	"path"
	"strings"
)

// SystemFile reports whether a file is one that programs need to start and run, such as a library or a table of a
// locale: what a user works with comes first.
func SystemFile(name string) bool {
	base, ext := path.Base(name), path.Ext(name)
	return ext == ".so" || strings.Contains(base, ".so.") || ext == ".dylib" || base == "ld.so.cache" ||
		base == "locale.alias" || base == "locale-archive" || ext == ".mo" || strings.HasPrefix(base, "gconv-modules") ||
		under(name, "/usr/lib/locale", "/usr/share/locale", "/usr/lib/x86_64-linux-gnu/gconv", "/System/Library",
			"/usr/share/zoneinfo")
}

func under(name string, dirs ...string) bool {
	for _, d := range dirs {
		if strings.HasPrefix(name, d+"/") {
			return true
		}
	}
	return false
}
