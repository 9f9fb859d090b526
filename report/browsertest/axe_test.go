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
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/samples"
	"github.com/iotrace/iotrace/report/content"
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
		add(name, func(w io.Writer) error { return page.Profile(w, stored(t, name)) })
	}
	side := func(name string) *compare.Side { return compare.FromProfile(name+".iotrace", stored(t, name)) }
	add("diff", func(w io.Writer) error {
		return page.Diff(w, &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(side("copy"), side("lossy"))}})
	})
	add("several", func(w io.Writer) error {
		one := side("copy") // that all are compared with
		return page.Diff(w, &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(one, side("lossy")),
			compare.Compare(one, compare.FromPattern(&baseline.Catalogue()[0])), compare.Compare(one, side("hostile"))}})
	})
	ranks := compare.Ranking(side("copy"), baseline.Catalogue())
	add("ranking", func(w io.Writer) error {
		return page.Diff(w, &content.Diff{Ranking: ranks, Comparisons: []*compare.Comparison{ranks[0].Comparison}})
	})
	add("incident", func(w io.Writer) error { return page.Profile(w, incident(stored(t, "empty"))) })
	add("server", func(w io.Writer) error { return page.Profile(w, server(stored(t, "empty"))) })
	add("review", func(w io.Writer) error { return page.Review(w, review()) })
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

// incident has a profile be one that a flight recorder has written.
func incident(p *profile.Profile) *profile.Profile {
	p.Incident = &profile.Incident{Waiters: 3, FromNS: 1e9, ToNS: 2e9, Before: profile.Load{Depth: 1, Requests: 100},
		During:      profile.Load{Depth: 8, Requests: 700, BytesPerS: 1e8, LatencyNS: 12e6},
		Differences: []profile.Difference{{Dimension: "process", Value: "tar", During: profile.Load{Depth: 6}, Share: 0.86}}}
	return p
}

// server has a profile be one of a program that answers, recorded without a command.
func server(p *profile.Profile) *profile.Profile {
	sync := profile.PathPlace{What: "service", Label: "device_write", Process: "postgres", Call: "sync", Device: "sda"}
	kind := profile.OperationName{Process: "postgres", Answers: true, Call: "sync", File: "/srv/wal/1"}
	parts := []profile.PathPart{{Place: sync, NS: 78e7, Share: 0.975, Count: 20, LongestNS: 90e6}}
	p.Operations = &profile.Operations{Count: 20, TotalNS: 8e8, Parts: parts,
		Kinds: []profile.OperationKind{{Kind: kind, Count: 20, NS: 8e8, Share: 1, MedianNS: 4e7, P99NS: 9e7, MaxNS: 91e6,
			InNS: 78e7, Parts: parts}},
		Longest: []profile.Operation{{Kind: kind, FromNS: 1e9, ToNS: 1e9 + 91e6, Together: 1, Parts: parts,
			Chain: []profile.PathSegment{{Place: sync, FromNS: 1e9, ToNS: 1e9 + 90e6}}}}}
	return p
}

// review is of two volumes: a task with its runs, and a curve over the depth.
func review() *baseline.Review {
	r := &baseline.Review{Runs: 3, Volumes: []baseline.Volume{{Label: "A"}, {Label: "B"}}}
	result := func(ns int64) baseline.TaskResult {
		return baseline.TaskResult{Runs: []baseline.TaskRun{{NS: ns}, {NS: ns + 9}},
			Value: baseline.Summary{N: 2, Min: ns, Median: ns + 5, Max: ns + 9}}
	}
	r.Tasks = []baseline.Task{{Name: "launch", About: "a program starts", Measure: baseline.ByTime,
		Results: []baseline.TaskResult{result(90), result(70)}}}
	for _, depth := range []int64{1, 2, 4} {
		r.Tasks = append(r.Tasks, baseline.Task{Name: "depths", Work: "depths", Op: baseline.Read, Measure: baseline.ByRate,
			Point:   &baseline.Point{Over: baseline.OverDepth, Value: depth},
			Results: []baseline.TaskResult{result(depth * 1e6), result(depth * 2e6)}})
	}
	return r
}

// tooSmall are the controls that a finger misses: of less than 24 pixels each way, together with what names them. What
// stands within a sentence is as high as its line.
func tooSmall(b *tab) []string {
	return eval[[]string](b, `[...document.querySelectorAll('button, summary, select, input, .bar a')].filter((e) =>
		e.checkVisibility() && !e.closest('.sentences')).map((e) => [e, (e.closest('label') || e).getBoundingClientRect()])
		.filter(([e, r]) => r.width > 0 && (r.width < 23.9 || r.height < 23.9))
		.map(([e, r]) => e.outerHTML.slice(0, 80) + ' ' + Math.round(r.width) + ' x ' + Math.round(r.height))`)
}

// TestAccessible has axe look for barriers, contrast above all, on every page in both themes, at the width of a desk
// and of a telephone. It takes the processor, so pages are looked at side by side.
func TestAccessible(t *testing.T) {
	for name, path := range everyPage(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
				if small := tooSmall(b); len(small) > 0 {
					t.Errorf("%d pixels: %d controls are small: %s", width, len(small), strings.Join(small, "\n"))
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
