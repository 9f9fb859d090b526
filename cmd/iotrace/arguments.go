package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// oneTrace is the argument check of commands that read one trace.
func oneTrace(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return errors.New("want the trace file to read")
	}
	return fmt.Errorf("want one trace file, got %d arguments", len(args))
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
