package main

import (
	"fmt"
	"os"

	"github.com/iotrace/iotrace/tracer"
)

// stripSymbols strips the symbol tables of programs for Linux, except for the two symbols that iotrace reads in itself
// (tracer/ignored.go). They are a tenth of its size. The linker knows all of them or none.
func stripSymbols() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: symbols PROGRAM")
		os.Exit(2)
	}
	if err := keepIn(os.Args[1], tracer.Symbols); err != nil {
		fmt.Fprintln(os.Stderr, "symbols:", err)
		os.Exit(1)
	}
}

// keepIn leaves these symbols in the program at a path.
func keepIn(path string, names []string) error {
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if program, err = keep(program, names); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, program, 0o755) //nolint:gosec // a program is for all
}
