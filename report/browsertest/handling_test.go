package browsertest

import (
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// still keeps the page from moving by itself.
const still = "document.documentElement.style.scrollBehavior = 'auto'"

func shown(b *tab) window {
	return eval[window](b, "({From: iotrace.view.from, To: iotrace.view.to})")
}

func (b *tab) key(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		if err := chromedp.Do(b.ctx, chromedp.KeyEvent(k)); err != nil {
			b.t.Fatal(err)
		}
	}
	b.settle()
}

// mouse presses at a point, moves and lets go; modifiers as in the protocol: 8 is Shift.
func (b *tab) mouse(x0, y, x1 float64, modifiers int64) {
	b.t.Helper()
	for _, e := range []struct {
		kind input.DispatchMouseEventType
		x    float64
	}{{input.DispatchMouseEventTypeMouseMoved, x0}, {input.DispatchMouseEventTypeMousePressed, x0},
		{input.DispatchMouseEventTypeMouseMoved, x1}, {input.DispatchMouseEventTypeMouseReleased, x1}} {
		_, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: e.kind, X: e.x, Y: y,
			Button: input.MouseButtonLeft, ClickCount: 1, Modifiers: modifiers})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	b.settle()
}

// wait gives the page the time after which it puts its state into the address and adds up.
func (b *tab) wait() {
	b.t.Helper()
	eval[bool](b, "new Promise((r) => setTimeout(() => r(true), 450))", awaited)
}

// TestSelectARange selects with Shift, with the button and with a key: the window stays, the sums are of the selection,
// and Escape ends it.
func TestSelectARange(t *testing.T) { onScreens(t, selectARange) }

func selectARange(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "cp")))
	b.do(still)
	all, at := shown(b), where(b, "#pipeline")
	y, wide := at.Top+40, at.Right-at.Left
	sums := func() string { b.wait(); return eval[string](b, "document.querySelector('#selection').innerText") }
	selected := func(how string) {
		t.Helper()
		if got := shown(b); got != all {
			t.Errorf("%s moves the window to %v", how, got)
		}
		if s := sums(); !strings.Contains(s, "In the selection") || !strings.Contains(s, "cp 8051") {
			t.Errorf("%s shows %.200q", how, s)
		}
		if n := eval[int](b, "document.querySelectorAll('#overlay .chosen').length"); n != 1 {
			t.Errorf("%s draws %d bands", how, n)
		}
		b.key(kb.Escape)
		if s := sums(); !strings.Contains(s, "In this window") {
			t.Errorf("after Escape: %.100q", s)
		}
	}
	b.mouse(at.Left+wide*0.3, y, at.Left+wide*0.4, 8)
	selected("a drag with Shift")
	b.do("document.querySelector('[data-do=select]').click()")
	b.mouse(at.Left+wide*0.3, y, at.Left+wide*0.4, 0)
	selected("a drag after Select")
	b.do("iotrace.show(2e7, 3e7)")
	b.key("s")
	b.do("iotrace.show(0, iotrace.page.end)")
	selected("the key s")
	b.do("iotrace.choose([2e7, 3e7])")
	b.key("z")
	if got := shown(b); got != (window{2e7, 3e7}) {
		t.Errorf("z shows %v", got)
	}
}

// TestClickKeepsDetails clicks at an event: its details stay until Escape.
func TestClickKeepsDetails(t *testing.T) { onScreens(t, clickKeepsDetails) }

func clickKeepsDetails(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "cp")))
	b.do(still + "; " + unfold + "; document.querySelector('.lanes').scrollIntoView({ block: 'center' })")
	at := where(b, "#"+eval[string](b, "iotrace.page.charts.find((c) => c.title === 'Threads').id"))
	x := at.Left + 62 + (at.Right-at.Left-74)*0.35
	b.mouse(x, at.Top+s.lane(), x, 0)
	b.mouse(x, at.Top-60, x, 8)
	if s := eval[string](b, "document.getElementById('kept').innerText"); !strings.Contains(s, "copy_range") {
		t.Errorf("the details are %q", s)
	}
	b.do("[...document.querySelectorAll('#kept button')].find((e) => e.textContent === 'Zoom to it').click()")
	if got := shown(b); got.To-got.From > 4e7 {
		t.Errorf("zooming to it shows %v", got)
	}
	b.key(kb.Escape)
	if !eval[bool](b, "document.getElementById('kept').hidden") {
		t.Error("Escape leaves the details")
	}
}

// TestAddressCutShort opens addresses that somebody cut or made up: what can be read of them is shown.
func TestAddressCutShort(t *testing.T) { onScreens(t, addressCutShort) }

