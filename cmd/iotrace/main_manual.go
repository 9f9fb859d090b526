//go:build manual

package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/manual"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/tracer/backends"
)

// With this tag the program is another one: go run -tags manual ./cmd/iotrace DIR VERSION SECONDS writes the manual and
// the completions of a version from a time to a directory. It is built from the same commands, which it reads.
func main() {
	if err := writeManual(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func writeManual(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("want DIR VERSION SECONDS, got %q", args)
	}
	seconds, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	root := newRoot(&cli.App{Streams: cli.Standard(), Backends: backends.Here()})
	dir := output.NewTree(args[0], nil, nil)
	return errors.Join(manual.Release{Version: args[1], Date: time.Unix(seconds, 0).UTC()}.Write(root, dir), dir.Close())
}
