package browsertest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
)

type window struct{ From, To float64 }

// windows are the time axes of the charts over time that are on the screen or
// near it; others follow when they come near.
func windows(b *tab) []window {
	b.t.Helper()
	return eval[[]window](b,
		`[...iotrace.drawn.values()].filter((e) => !e.dirty && ['series', 'stack', 'heat', 'lanes']
			.includes(e.spec.kind)).map((e) => ({From: e.from, To: e.to}))`)
}

// stale are the charts over time that stand on the screen and were not drawn for the window that is shown.
func stale(b *tab) []string {
	b.t.Helper()
	return eval[[]string](b,
		`[...iotrace.drawn.values()].filter((e) => e.dirty && ['series', 'stack', 'heat', 'lanes'].includes(e.spec.kind))
			.filter((e) => { const r = e.plot.getBoundingClientRect();
				return r.height > 0 && r.bottom > 0 && r.top < innerHeight; }).map((e) => e.id)`)
}

// TestEverythingOfAFrameHappens asks for two things in one frame, in both orders: charts as wide as their cards, and
// another window of time.
func TestEverythingOfAFrameHappens(t *testing.T) {
	b := open(t, write(t, stored(t, "copy")), 1400, 1000)
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('timeline').scrollIntoView()")
	end := eval[float64](b, "iotrace.page.end")
	const resize = "document.body.style.maxWidth = '%[1]dpx'; dispatchEvent(new Event('resize'));"
	for i, order := range []string{resize + "iotrace.show(%[2]f, %[3]f)", "iotrace.show(%[2]f, %[3]f);" + resize} {
		width, want := 900-i*200, window{From: end / float64(4+i), To: end / 2}
		b.do(fmt.Sprintf(order, width, want.From, want.To))
		for _, w := range windows(b) {
			if math.Abs(w.From-want.From) > 1 || math.Abs(w.To-want.To) > 1 {
				t.Errorf("%s: a chart shows %+v, want %+v", order, w, want)
			}
		}
		for _, d := range eval[[]float64](b,
			`[...iotrace.drawn.values()].filter((e) => !e.dirty)
				.map((e) => e.canvas ? e.canvas.clientWidth - e.plot.clientWidth : e.chart.getWidth() - e.plot.clientWidth)`) {
			if d != 0 {
				t.Errorf("%s: a chart is %.0f pixels wider than its card", order, d)
			}
		}
	}
}

// TestZoomIsLinked zooms by every means there is; all charts over time, the
// ruler and the address have to follow each time.
func TestZoomIsLinked(t *testing.T) { onScreens(t, zoomIsLinked) }

