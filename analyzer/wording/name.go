package wording

import (
	"path"
	"strings"
	"unicode"
)

// FileName is the last part of a path. One without a letter, such as a process number or a part of a hash, says little
// without the directory that it is in.
func FileName(name string) string {
	base := path.Base(name)
	if dir := path.Base(path.Dir(name)); !strings.ContainsFunc(base, unicode.IsLetter) && dir != "/" && dir != "." {
		return path.Join(dir, base)
	}
	return base
}
