package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/baseline"
)

// find is what a name stands for: a trace, the patterns of a bench result or patterns of the catalogue. A file wins
// over a pattern of the same name.
func find(name string) ([]*compare.Side, error) {
	if name == "-" {
		return ofTrace(name)
	}
	file, query, selected := strings.Cut(name, "#")
	if _, err := os.Stat(name); err == nil {
		file, query, selected = name, "", false
	} else if _, fileErr := os.Stat(file); !selected || fileErr != nil {
		return ofPatterns(name, err)
	}
	isBench, err := baseline.IsReport(file)
	switch {
	case err != nil:
		return nil, err
	case !isBench && selected:
		return nil, fmt.Errorf("comparing %s: %s is a trace; only bench results hold several patterns", name, file)
	case !isBench:
		return ofTrace(file)
	}
	return ofBench(file, query)
}

func ofTrace(file string) ([]*compare.Side, error) {
	p, err := analyzer.Analyze(file, analyzer.Options{Charts: true})
	if err != nil {
		return nil, err
	}
	return []*compare.Side{compare.FromProfile(file, p)}, nil
}

func ofPatterns(query string, missing error) ([]*compare.Side, error) {
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

// ofBench are the patterns of a bench result whose names contain the query.
func ofBench(file, query string) ([]*compare.Side, error) {
	r, err := baseline.ReadReport(file)
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
		return nil, fmt.Errorf("comparing %s#%s: it has no such pattern; there are %s",
			file, query, strings.Join(names, ", "))
	}
	return all, nil
}

// join makes one side of names that stand for runs of the same.
func join(names []string) (*compare.Side, error) {
	var all []*compare.Side
	for _, name := range names {
		found, err := find(name)
		if err != nil {
			return nil, err
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("comparing %s: it stands for several: choose one of %s", name, list(found))
		}
		if len(names) > 1 && found[0].Kind == compare.Pattern {
			return nil, fmt.Errorf("comparing %s: a pattern is declared, not run: it cannot be one of several runs", name)
		}
		all = append(all, found[0])
	}
	return compare.Join(all), nil
}

func list(all []*compare.Side) string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