func zoomIsLinked(t *testing.T, s screen) {
	b := s.open(t, write(t, stored(t, "copy")))
	b.do("document.documentElement.style.scrollBehavior = 'auto'; " + unfold + "; " +
		"document.getElementById('linked').focus(); " +
		"document.getElementById('timeline').scrollIntoView()")
	all := eval[window](b, "({From: 0, To: iotrace.page.end})")
	key := func(k string) func() error {
		return func() error { return chromedp.Do(b.ctx, chromedp.KeyEvent(k)) }
	}
	click := func(what string) func() error {
		return func() error { return chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(`[data-do="`+what+`"]`))) }
	}
	box := func() []float64 { // a click at a button may have scrolled the page
		return eval[[]float64](b,
			`(() => { const p = document.querySelector('.picture .plot'); p.scrollIntoView({ block: 'center' });
				const r = p.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	}
	drag := func() error {
		box := box()
		return chromedp.Do(b.ctx, chromedp.DragAndDropXY(box[0]+box[2]*0.4, box[1]+8, box[0]+box[2]*0.6, box[1]+8))
	}
	wheel := func() error {
		box := box()
		return wheelWithCtrl(b, box[0]+box[2]/2, box[1]+8)
	}
	focus := func() error { return chromedp.Do(b.ctx, chromedp.Focus(chromedp.ID("linked"))) }
	if err := focus(); err != nil {
		t.Fatal(err)
	}
	last := all
	for _, step := range []struct {
		name  string
		do    func() error
		check func(before, after window) bool
	}{
		{"the key +", key("+"), narrower},
		{"the key →", key(kb.ArrowRight), later},
		{"the key ←", key(kb.ArrowLeft), earlier},
		{"the key -", key("-"), wider},
		{"a drag", drag, narrower},
		{"the button +", click("in"), narrower},
		{"the wheel with Ctrl", wheel, narrower},
		{"the button ←", click("left"), earlier},
		{"the button →", click("right"), later},
		{"the button −", click("out"), wider},
		{"the button All", click("all"), func(_, after window) bool { return after == all }},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		b.settle()
		now := eval[window](b, "({From: iotrace.view.from, To: iotrace.view.to})")
		if !step.check(last, now) {
			t.Errorf("%s took the window from %v to %v", step.name, last, now)
		}
		shown := windows(b)
		if len(shown) < 2 {
			t.Errorf("after %s only %d charts are up to date", step.name, len(shown))
		}
		if late := stale(b); len(late) > 0 {
			t.Errorf("after %s charts on the screen show the window before: %q", step.name, late)
		}
		for i, w := range shown {
			if math.Abs(w.From-now.From) > 1 || math.Abs(w.To-now.To) > 1 {
				t.Errorf("after %s chart %d shows %v, the window is %v", step.name, i, w, now)
			}
		}
		last = now
	}
	hiddenChartsFollow(b)
}

func wheelWithCtrl(b *tab, x, y float64) error {
	const ctrl = 2
	_, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 0.01, DeltaY: -100, Modifiers: ctrl,
	})
	return err
}

// hiddenChartsFollow: a chart out of sight shows the window when it comes into view.
func hiddenChartsFollow(b *tab) {
	b.t.Helper()
	b.do("iotrace.drawAll(); iotrace.zoom(0.3)")
	for _, id := range eval[[]string](b, "[...iotrace.drawn.values()].filter((e) => e.dirty).map((e) => e.id)") {
		b.do("document.getElementById('" + id + "').scrollIntoView()")
		b.settle()
		if eval[bool](b, "iotrace.drawn.get('"+id+"').dirty") {
			b.t.Errorf("chart %s does not follow the window when it comes into view", id)
		}
	}
}

func narrower(before, after window) bool { return after.To-after.From < before.To-before.From-1 }
func wider(before, after window) bool    { return narrower(after, before) }
func later(before, after window) bool    { return after.From > before.From && after.To > before.To }
func earlier(before, after window) bool  { return later(after, before) }

// TestZoomShowsSingleEvents zooms in until events are told apart, and checks
// that each is drawn once and described.
func TestZoomShowsSingleEvents(t *testing.T) { onScreens(t, zoomShowsSingleEvents) }

func zoomShowsSingleEvents(t *testing.T, on screen) {
	p := stored(t, "copy")
	b := on.open(t, write(t, p))
	b.do("iotrace.drawAll()")
	detail := p.Charts.Timeline.Detail[1]
	from := detail.FromNS + 1e6
	to := from + 4e6
	want := 0
	for _, l := range p.Charts.Timeline.Lanes {
		if l.Kind != "thread" {
			continue
		}
		for i := range l.Items.Start {
			if l.Items.Start[i] < to && l.Items.Start[i]+l.Items.Dur[i] > from {
				want++
			}
		}
	}
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('timeline').scrollIntoView()")
	b.settle()
	b.do(fmt.Sprintf("iotrace.show(%d, %d)", from, to))
	b.settle()
	got := eval[int](b,
		`iotrace.drawn.get(iotrace.page.charts.find((c) => c.kind === 'lanes' && c.title === 'Threads').id)
			.rects.filter((r) => r.item !== undefined).length`)
	if got != want || want == 0 {
		t.Errorf("%d single events are drawn, want %d", got, want)
	}
	for _, l := range p.Charts.Timeline.Lanes {
		if l.Kind != "thread" {
			continue
		}
		for name, want := range map[string][]int64{"start": l.Items.Start, "dur": l.Items.Dur, "bytes": l.Items.Bytes,
			"offset": l.Items.Offset} {
			got := eval[[]int64](b, fmt.Sprintf("Array.from(iotrace.page.lanes.find((l) => l.kind === 'thread' && "+
				"l.name.startsWith(%q)).items.%s.values || [])", l.Name, name))
			if len(got) > 0 && !slices.Equal(got, want) {
				t.Errorf("%s of the events of %s did not reach the page unchanged", name, l.Name)
			}
		}
	}
	if s := eval[string](b, "document.getElementById('level').textContent"); !strings.Contains(s, "single events") {
		t.Errorf("the page says %q of bars that are single events", s)
	}
	b.do(fmt.Sprintf("iotrace.show(0, %d)", p.Charts.Timeline.EndNS))
	if s := eval[string](b, "document.getElementById('level').textContent"); !strings.Contains(s, "sums over") {
		t.Errorf("the page says %q of bars that are sums", s)
	}
}

// TestCurvesRefine zooms into the curves of a real recording: they have to show
// the finest level that fits, with its values, and the page has to say which.
func TestCurvesRefine(t *testing.T) { onScreens(t, curvesRefine) }

func curvesRefine(t *testing.T, on screen) {
	p, err := analyzer.Analyze("../../trace/tracefile/testdata/cp.iotrace", analyzer.Options{Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Charts.Zooms) < 2 {
		t.Fatalf("the recording has %d finer levels", len(p.Charts.Zooms))
	}
	b := on.open(t, write(t, p))
	b.do("document.querySelectorAll('details').forEach((d) => { d.open = true; }); " + // a telephone folds charts
		"document.documentElement.style.scrollBehavior = 'auto'; " +
		"document.getElementById('place0-rate').scrollIntoView(); iotrace.drawAll()")
	end := p.Charts.Timeline.EndNS
	level := func() string { return eval[string](b, "document.getElementById('level').textContent") }
	if s := level(); !strings.Contains(s, "a point per "+eval[string](b, fmt.Sprintf("iotrace.print.time(%d)",
		p.Charts.BinNS))) {
		t.Errorf("before zooming the page says %q", s)
	}
	for k, z := range p.Charts.Zooms {
		width := min(1500*z.BinNS, end-1) // the widest window that this level is drawn for
		if k+1 < len(p.Charts.Zooms) && width/p.Charts.Zooms[k+1].BinNS <= 1500 {
			continue
		}
		from := (end - width) / 2
		b.do(fmt.Sprintf("iotrace.show(%d, %d)", from, from+width))
		if s, want := level(), "a point per "+eval[string](b, fmt.Sprintf("iotrace.print.time(%d)",
			z.BinNS)); !strings.Contains(s, want) {
			t.Errorf("in a window of %d ns the page says %q, want %q", width, s, want)
		}
		for i, s := range z.Series[:2] {
			if s.Layer != "calls" {
				break
			}
			got := eval[[][2]float64](b, fmt.Sprintf("iotrace.corners('place0-rate', %d)", i))
			checkSteps(t, &s, z.BinNS, from, from+width, got)
		}
	}
}

// checkSteps compares the corners of a drawn curve with the rows of its level.
func checkSteps(t *testing.T, s *profile.Steps, bin, from, to int64, got [][2]float64) {
	t.Helper()
	first, found := slices.BinarySearch(s.At, from/bin)
	if !found {
		first--
	}
	last, _ := slices.BinarySearch(s.At, (to+bin-1)/bin)
	if len(got) != 2*(last-first) {
		t.Errorf("%s at %d ns has %d corners in the window, want %d", s.Direction, bin, len(got), 2*(last-first))
		return
	}
	for i := first; i < last; i++ {
		corner := got[2*(i-first)]
		want := float64(s.Bytes[i]) / float64(bin) * 1e9
		if int64(corner[0]) != s.At[i]*bin || math.Abs(corner[1]-want) > 0.002*want {
			t.Errorf("%s at %d ns: row %d is drawn at %v, want %d ns and %g B/s", s.Direction, bin, i, corner, s.At[i]*bin, want)
			return
		}
	}
}
