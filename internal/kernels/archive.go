//go:build linux

package main

// This file makes the initial file system of a virtual machine: programs with the libraries they are linked
// with, and modules of a kernel.

import (
	"bytes"
	"fmt"
)

// archive is an initial file system (cpio, "newc").
type archive struct {
	content bytes.Buffer
	inode   int
}

func (a *archive) entry(name string, mode int, content []byte) {
	a.inode++
	fmt.Fprintf(&a.content, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.inode, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name)+1, 0, name)
	a.pad()
	a.content.Write(content)
	a.pad()
}

func (a *archive) pad() {
	for a.content.Len()%4 != 0 {
		a.content.WriteByte(0)
	}
}

// Dir adds a directory.
func (a *archive) Dir(name string) { a.entry(name, 0o40755, nil) }

// File adds a file that can be executed, in a directory that is there.
func (a *archive) File(name string, content []byte) { a.entry(name, 0o100755, content) }

// End ends the archive and returns it.
func (a *archive) End() []byte {
	a.entry("TRAILER!!!", 0, nil)
	return a.content.Bytes()
}
