package browsertest

import (
	"io"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/iotrace/iotrace/report/internal/samples"
	"github.com/iotrace/iotrace/report/page"
)

// TestLabelsOfPlots checks that what labels an axis stands where the axis has that value: styles of other pages do
// not move it.
func TestLabelsOfPlots(t *testing.T) {
	for _, name := range []string{"bench", "suite", "gap"} {
		b := open(t, everyPage(t)[name], 1280, 900)
		const off = `[...document.querySelectorAll('svg text.tick[text-anchor=middle]')].filter((e) => {
			const box = e.ownerSVGElement.getBoundingClientRect(), scale = box.width / e.ownerSVGElement.viewBox.baseVal.width;
			const { left, width } = e.getBoundingClientRect();
			return Math.abs(left + width / 2 - box.left - e.getAttribute('x') * scale) > 2;
		}).length`
		if n := eval[int](b, off); n > 0 {
			t.Errorf("%d labels of the page of %s stand elsewhere", n, name)
		}
	}
	b := open(t, everyPage(t)["bench"], 1280, 900)
	if eval[int](b, "document.querySelectorAll('svg text.tick[text-anchor=middle]').length") == 0 {
		t.Error("the plots have no labels")
	}
}

// TestSuite checks that the page of a suite is short before anything is unfolded, that a name in the overview and the
// keyboard lead to the numbers of a workload, and that a print has those of all.
func TestSuite(t *testing.T) {
	const workloads = 13
	b := open(t, written(t, "suite.html", func(w io.Writer) error {
		return page.Bench(w, samples.Suite(workloads, []string{"/mnt/a", "/mnt/b"},
			[][]int64{{4e8, 5e8, 6e8}, {1e8, 2e8, 3e8}}))
	}), 1400, 900)
	if h := eval[int](b, "document.documentElement.scrollHeight"); h > 4000 {
		t.Errorf("the page is %d pixels long", h)
	}
	const shown = "[...document.querySelectorAll('table')].filter((e) => e.checkVisibility() && e.offsetHeight > 0).length"
	if n := eval[int](b, shown); n != 0 {
		t.Errorf("%d tables are shown before anybody asks", n)
	}
	b.do(still + "; document.querySelector('#overview-of-all svg a').dispatchEvent(new MouseEvent('click', " +
		"{ bubbles: true, cancelable: true }))")
	if n := eval[int](b, shown); n != 2 {
		t.Errorf("a name in the overview unfolds %d tables", n)
	}
	b.do("document.querySelectorAll('.fold > summary')[4].focus()")
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		t.Fatal(err)
	}
	if n := eval[int](b, shown); n != 4 {
		t.Errorf("with Enter on another one %d tables are shown", n)
	}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if err != nil {
		t.Fatal(err)
	}
	if n := eval[int](b, shown); n != 2*workloads {
		t.Errorf("a print has %d tables of %d", n, 2*workloads)
	}
}
