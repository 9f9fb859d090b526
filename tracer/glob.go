package tracer

import (
	"errors"
	"path"
	"strings"
)

// below ends a pattern that selects all that lies below a directory.
const below = "/**"

// errNoRoot is of a pattern such as "srv/*.db".
var errNoRoot = errors.New("a pattern with a slash is for whole paths and begins with a slash")

// CheckGlob returns an error for a pattern that no path can match. Patterns are those of a shell: * and ? match no
// slash, DIR/** selects all below a directory, and one without a slash is for the last name alone.
func CheckGlob(glob string) error {
	_, err := path.Match(strings.TrimSuffix(glob, below), "")
	switch {
	case err == nil && glob == "":
		return path.ErrBadPattern
	case err == nil && strings.Contains(glob, "/") && glob[0] != '/':
		return errNoRoot
	}
	return err
}

func matchGlob(glob, name string) bool {
	if dir, deep := strings.CutSuffix(glob, below); deep {
		parts := strings.Split(name, "/")
		if n := strings.Count(dir, "/") + 1; n < len(parts) {
			return matches(dir, strings.Join(parts[:n], "/"))
		}
		return false
	}
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	return matches(glob, name)
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}
