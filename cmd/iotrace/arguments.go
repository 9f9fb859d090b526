package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/visible"
)

// oneTrace is the argument check of commands that read one trace.
func oneTrace(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return noTrace("want the trace file to read")
	}
	return fmt.Errorf("want one trace file, got %d arguments", len(args))
}

// noTrace says what is wanted, and which traces of this directory may have been meant: those written last.
func noTrace(wanted string) error {
	names := newest(".", 3)
	if len(names) == 0 {
		return errors.New(wanted + "; none is in this directory, and iotrace record writes one")
	}
	for i, name := range names {
		names[i] = visible.Text(name)
	}
	return fmt.Errorf("%s; the newest in this directory: %s", wanted, strings.Join(names, ", "))
}

// newest are the names of the traces in a directory that were written last, that first, some at most.
func newest(dir string, most int) (names []string) {
	entries, _ := os.ReadDir(dir)
	var files []os.FileInfo
	for _, e := range entries {
		if filepath.Ext(e.Name()) != traceSuffix || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	sorting.Stably(files, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files[:min(most, len(files))] {
		names = append(names, f.Name())
	}
	return names
}

// format is one that import or export knows.
type format struct{ name, about string }

type formatList []format

func (fs formatList) names() string {
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// text lists them for the manual.
func (fs formatList) text() string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "  %s\n      %s\n", f.name, strings.ReplaceAll(f.about, "\n", "\n      "))
	}
	return b.String()
}

func (fs formatList) find(name string) (int, error) {
	n := slices.IndexFunc(fs, func(f format) bool { return f.name == name })
	if n < 0 {
		return n, fmt.Errorf("unknown format %q (want %s)", name, fs.names())
	}
	return n, nil
}
