package browsertest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/internal/samples"
	"github.com/iotrace/iotrace/report/page"
)

//go:embed axe/axe.min.js
var axe string

// written writes a page into a file, and says where it is.
func written(t *testing.T, name string, write func(io.Writer) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := write(f); err != nil {
		t.Fatal(err)
	}
	return path
}

// everyPage writes a page of each kind, and says where they are.
func everyPage(t *testing.T) map[string]string {
	paths := map[string]string{}
	add := func(name string, write func(io.Writer) error) {
		paths[name] = written(t, name+".html", write)
	}
	for _, name := range pages {
		add(name, func(w io.Writer) error { return page.Profile(w, load(t, name)) })
	}
	side := func(name string) *compare.Side { return compare.FromProfile(name+".iotrace", load(t, name)) }
	add("diff", func(w io.Writer) error {
		return page.Diff(w, &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(side("copy"), side("lossy"))}})
	})
	add("gap", func(w io.Writer) error { return page.Gap(w, samples.Gap(1.25)) })
	add("whatif", func(w io.Writer) error {
		return page.WhatIf(w, "cp big copy", 1e9, 2e9, []profile.Prospect{
			{Name: "a drive twice as fast", Wall: profile.Range{NS: 8e8, Low: 7e8, High: 9e8},
				Durable: profile.Range{NS: 15e8, Low: 14e8, High: 18e8}, Assumptions: []string{"the drive is the same otherwise"}}})
	})
	add("bench", func(w io.Writer) error {
		return page.Bench(w, samples.Bench([]string{"/mnt/a", "/mnt/b"}, [][]int64{{4e8, 5e8, 6e8, 7e8, 8e8, 9e8},
			{1e8, 2e8, 3e8}}))
	})
	add("suite", func(w io.Writer) error {
		return page.Bench(w, samples.Suite(3, []string{"/mnt/a", "/mnt/b"}, [][]int64{{4e8, 5e8, 6e8}, {1e8, 2e8, 3e8}}))
	})
	return paths
}

// TestAccessible has axe look for barriers, contrast above all, on every page in both
// themes, at the width of a desk and of a telephone.
func TestAccessible(t *testing.T) {
	for name, path := range everyPage(t) {
		t.Run(name, func(t *testing.T) {
			b := open(t, path, 1280, 900)
			b.do("if (window.iotrace) iotrace.drawAll(); document.querySelectorAll('details:not(.data), .row:first-of-type > " +
				".data').forEach((d) => d.open = true)")
			eval[bool](b, axe+"; true")
			for _, width := range []int64{1280, 390} {
				if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
					t.Fatal(err)
				}
				for _, scheme := range []string{"light", "dark"} {
					b.scheme(scheme)
					for _, v := range violations(b) {
						t.Errorf("%s, %d pixels: %s", scheme, width, v)
					}
				}
			}
		})
	}
}

// violations are the barriers that axe sees, in words.
func violations(b *tab) []string {
	var found []struct {
		ID    string `json:"id"`
		Help  string `json:"help"`
		Nodes []struct {
			HTML    string `json:"html"`
			Summary string `json:"failureSummary"`
		} `json:"nodes"`
	}
	text := eval[string](b, "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } "+
		"}).then((r) => JSON.stringify(r.violations))", awaited)
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		b.t.Fatal(err)
	}
	var said []string
	for _, v := range found {
		said = append(said, fmt.Sprintf("%s: %s, in %d places: %.160s: %s", v.ID, v.Help, len(v.Nodes), v.Nodes[0].HTML,
			strings.ReplaceAll(v.Nodes[0].Summary, "\n", " ")))
	}
	return said
}

// TestThemeSwitches tries the switch of every page, from either theme of the system.
func TestThemeSwitches(t *testing.T) {
	for name, path := range everyPage(t) {
		for _, scheme := range []string{"light", "dark"} {
			b := open(t, path, 1280, 900)
			b.scheme(scheme)
			const paper = "getComputedStyle(document.body).backgroundColor"
			before := eval[string](b, paper)
			b.do("document.getElementById('theme').click()")
			between := eval[string](b, paper)
			b.do("document.getElementById('theme').click()")
			if after := eval[string](b, paper); between == before || after != before {
				t.Errorf("%s: the paper went from %s to %s and back to %s", name, before, between, after)
			}
		}
	}
}
