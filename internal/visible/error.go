package visible

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Error is the message of an error, which may have several lines. Names with line feeds that are in it, of files and
// programs that the error knows or that the caller does, make no further ones; nor do names that were made of them
// by another ending.
func Error(err error, names ...string) string {
	text := err.Error()
	for _, name := range append(namesIn(err), names...) {
		for _, part := range []string{name, strings.TrimSuffix(name, filepath.Ext(name)), filepath.Base(name)} {
			if strings.ContainsAny(part, "\n\t") { // Lines keeps these
				text = strings.ReplaceAll(text, part, Text(part))
			}
		}
	}
	return Lines(text)
}

// namesIn are the names in an error and in all that it wraps.
func namesIn(err error) (names []string) {
	switch e := err.(type) { //nolint:errorlint // each error of the tree is looked at
	case *fs.PathError:
		names = append(names, e.Path)
	case *os.LinkError:
		names = append(names, e.Old, e.New)
	case *exec.Error:
		names = append(names, e.Name)
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // likewise
		for _, e := range several.Unwrap() {
			names = append(names, namesIn(e)...)
		}
	} else if e := errors.Unwrap(err); e != nil {
		names = append(names, namesIn(e)...)
	}
	return names
}
