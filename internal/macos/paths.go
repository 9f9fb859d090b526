package macos

import (
	"bytes"
	"path"
)

// rootLinks are what the standard symbolic links /tmp, /var and /etc point to.
// The kernel logs a path behind a link as the link's target plus the rest, so
// /tmp/x arrives as private/tmp/x whatever the working directory is.
var rootLinks = [][]byte{[]byte("private/tmp/"), []byte("private/var/"), []byte("private/etc/")}

// AppendAbsolute appends to b the absolute form of a path as the kernel logs
// it, relative to base. Where base is not known ("") the path stays relative.
func AppendAbsolute(b []byte, base string, p []byte) []byte {
	if startsAtRoot(p) {
		base = "/"
	}
	return AppendGiven(b, base, p)
}

// AppendGiven does the same with a path as the program gave it.
func AppendGiven(b []byte, base string, p []byte) []byte {
	if len(p) == 0 {
		return b
	}
	at := len(b)
	switch {
	case p[0] == '/':
	case base != "":
		b = append(b, base...)
		if base[len(base)-1] != '/' {
			b = append(b, '/')
		}
	}
	b = append(b, p...)
	if added := b[at:]; unclean(added) {
		return append(b[:at], path.Clean(string(added))...)
	}
	return b
}

func startsAtRoot(p []byte) bool {
	for _, l := range rootLinks {
		if bytes.HasPrefix(p, l) {
			return true
		}
	}
	return false
}

// unclean reports whether a path has empty, "." or ".." elements or ends in a
// slash: two spellings of one file must not become two files.
func unclean(p []byte) bool {
	return bytes.Contains(p, []byte("//")) || bytes.Contains(p, []byte("./")) ||
		bytes.HasSuffix(p, []byte("/.")) || bytes.HasSuffix(p, []byte("/..")) ||
		len(p) > 1 && p[len(p)-1] == '/' || p[0] == '.' && len(p) <= 2
}
