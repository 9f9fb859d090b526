//go:build linux

package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"os"
	"path/filepath"
)

// biosnoop adds the tool of that name, and the libraries that it needs, for the check of guest/biosnoop.go. It is that
// of Debian sid, where scripts/dtrace-sid has put it: older ones load on few of the kernels. Without it nothing is
// added.
func (a *archive) biosnoop(k *kernel) error {
	root := cmp.Or(os.Getenv("IOTRACE_SID"), "/var/cache/iotrace-sid")
	libraries := root + "/usr/lib/x86_64-linux-gnu"
	program, err := os.ReadFile(root + "/usr/sbin/biosnoop-libbpf")
	if _, missing := os.Stat(libraries); err != nil || missing != nil || k.arch != "amd64" {
		return nil
	}
	a.dir("lib")
	a.file("biosnoop", program)
	return a.libraries(libraries, program, map[string]bool{})
}

// libraries adds what a program is linked with, and what that is linked with.
func (a *archive) libraries(dir string, program []byte, seen map[string]bool) error {
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
		a.file("lib/"+name, content)
		if err := a.libraries(dir, content, seen); err != nil {
			return err
		}
	}
	return nil
}
