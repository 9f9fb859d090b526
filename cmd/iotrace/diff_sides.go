package main

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

// compareRuns compares two sides of several runs each.
func compareRuns(a, b []string) (*compare.Comparison, error) {
	first, err := join(a)
	if err != nil {
		return nil, err
	}
	second, err := join(b)
	if err != nil {
		return nil, err
	}
	return compare.Compare(first, second), nil
}

// compareEach compares one side with each of the others.
func compareEach(name string, others []string) ([]*compare.Comparison, error) {
	first, err := join([]string{name})
	if err != nil {
		return nil, err
	}
	var all []*compare.Comparison
	for _, other := range others {
		found, err := sidesOf(other)
		if err != nil {
			return nil, err
		}
		for _, second := range found {
			all = append(all, compare.Compare(first, second))
		}
	}
	return all, nil
}

// compareWithPatterns compares one side with all patterns of the catalogue, the most similar first.
func compareWithPatterns(name string) ([]compare.Rank, error) {
	first, err := join([]string{name})
	if err != nil {
		return nil, err
	}
	return compare.Ranking(first, baseline.Catalogue()), nil
}

// sidesOf are what a name stands for: a trace, the patterns of a bench result or patterns of the catalogue. A file wins
// over a pattern of the same name.
func sidesOf(name string) ([]*compare.Side, error) {
	if name == "-" {
		return sidesOfTrace(name)
	}
	file, query, selected := strings.Cut(name, "#")
	if _, err := os.Stat(name); err == nil {
		file, query, selected = name, "", false
	} else if _, fileErr := os.Stat(file); !selected || fileErr != nil {
		return sidesOfPatterns(name, err)
	}
	isBench, err := baseline.IsReport(file)
	switch {
	case err != nil:
		return nil, err
	case !isBench && selected:
		return nil, fmt.Errorf("comparing %s: %s is a trace; only bench results hold several patterns", name, file)
	case !isBench:
		return sidesOfTrace(file)
	}
	return sidesOfBench(file, query)
}

func sidesOfTrace(file string) ([]*compare.Side, error) {
	p, err := analyzer.Analyze(file, analyzer.Options{Charts: true})
	if err != nil {
		return nil, err
	}
	return []*compare.Side{compare.FromProfile(file, p)}, nil
}

func sidesOfPatterns(query string, missing error) ([]*compare.Side, error) {
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

// sidesOfBench are the patterns of a bench result whose names contain the query.
func sidesOfBench(file, query string) ([]*compare.Side, error) {
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
		found, err := sidesOf(name)
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
