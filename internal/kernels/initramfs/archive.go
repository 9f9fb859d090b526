// Package initramfs makes the initial file system of a virtual machine: programs with the libraries they are linked
// with, and modules of a kernel.
package initramfs

import (
	"bytes"
	"fmt"
)

// Archive is an initial file system (cpio, "newc").
type Archive struct {
	content bytes.Buffer
	inode   int
}

func (a *Archive) entry(name string, mode int, content []byte) {
	a.inode++
	fmt.Fprintf(&a.content, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.inode, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name)+1, 0, name)
	a.pad()
	a.content.Write(content)
	a.pad()
}

func (a *Archive) pad() {
	for a.content.Len()%4 != 0 {
		a.content.WriteByte(0)
	}
}

// Dir adds a directory.
func (a *Archive) Dir(name string) { a.entry(name, 0o40755, nil) }

// File adds a file that can be executed, in a directory that is there.
func (a *Archive) File(name string, content []byte) { a.entry(name, 0o100755, content) }

// End ends the archive and returns it.
func (a *Archive) End() []byte {
	a.entry("TRAILER!!!", 0, nil)
	return a.content.Bytes()
}
