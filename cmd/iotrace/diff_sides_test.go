package main

import (
	"os"
	"strings"
	"testing"
)

const examples = "../../testdata/"

// What a name stands for: a trace, patterns, the parts of a bench result; a file before a pattern of its name.
func TestSidesOf(t *testing.T) {
	const result = `{"type": "bench", "version": 1, "patterns": [
		{"pattern": {"name": "a/read"}, "places": [{"place": "/x"}]},
			{"pattern": {"name": "a/write"}, "places": [{"place": "/x"}]}]}`
	cp, err := os.ReadFile(examples + "cp.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"cp.iotrace": string(cp), "copy": string(cp), "r.json": result, "empty.json": `{"type": "bench", "version": 1}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"cp.iotrace": "cp.iotrace", "copy": "copy", "dd/zero-direct": "dd/zero-direct",
		"r.json": "r.json#a/read, r.json#a/write", "r.json#write": "r.json#a/write",
	} {
		if found, err := sidesOf(name); err != nil || list(found) != want {
			t.Errorf("%s: %s, %v; want %s", name, list(found), err, want)
		}
	}
	for name, why := range map[string]string{
		"nothing": "no such file, and no such pattern", "cp.iotrace#a": "only bench results hold several",
		"r.json#none": "there are a/read, a/write", "empty.json": "it holds no results",
	} {
		if _, err := sidesOf(name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", name, err, why)
		}
	}
}

func TestCompare(t *testing.T) {
	cp, tree := examples+"cp.iotrace", examples+"tree.iotrace"
	if c, err := compareRuns([]string{cp, cp}, []string{tree}); err != nil || c == nil {
		t.Errorf("%v, %v", c, err)
	}
	if all, err := compareEach(cp, []string{tree, "dd/zero-direct"}); err != nil || len(all) != 2 {
		t.Errorf("%d comparisons, %v", len(all), err)
	}
	if ranks, err := compareWithPatterns("dd/zero-direct"); err != nil || ranks[0].Patterns[0] != "dd/zero-direct" {
		t.Errorf("%+v, %v", ranks[:1], err)
	}
	for name, sides := range map[string][2][]string{
		"stands for several": {{"adm/default"}, {cp}}, "a pattern is declared": {{cp}, {"dd/zero-direct", cp}},
	} {
		if _, err := compareRuns(sides[0], sides[1]); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
