package browsertest

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeyboard walks the page without a mouse.
func TestKeyboard(t *testing.T) { onScreens(t, keyboard) }

func keyboard(t *testing.T, s screen) {
	b := s.open(t, write(t, stored(t, "lossy")))
	press := func(k string) {
		t.Helper()
		if err := chromedp.Do(b.ctx, chromedp.KeyEvent(k)); err != nil {
			t.Fatal(err)
		}
		b.settle()
	}
	press(kb.Tab)
	if s := eval[string](b, "document.activeElement.textContent"); !strings.HasPrefix(s, "Skip") {
		t.Errorf("the first stop of the keyboard is %q, not the skip link", s)
	}
	press(kb.Enter)
	if s := eval[string](b, "document.activeElement.id"); s != "summary" {
		t.Errorf("the skip link leads to %q", s)
	}
	var stops []string
	for range 80 {
		press(kb.Tab)
		stops = append(stops, eval[string](b, "document.activeElement.dataset.do || document.activeElement.id || "+
			"document.activeElement.className || document.activeElement.tagName"))
	}
	order := strings.Join(stops, " ")
	at := 0
	for _, stop := range []string{"linked", "in", "out", "left", "right", "all"} {
		i := strings.Index(order[at:], stop)
		if i < 0 {
			t.Fatalf("the keyboard does not reach %s after the stops before it: %s", stop, order)
		}
		at += i
	}
	b.do(unfold) // a telephone folds the tables
	if err := chromedp.Do(b.ctx, chromedp.Focus(chromedp.CSS("#files .sort"))); err != nil {
		t.Fatal(err)
	}
	press(kb.Enter)
	if s := eval[string](b, "document.querySelector('#files th').getAttribute('aria-sort')"); s != "ascending" {
		t.Errorf("the files are sorted %q", s)
	}
	names := eval[[]string](b, "[...document.querySelectorAll('#files tbody tr')].map((r) => r.cells[0].textContent)")
	for i := 1; i < len(names); i++ {
		if names[i-1] > names[i] {
			t.Errorf("%q stands before %q", names[i-1], names[i])
		}
	}
	if err := chromedp.Do(b.ctx, chromedp.Focus(chromedp.CSS("[data-chart=place0-rate] > summary"))); err != nil {
		t.Fatal(err)
	}
	press(kb.Enter)
	if n := eval[int](b, "document.querySelectorAll('details[data-chart=place0-rate] tbody tr').length"); n == 0 {
		t.Error("the table behind a chart is empty")
	}
}

// TestEveryControlIsReached walks the whole page with Tab: whatever can be
// pressed has to be a stop.
func TestEveryControlIsReached(t *testing.T) {
	b := open(t, write(t, stored(t, "copy")), 1400, 1000)
	const controls = `[...document.querySelectorAll('a[href], button, summary, input, select, [tabindex="0"]')]
		.filter((e) => e.checkVisibility())`
	n := eval[int](b, `(() => { const all = `+controls+
		`; all.forEach((e, i) => { e.dataset.stop = i; }); return all.length; })()`)
	if n < 30 {
		t.Fatalf("the page has %d controls", n)
	}
	b.do("window.stops = new Set(); document.addEventListener('focusin', (e) => window.stops.add(e.target.dataset.stop))")
	for range n + 20 {
		if err := chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Tab)); err != nil {
			t.Fatal(err)
		}
	}
	b.settle()
	if missed := eval[[]string](b,
		controls+`.filter((e) => !window.stops.has(e.dataset.stop)).map((e) => e.outerHTML.slice(0, 120))`); len(missed) > 0 {
		t.Errorf("the keyboard does not reach %d of %d controls: %s", len(missed), n, strings.Join(missed, "\n"))
	}
	for range n {
		if err := chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Tab)); err != nil {
			t.Fatal(err)
		}
		if plain := eval[string](b, `(() => { const e = document.activeElement, s = getComputedStyle(e);
			return e !== document.body && s.outlineStyle === 'none' ? e.outerHTML.slice(0, 120) : ''; })()`); plain != "" {
			t.Errorf("the control with the focus does not look like it: %s", plain)
		}
	}
}

// TestNamesForTheBlind checks that every chart has a description.
func TestNamesForTheBlind(t *testing.T) {
	b := open(t, write(t, stored(t, "copy")), 1400, 1000)
	if n := eval[int](b,
		`[...document.querySelectorAll('.plot[id]:not([aria-hidden])')]
			.filter((e) => !e.getAttribute('aria-label') || e.getAttribute('role') !== 'img').length`); n != 0 {
		t.Errorf("%d charts have no description", n)
	}
	if n := eval[int](b,
		`[...document.querySelectorAll('button')]
			.filter((e) => !e.textContent.trim() && !e.getAttribute('aria-label')).length`); n != 0 {
		t.Errorf("%d buttons have no name", n)
	}
}

// TestHover points at an event: its details are shown, the cursor crosses all
// charts, and the readouts beside them tell the values at that time.
func TestHover(t *testing.T) { onScreens(t, hover) }

func hover(t *testing.T, s screen) {
	p := stored(t, "copy")
	b := s.open(t, write(t, p))
	b.do(still + "; document.getElementById('timeline').scrollIntoView()")
	b.settle()
	const readout = `document.querySelector('.readout[data-chart="stack-time"]').innerText`
	// What is not on the screen is not drawn again.
	far := eval[bool](b, `document.querySelector('.readout[data-chart="stack-time"]').getBoundingClientRect().top > innerHeight`)
	before := eval[string](b, readout)
	height := eval[float64](b, "document.documentElement.scrollHeight")
	box := eval[[]float64](b,
		`(() => { const r = document.getElementById(iotrace.page.charts.find((c) => c.title === 'Threads').id)
			.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	for _, dx := range []float64{0, 1} { // a movement, not an arrival
		if err := chromedp.Do(b.ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0]+box[2]/2+dx,
			box[1]+s.lane()+1)); err != nil {
			t.Fatal(err)
		}
		b.settle()
	}
	tip := eval[string](b, "document.getElementById('tip').innerText")
	for _, want := range []string{"events begun in", "thread cp", "in flight", "read", "longest"} {
		if !strings.Contains(tip, want) {
			t.Errorf("the details of a bar are %q, without %q", tip, want)
		}
	}
	if after := eval[string](b, readout); !far && (after == before || !strings.Contains(after, "%")) {
		t.Errorf("the readout beside the chart went from %q to %q", before, after)
	}
	if now := eval[float64](b, "document.documentElement.scrollHeight"); now != height {
		t.Errorf("pointing at an event changed the height of the page from %.0f to %.0f", height, now)
	}
	if x := eval[float64](b, "document.querySelector('#overlay .cursor').getBoundingClientRect().left"); math.Abs(
		x-box[0]-box[2]/2) > 2 {
		t.Errorf("the cursor is at %.0f, the pointer at %.0f", x, box[0]+box[2]/2)
	}
	if dir := os.Getenv("IOTRACE_PICTURES"); dir != "" {
		data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(dir+"/hover.png", data, 0o666)
	}
}
