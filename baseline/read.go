package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// ReadReport reads a file made by bench --json, or beside a recorded bench.
func ReadReport(file string) (*Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("reading %s: not a bench result: %w", file, err)
	}
	if r.Type != "bench" || r.Version != 1 {
		return nil, fmt.Errorf("reading %s: not a bench result of version 1 (type %q, version %d); "+
			"make one with iotrace bench --json, or -o", file, r.Type, r.Version)
	}
	return r, nil
}

// ReadResults reads a file made by bench --json or -o: a *Report, or a *Review of bench --with.
func ReadResults(file string) (any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var head struct{ Type string }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("reading %s: not results of bench: %w", file, err)
	}
	if head.Type != "review" {
		return ReadReport(file)
	}
	r := new(Review)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("reading %s: not a review: %w", file, err)
	}
	return r, r.check(file)
}

// IsReport reports whether a file begins with a JSON object, as a bench result does and a trace does not. A pipe is not
// looked into.
func IsReport(file string) (bool, error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [64]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("reading %s: %w", file, err)
	}
	return bytes.HasPrefix(bytes.TrimSpace(head[:n]), []byte("{")), nil
}
