package browsertest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
)

// TestDiffPage lays a real recording over a simulated one: distributions and
// timelines are drawn for both, and the timelines zoom.
func TestDiffPage(t *testing.T) { onScreens(t, diffPage) }

func diffPage(t *testing.T, s screen) {
	p, err := analyzer.Analyze("../../trace/tracefile/testdata/cp.iotrace", analyzer.Options{Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	d := &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(compare.FromProfile("real.iotrace", p),
		compare.FromProfile("copy.iotrace", stored(t, "copy")))}}
	path := filepath.Join(t.TempDir(), "diff.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := page.Diff(f, d); err != nil {
		t.Fatal(err)
	}
	f.Close()
	b := s.open(t, path)
	over := 0
	for _, c := range drawings(b) {
		if c.Inked < 50 || c.Points == 0 {
			t.Errorf("chart %s (%s) is blank: %d points", c.ID, c.Kind, c.Points)
		}
		if c.Kind == "series" {
			over++
		}
	}
	if over < 4 {
		t.Errorf("the page has %d charts over time", over)
	}
	if names := eval[string](b, "document.querySelector('#timeline .legend').innerText"); !strings.Contains(names,
		"real") || !strings.Contains(names, "copy") {
		t.Errorf("the legend of the timelines is %q", names)
	}
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('timeline').scrollIntoView()")
	before := eval[window](b, "({From: iotrace.view.from, To: iotrace.view.to})")
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent("+")); err != nil {
		t.Fatal(err)
	}
	b.settle()
	after := eval[window](b, "({From: iotrace.view.from, To: iotrace.view.to})")
	if !narrower(before, after) {
		t.Errorf("the key + took the window from %v to %v", before, after)
	}
	for _, w := range windows(b) {
		if w != after {
			t.Errorf("a chart shows %v, the window is %v", w, after)
		}
	}
}

// TestDiffOfSeveral checks that each recording is one curve, also the one that all are compared with, and that each
// comparison is reached from the bar.
func TestDiffOfSeveral(t *testing.T) { onScreens(t, diffOfSeveral) }

func diffOfSeveral(t *testing.T, s screen) {
	b := s.open(t, everyPage(t)["several"])
	names := eval[[]string](b, "[...document.querySelectorAll('#timeline .legend li, #timeline .legend span')]"+
		".map((e) => e.innerText.trim()).filter(Boolean)")
	sides := slices.Compact(slices.Sorted(slices.Values(names)))
	if len(sides) != 3 || len(names) != len(sides) {
		t.Errorf("the legend names %q", names)
	}
	if n := eval[int](b, "document.querySelectorAll('.bar a[href^=\"#pair\"]').length"); n != 3 {
		t.Errorf("%d of 3 comparisons are reached from the bar", n)
	}
}
