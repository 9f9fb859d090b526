package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// packObjects packs the objects that bpf2go has written to a directory, and lets its Go files embed and unpack these.
// An object is mostly type information, which packs to a seventh: the program is 1.3 MB smaller.
func packObjects() {
	dir := flag.String("output-dir", ".", "where the objects are")
	flag.Parse()
	objects, err := filepath.Glob(filepath.Join(*dir, "*_bpfel.o"))
	if err == nil && len(objects) == 0 {
		err = fmt.Errorf("%s has no objects", *dir)
	}
	for _, object := range objects {
		if err == nil {
			err = packObject(object)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "objects:", err)
		os.Exit(1)
	}
}

// packObject replaces an object by its packed form.
func packObject(object string) error {
	plain, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	// In one goroutine, so that the same object always gives the same bytes.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if err := os.WriteFile(object+".zst", z.EncodeAll(plain, nil), 0o644); err != nil { //nolint:gosec // for all
		return err
	}
	source := object[:len(object)-len(".o")] + ".go"
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if text, err = embedPacked(text, filepath.Base(object)); err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	if err := os.WriteFile(source, text, 0o644); err != nil { //nolint:gosec // for all
		return err
	}
	return os.Remove(object)
}

const (
	takes = "\treader := bytes.NewReader("
	gives = "\tobject, err := unpacked(%s)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n" +
		"\treader := bytes.NewReader(object)"
)

// embedPacked lets a Go file of bpf2go embed the packed form of an object.
func embedPacked(text []byte, object string) ([]byte, error) {
	embeds := []byte("//go:embed " + object + "\n")
	before, rest, found := bytes.Cut(text, []byte(takes))
	name, after, ended := bytes.Cut(rest, []byte(")"))
	if !found || !ended || bytes.Count(text, []byte(takes)) != 1 || bytes.Count(text, embeds) != 1 {
		return nil, fmt.Errorf("it does not read %s as bpf2go did when this was written", object)
	}
	text = bytes.Join([][]byte{before, fmt.Appendf(nil, gives, name), after}, nil)
	return bytes.Replace(text, embeds, []byte("//go:embed "+object+".zst\n"), 1), nil
}