func addressCutShort(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "sqlite")))
	for _, hash := range []string{"#q=%", "#hide=%E4%,x,999&t=20000000,30000000", "#t=5", "#off=&pin=,,&s=9,1&q"} {
		b.do("location.hash = " + fmt.Sprintf("%q", hash))
		b.wait()
		if got := eval[bool](b, "typeof iotrace.state() === 'string'"); !got {
			t.Errorf("%s: no state", hash)
		}
	}
	b.do(`location.hash = "#hide=%E4%,x&t=20000000,30000000"`)
	b.wait()
	if got := eval[string](b, "iotrace.state()"); !strings.Contains(got, "t=20000000,30000000") {
		t.Errorf("the time of the address is not shown: %s", got)
	}
}

// TestStateInTheAddress changes all that can be shown, opens the address again and finds it as it was; back undoes it.
func TestStateInTheAddress(t *testing.T) { onScreens(t, stateInTheAddress) }

func stateInTheAddress(t *testing.T, s screen) {
	path := write(t, recorded(t, "sqlite"))
	b := s.open(t, path)
	all := shown(b)
	b.do("iotrace.show(2e7, 3e7)")
	b.wait()
	b.do("iotrace.show(2.2e7, 2.4e7); iotrace.choose([2.25e7, 2.3e7])")
	b.wait()
	b.do("document.querySelectorAll('details.choose')[0].open = true")
	b.do("document.querySelector('.choose input[type=checkbox]').click(); [...document.querySelectorAll('.choose " +
		"button')].at(-1).click()")
	b.do("const d = document.querySelector('details.data[data-chart=place0-rate]'); d.open = true")
	b.do("document.querySelector('details.data[data-chart=place0-rate] input').click()")
	b.wait()
	hash := eval[string](b, "location.hash")
	for _, part := range []string{"t=22000000,24000000", "s=22500000,23000000", "hide=", "pin=",
		"off=place0-rate%3Aread"} {
		if !strings.Contains(hash, part) {
			t.Errorf("the address is %s, without %s", hash, part)
		}
	}
	const state = "iotrace.state() + [...document.querySelectorAll('.names li')].filter((e) => " +
		"e.checkVisibility()).map((e) => e.innerText)"
	want := eval[string](b, state)
	again := s.open(t, path)
	again.do("location.hash = " + fmt.Sprintf("%q", hash))
	again.wait()
	if got := eval[string](again, state); got != want {
		t.Errorf("the address shows %s, it was made of %s", got, want)
	}
	for range 6 {
		b.do("history.back()")
		b.wait()
		if w := shown(b); w == (window{2e7, 3e7}) {
			break
		}
	}
	if w := shown(b); w != (window{2e7, 3e7}) {
		t.Errorf("back shows %v", w)
	}
	b.do("history.back()")
	b.wait()
	if w := shown(b); w != all {
		t.Errorf("back to the beginning shows %v of %v", w, all)
	}
	b.do("history.forward()")
	b.wait()
	if w := shown(b); w != (window{2e7, 3e7}) {
		t.Errorf("forward shows %v", w)
	}
}

// TestSearchFromTheKeyboard goes from hit to hit.
func TestSearchFromTheKeyboard(t *testing.T) { onScreens(t, searchFromTheKeyboard) }

func searchFromTheKeyboard(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "cp")))
	b.do(still)
	b.key("/")
	b.key("b", "i", "g", kb.Enter)
	b.wait()
	first := eval[string](b, "document.querySelector('.hit').outerHTML + document.getElementById('nth').innerText")
	b.key(kb.Enter)
	b.wait()
	second := eval[string](b, "document.querySelector('.hit').outerHTML + document.getElementById('nth').innerText")
	if first == second || !strings.Contains(first, "1 of ") || !strings.Contains(second, "2 of ") {
		t.Errorf("Enter goes from %q to %q", first, second)
	}
	if !eval[bool](b, "(() => { const r = document.querySelector('.hit').getBoundingClientRect(); return r.top > "+
		"40 && r.bottom < innerHeight; })()") {
		t.Error("the hit is not on the screen")
	}
	b.key(kb.Escape)
	b.do("document.querySelector(`[data-do=help]`).click()")
	b.key(kb.Escape)
	b.key("?")
	if !eval[bool](b, "document.getElementById('keys').open") {
		t.Error("? shows no keys")
	}
	b.key(kb.Escape)
	if eval[bool](b, "document.getElementById('keys').open") {
		t.Error("Escape leaves the keys")
	}
}

// TestSkipToTheTimeline reaches the timeline in two steps of the keyboard.
func TestSkipToTheTimeline(t *testing.T) { onScreens(t, skipToTheTimeline) }

