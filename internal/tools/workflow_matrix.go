//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Context is what expressions can name: "matrix.os", "env.GO", "needs.list.outputs.targets".
type Context map[string]string

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// Expand puts the values of expressions into a text. Functions other than fromJSON are not known.
func (c Context) Expand(text string) (string, error) {
	var missing error
	expanded := expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		if inner, ok := strings.CutPrefix(name, "fromJSON("); ok {
			name = strings.TrimSuffix(inner, ")")
		}
		value, ok := c[name]
		if !ok {
			missing = fmt.Errorf("nothing is known of %s", found)
		}
		return value
	})
	return expanded, missing
}

// With is the context and some values more, with a prefix before their names.
func (c Context) With(prefix string, values Values) Context {
	more := maps.Clone(c)
	for name, value := range values {
		more[prefix+name] = value
	}
	return more
}

// Combinations are the values of the matrix that a job runs with, one after the other: nil once for a job without one.
func (j Job) Combinations(c Context) ([]Values, error) {
	all := []Values{nil}
	for _, name := range slices.Sorted(maps.Keys(j.Strategy.Matrix)) {
		if name == "include" || name == "exclude" {
			return nil, fmt.Errorf("job %s: the matrix has %s, which is not understood here", j.ID, name)
		}
		choices, err := c.choices(j.Strategy.Matrix[name])
		if err != nil {
			return nil, fmt.Errorf("job %s: matrix %s: %w", j.ID, name, err)
		}
		var next []Values
		for _, before := range all {
			for _, choice := range choices {
				with := maps.Clone(before)
				if with == nil {
					with = Values{}
				}
				with[name] = choice
				next = append(next, with)
			}
		}
		all = next
	}
	return all, nil
}

// choices are the values of one name: a list, or an expression that is a list in JSON.
func (c Context) choices(node yaml.Node) (list []string, err error) {
	if node.Kind != yaml.ScalarNode {
		return list, node.Decode(&list)
	}
	text, err := c.Expand(node.Value)
	if err != nil {
		return nil, err
	}
	return list, json.Unmarshal([]byte(text), &list)
}
