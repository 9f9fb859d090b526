//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
)

// addProgram adds a program, and to lib what it is linked with, from a directory of libraries.
func addProgram(a *archive, name string, program []byte, libraries string) error {
	a.Dir("lib")
	a.File(name, program)
	return addLibraries(a, libraries, program, map[string]bool{})
}

// addLibraries adds what a program is linked with, and what that is linked with.
func addLibraries(a *archive, dir string, program []byte, seen map[string]bool) error {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return err
	}
	names, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		a.File("lib/"+name, content)
		if err := addLibraries(a, dir, content, seen); err != nil {
			return err
		}
	}
	return nil
}
