//go:build linux

package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ioCopy is the name by which this program is the copier in Go.
const ioCopy = "iocopy"

// serveIOCopy copies a file if this process was started for that, and ends it.
func serveIOCopy() {
	if filepath.Base(os.Args[0]) != ioCopy {
		return
	}
	if err := copyFile(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// copyFile copies with io.Copy: plain through a buffer of its own, since neither side offers the kernel's way.
func copyFile(way, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	var r io.Reader = in
	var w io.Writer = out
	if way == "plain" {
		r, w = struct{ io.Reader }{in}, struct{ io.Writer }{out}
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, out.Close())
}
