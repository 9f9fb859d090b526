package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/baseline"
)

// sides are what an argument of diff stands for: a trace, the patterns of a
// bench result or patterns of the catalogue. A file wins over a pattern of the
// same name.
func sides(arg string) ([]*compare.Side, error) {
	if arg == "-" {
		return traceSide(arg)
	}
	file, query, selected := strings.Cut(arg, "#")
	if _, err := os.Stat(arg); err == nil {
		file, query, selected = arg, "", false
	} else if _, fileErr := os.Stat(file); !selected || fileErr != nil {
		return patternSides(arg, err)
	}
	isBench, err := beginsObject(file)
	switch {
	case err != nil:
		return nil, err
	case !isBench && selected:
		return nil, fmt.Errorf("comparing %s: %s is a trace; only bench results hold several patterns", arg, file)
	case !isBench:
		return traceSide(file)
	}
	return benchSides(file, query)
}

func traceSide(file string) ([]*compare.Side, error) {
	p, err := analyzer.Analyze(file, analyzer.Options{Charts: true})
	if err != nil {
		return nil, err
	}
	return []*compare.Side{compare.FromProfile(file, p)}, nil
}

func patternSides(query string, missing error) ([]*compare.Side, error) {
	found, err := baseline.Lookup(query)
	if err != nil {
		if errors.Is(missing, fs.ErrNotExist) {
			return nil, fmt.Errorf("comparing %s: no such file, and no such pattern: %w", query, err)
		}
		return nil, missing
	}
	var all []*compare.Side
	for i := range found {
		all = append(all, compare.FromPattern(&found[i]))
	}
	return all, nil
}

// beginsObject reports whether a file begins with a JSON object, as a bench
// result does and a trace does not. A pipe is not looked into.
func beginsObject(file string) (bool, error) {
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

// benchSides are the patterns of a bench result whose names contain the query.
func benchSides(file, query string) ([]*compare.Side, error) {
	r, err := benchResult(file)
	if err != nil {
		return nil, err
	}
	var all []*compare.Side
	var names []string
	for _, s := range compare.FromBench(file, r) {
		name := strings.TrimPrefix(s.Name, file+"#")
		names = append(names, name)
		if strings.Contains(name, query) {
			all = append(all, s)
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("reading %s: it holds no results", file)
	case len(all) == 0:
		return nil, fmt.Errorf("comparing %s#%s: it has no such pattern; there are %s", file, query, strings.Join(names, ", "))
	}
	return all, nil
}

// benchResult reads a file made by bench --json, or beside a recorded bench.
func benchResult(file string) (*baseline.Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := new(baseline.Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("reading %s: not a bench result: %w", file, err)
	}
	if r.Type != "bench" || r.Version != 1 {
		return nil, fmt.Errorf("reading %s: not a bench result of version 1 (type %q, version %d); make one with iotrace bench --json, or -o", file, r.Type, r.Version)
	}
	return r, nil
}
