//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// addModules adds modules of a kernel, whose packages are unpacked in dir, and what they depend on; the file order in
// their directory lists them as they need each other. One that has no file is built in.
func addModules(a *archive, dir string, names []string) error {
	files, err := moduleFiles(dir)
	if err != nil {
		return err
	}
	var order []string
	seen := map[string]bool{}
	a.Dir("modules")
	for _, name := range names {
		if order, err = addModule(a, files, name, seen, order); err != nil {
			return err
		}
	}
	a.File("modules/order", []byte(strings.Join(order, "")))
	return nil
}

// moduleFiles maps the names of a kernel's modules to their files.
func moduleFiles(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if name, _, ok := strings.Cut(filepath.Base(path), ".ko"); ok && err == nil && !d.IsDir() {
			files[strings.ReplaceAll(name, "-", "_")] = path
		}
		return err
	})
	return files, err
}

// addModule adds a module and, before it, what it depends on.
func addModule(a *archive, files map[string]string, name string, seen map[string]bool,
	order []string) ([]string, error) {
	path := files[strings.ReplaceAll(name, "-", "_")]
	if path == "" || seen[path] {
		return order, nil
	}
	seen[path] = true
	content, err := unpacked(path)
	if err != nil {
		return nil, err
	}
	needs, err := dependencies(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, need := range needs {
		if order, err = addModule(a, files, need, seen, order); err != nil {
			return nil, err
		}
	}
	a.File("modules/"+name+".ko", content)
	return append(order, name+".ko\n"), nil
}

// dependencies reads what a module says of itself.
func dependencies(module []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(module))
	if err != nil {
		return nil, err
	}
	section := f.Section(".modinfo")
	if section == nil {
		return nil, errors.New("no .modinfo")
	}
	info, err := section.Data()
	if err != nil {
		return nil, err
	}
	var needs []string
	for field := range bytes.SplitSeq(info, []byte{0}) {
		key, value, _ := strings.Cut(string(field), "=")
		switch {
		case value == "":
		case key == "depends":
			needs = append(needs, strings.Split(value, ",")...)
		case key == "softdep":
			if list, ok := strings.CutPrefix(value, "pre: "); ok {
				needs = append(needs, strings.Fields(list)...)
			}
		}
	}
	return needs, nil
}

// unpacked reads a file that may be compressed.
func unpacked(path string) ([]byte, error) {
	for suffix, tool := range map[string]string{".xz": "xz", ".zst": "zstd", ".gz": "gzip"} {
		if strings.HasSuffix(path, suffix) {
			return decompress(tool, path)
		}
	}
	return os.ReadFile(path)
}

func decompress(tool, path string) ([]byte, error) {
	c := exec.Command(tool, "-dc", path)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w: %s", path, err, stderr.String())
	}
	return out, nil
}
