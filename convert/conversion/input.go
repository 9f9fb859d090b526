package conversion

import (
	"fmt"
	"io"
	"os"
)

// Input is what is imported: several files, one after the other.
type Input struct {
	io.Reader
	files []*os.File
}

// Open opens all files before anything is written. "-" stands for standard input.
func Open(names []string, stdin io.Reader) (*Input, error) {
	in := &Input{}
	var parts []io.Reader
	for _, name := range names {
		if name == "-" {
			parts = append(parts, stdin)
			continue
		}
		f, err := open(name)
		if err != nil {
			in.Close()
			return nil, fmt.Errorf("opening the input: %w", err)
		}
		in.files = append(in.files, f)
		parts = append(parts, f)
	}
	in.Reader = io.MultiReader(parts...)
	return in, nil
}

func open(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("open %s: is a directory", name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the files, which were only read.
func (in *Input) Close() {
	for _, f := range in.files {
		f.Close()
	}
}
