package load

import (
	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/baseline"
)

// Runs compares two sides of several runs each.
func Runs(a, b []string) (*compare.Comparison, error) {
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

// Each compares one side with each of the others.
func Each(name string, others []string) ([]*compare.Comparison, error) {
	first, err := join([]string{name})
	if err != nil {
		return nil, err
	}
	var all []*compare.Comparison
	for _, other := range others {
		found, err := find(other)
		if err != nil {
			return nil, err
		}
		for _, second := range found {
			all = append(all, compare.Compare(first, second))
		}
	}
	return all, nil
}

// Rank compares one side with all patterns, the most similar first.
func Rank(name string) ([]compare.Rank, error) {
	first, err := join([]string{name})
	if err != nil {
		return nil, err
	}
	return compare.Ranking(first, baseline.Catalogue()), nil
}
