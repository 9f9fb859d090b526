//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// archive is an initial file system for the kernel (cpio, "newc").
type archive struct {
	bytes.Buffer
	inode int
}

func (a *archive) entry(name string, mode int, content []byte) {
	a.inode++
	fmt.Fprintf(a, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.inode, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name)+1, 0, name)
	a.pad()
	a.Write(content)
	a.pad()
}

func (a *archive) pad() {
	for a.Len()%4 != 0 {
		a.WriteByte(0)
	}
}

func (a *archive) dir(name string)                  { a.entry(name, 0o40755, nil) }
func (a *archive) file(name string, content []byte) { a.entry(name, 0o100755, content) }
func (a *archive) end()                             { a.entry("TRAILER!!!", 0, nil) }

// initramfs holds the two programs and the modules that this kernel needs.
func (t *trial) initramfs(k *kernel, dir string, further []string) ([]byte, error) {
	var a archive
	a.dir("modules")
	a.dir("dev")
	for _, program := range []string{"iotrace", "guest"} {
		content, err := os.ReadFile(filepath.Join(t.scratch, k.arch, program))
		if err != nil {
			return nil, err
		}
		a.file(program, content)
	}
	if err := a.biosnoop(k); err != nil {
		return nil, err
	}
	files, err := moduleFiles(dir)
	if err != nil {
		return nil, err
	}
	var order []string
	seen := map[string]bool{}
	for _, name := range slices.Concat(modules, further) {
		if order, err = a.module(files, name, seen, order); err != nil {
			return nil, err
		}
	}
	a.file("modules/order", []byte(strings.Join(order, "")))
	a.end()
	return a.Bytes(), nil
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

// module adds a module and, before it, what it depends on. One that has no file is built in.
func (a *archive) module(files map[string]string, name string, seen map[string]bool, order []string) ([]string, error) {
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
		if order, err = a.module(files, need, seen, order); err != nil {
			return nil, err
		}
	}
	a.file("modules/"+name+".ko", content)
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

// makeDisk makes a file system with the file that is copied.
func makeDisk(path string) error {
	root := path + ".root"
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(root)
	source, err := os.Create(filepath.Join(root, "source"))
	if err != nil {
		return err
	}
	random, err := os.Open("/dev/urandom")
	if err != nil {
		return err
	}
	_, copied := io.CopyN(source, random, sourceBytes)
	if err := errors.Join(copied, random.Close(), source.Close(), os.WriteFile(path, nil, 0o600),
		os.Truncate(path, 8*sourceBytes)); err != nil {
		return err
	}
	return run(exec.Command("mke2fs", "-q", "-F", "-t", "ext4", "-b", "4096", "-E",
		"nodiscard,lazy_itable_init=0,lazy_journal_init=0", "-d", root, path))
}

const sourceBytes = 32 << 20 // as in the guest
