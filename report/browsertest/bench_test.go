package browsertest

import (
	"io"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/iotrace/iotrace/internal/samples"
	"github.com/iotrace/iotrace/report/page"
)

// TestLabelsOfPlots checks that what labels an axis stands where the axis has that value: styles of other pages do
// not move it. At each width it can be read: no text is drawn smaller or larger than text beside the plots, none hides
// another, none leaves the page.
func TestLabelsOfPlots(t *testing.T) {
	paths := everyPage(t)
	for _, name := range []string{"bench", "suite", "gap", "whatif"} {
		for _, size := range sizes {
			b := open(t, paths[name], size[0], size[1])
			b.do("document.querySelectorAll('.fold').forEach((d) => { d.open = true; })")
			if n := eval[int](b, "document.querySelectorAll('svg text.tick[text-anchor=middle]').length"); n == 0 {
				t.Errorf("%s: no axis has labels", name)
			}
			for _, wrong := range eval[[]string](b, `[...document.querySelectorAll('svg text.tick')].filter((e) =>
				e.getBoundingClientRect().width > 0).flatMap((e, i, all) => {
				const box = e.ownerSVGElement.getBoundingClientRect(), r = e.getBoundingClientRect(), said = [];
				if (e.getAttribute('text-anchor') === 'middle' &&
					Math.abs(r.left + r.width / 2 - box.left -
						box.width * parseFloat(e.getAttribute('x')) / 100) > 2) said.push('elsewhere');
				if (r.height < 10 || r.height > 18) said.push(r.height.toFixed(1) + ' pixels high');
				if (r.left < 0 || r.right > innerWidth) said.push('beyond the page');
				const next = all[i + 1], n = next?.getBoundingClientRect();
				if (next?.ownerSVGElement === e.ownerSVGElement && n.top < r.bottom && n.bottom > r.top && n.left < r.right &&
					n.right > r.left) said.push('over ' + next.textContent);
				return said.map((s) => e.textContent + ' is ' + s);
			})`) {
				t.Errorf("%s, %d pixels: %s", name, size[0], wrong)
			}
			if w := eval[int](b, "Math.max(...[...document.querySelectorAll('.dots, .course, .waterfall')].map((e) => "+
				"e.scrollWidth - e.clientWidth))"); w > 0 {
				t.Errorf("%s, %d pixels: a plot is cut by %d", name, size[0], w)
			}
		}
	}
}

// TestSuite checks that the page of a suite is short before anything is unfolded, that a name in the overview and the
// keyboard lead to the numbers of a workload, and that a print has those of all.
func TestSuite(t *testing.T) { onScreens(t, suite) }

func suite(t *testing.T, s screen) {
	const workloads = 13
	b := s.open(t, written(t, "suite.html", func(w io.Writer) error {
		return page.Bench(w, samples.Suite(workloads, []string{"/mnt/a", "/mnt/b"},
			[][]int64{{4e8, 5e8, 6e8}, {1e8, 2e8, 3e8}}))
	}))
	if h := eval[int](b, "document.documentElement.scrollHeight"); h > 4000 {
		t.Errorf("the page is %d pixels long", h)
	}
	const shown = "[...document.querySelectorAll('table')].filter((e) => e.checkVisibility() && e.offsetHeight > 0).length"
	if n := eval[int](b, shown); n != 0 {
		t.Errorf("%d tables are shown before anybody asks", n)
	}
	b.do(still + "; document.querySelector('#overview-of-all .label a').dispatchEvent(new MouseEvent('click', " +
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