func skipToTheTimeline(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "cp")))
	b.key(kb.Tab, kb.Tab, kb.Enter)
	if id := eval[string](b, "document.activeElement.id"); id != "linked" {
		t.Errorf("the skip link leads to %q", id)
	}
	if n := eval[[]string](b, "[...document.querySelectorAll('main > section[id]')].filter((s) => s.id !== 'summary' && "+
		"s.id !== 'time' "+
		"&& s.querySelector('h2') && !document.querySelector(`.bar a[href=\"#${s.id}\"]`)).map((s) => s.id)"); len(n) > 0 {
		t.Errorf("%v have no link in the bar", n)
	}
}

// TestTouch taps, drags and pinches.
func TestTouch(t *testing.T) { onScreens(t, touch) }

func touch(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "cp")))
	b.do(still)
	touch := func(kind input.DispatchTouchEventType, xs ...float64) {
		t.Helper()
		at := where(b, "#pipeline")
		p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		for i, x := range xs {
			id := float64(i)
			p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: at.Left + x, Y: at.Top + 60, ID: &id})
		}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, p); err != nil {
			t.Fatal(err)
		}
		b.settle()
	}
	touch(input.DispatchTouchEventTypeTouchStart, 150, 250)
	touch(input.DispatchTouchEventTypeTouchMove, 120, 280)
	touch(input.DispatchTouchEventTypeTouchMove, 100, 300)
	touch(input.DispatchTouchEventTypeTouchEnd)
	pinched := shown(b)
	if wide := pinched.To - pinched.From; math.Abs(wide/eval[float64](b, "iotrace.page.end")-0.5) > 0.05 {
		t.Errorf("a pinch to twice the width shows %v", pinched)
	}
	touch(input.DispatchTouchEventTypeTouchStart, 200)
	touch(input.DispatchTouchEventTypeTouchMove, 160)
	touch(input.DispatchTouchEventTypeTouchMove, 120)
	touch(input.DispatchTouchEventTypeTouchEnd)
	if moved := shown(b); !later(pinched, moved) {
		t.Errorf("a finger to the left goes from %v to %v", pinched, moved)
	}
	touch(input.DispatchTouchEventTypeTouchStart, 150)
	touch(input.DispatchTouchEventTypeTouchEnd)
	if s := eval[string](b, "document.getElementById('kept').innerText"); !strings.Contains(s, "copied") {
		t.Errorf("a tap tells %q", s)
	}
}

// TestExports saves every kind of chart, and the tables.
func TestExports(t *testing.T) { onScreens(t, exports) }

func exports(t *testing.T, s screen) {
	p := stored(t, "copy")
	p.Files[0].Path = "/srv/a,b.bin"
	b := s.open(t, write(t, p))
	drawings(b)
	for _, id := range eval[[]string](b, "iotrace.page.charts.map((c) => c.id)") {
		got := eval[[]string](b, fmt.Sprintf(`(() => { const e = iotrace.drawn.get(%q);
			const svg = iotrace.svgOf(e), doc = new DOMParser().parseFromString(svg, 'image/svg+xml');
			return [iotrace.chartCsv(e.spec), String(doc.querySelectorAll('rect').length),
				doc.querySelector('parsererror') ? 'broken' : '',
				iotrace.pngOf(e)]; })()`, id))
		if lines := strings.Count(got[0], "\n"); lines < 2 {
			t.Errorf("%s: the CSV has %d lines: %.80s", id, lines, got[0])
		}
		if got[1] == "0" || got[1] == "1" || got[2] != "" {
			t.Errorf("%s: the SVG has %s rectangles %s", id, got[1], got[2])
		}
		if png, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(got[3],
			"data:image/png;base64,")); err != nil || len(png) < 200 {
			t.Errorf("%s: the PNG has %d bytes, %v", id, len(png), err)
		}
	}
	rows := eval[string](b, "iotrace.tableCsv(document.querySelector('#files table'))", awaited)
	if strings.Count(rows, "\n") != len(p.Files)+1 || !strings.Contains(rows, p.Files[0].Path) {
		t.Errorf("the table of %d files is %q", len(p.Files), rows)
	}
	pasted := eval[string](b, "iotrace.tableCsv(document.querySelector('#files table'), '\\t')", awaited)
	if !strings.Contains(pasted, "\n/srv/a,b.bin\t") {
		t.Errorf("what is pasted of the table is %q", pasted)
	}
	rate := eval[string](b, "iotrace.chartCsv(iotrace.drawn.get('place0-rate').spec)")
	if !strings.HasPrefix(rate, "from (ns),read (bytes/s)") {
		t.Errorf("the CSV of a curve begins %.60q", rate)
	}
}
