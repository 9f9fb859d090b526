package browsertest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/iotrace/iotrace/analyzer"
)

// pages are the profiles that every page test runs over.
var pages = []string{"copy", "lossy", "hostile", "empty"}

// A drawing is what the page says about one chart.
type drawing struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Points int    `json:"points"`
	Inked  int    `json:"inked"` // pixels that are not transparent
}

// drawings draws every chart and reports them in the order of the page.
func drawings(b *tab) []drawing {
	b.t.Helper()
	b.do("iotrace.drawAll()")
	return eval[[]drawing](b, `iotrace.page.charts.map((c) => {
		const e = iotrace.drawn.get(c.id);
		let inked = 0;
		for (const canvas of e.plot.querySelectorAll('canvas')) {
			const d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
			for (let i = 3; i < d.length; i += 4) inked += d[i] > 0;
		}
		return {id: c.id, kind: c.kind, points: e.points, inked};
	})`)
}

// TestEveryChartIsDrawn opens every page: no exception, no complaint of the
// browser, no request, and as many points in each chart as the profile has.
func TestEveryChartIsDrawn(t *testing.T) {
	for _, name := range pages {
		t.Run(name, func(t *testing.T) {
			p := load(t, name)
			b := open(t, write(t, p), 1400, 1000)
			want := points(p)
			got := drawings(b)
			if len(got) == 0 && p.Charts.Bins > 0 {
				t.Fatal("the page has no chart")
			}
			for _, d := range got {
				if d.Inked < 50 {
					t.Errorf("chart %s (%s) is blank: %d pixels are inked", d.ID, d.Kind, d.Inked)
				}
				if d.Kind == "lanes" && d.Points == 0 {
					t.Errorf("chart %s shows no event", d.ID)
				}
				if n, known := want[d.ID]; known && n != d.Points {
					t.Errorf("chart %s has %d points, want %d", d.ID, d.Points, n)
				}
				delete(want, d.ID)
			}
			for id := range want {
				t.Errorf("chart %s is missing", id)
			}
		})
	}
}

// points counts what the charts over time of a profile have to show, by the id
// of the chart: system calls are the first place.
func points(p *analyzer.Profile) map[string]int {
	want := map[string]int{}
	if p.Charts.Bins == 0 {
		return want
	}
	heats := 0
	for _, s := range p.Charts.Series {
		if s.Layer != "calls" {
			continue
		}
		want["place0-rate"] += len(s.Bytes)
		want["place0-depth"] += len(s.Depth)
		for i := range s.LatP50 {
			if s.LatP50[i] > 0 {
				want["place0-latency"] += 2 // p50 and p99
			}
			if s.SizeP50[i] > 0 {
				want["place0-size"] += 2
			}
		}
	}
	for _, h := range p.Charts.Heatmaps {
		if h.Layer == "calls" && (h.Quantity == "latency_ns" || len(h.Rows) > 1) {
			want[fmt.Sprintf("place0-heat%d", heats)] = len(h.Cells)
			heats++
		}
	}
	return want
}

type window struct{ From, To float64 }

// windows are the time axes of the charts over time that are on the screen or
// near it; others follow when they come near.
func windows(b *tab) []window {
	b.t.Helper()
	return eval[[]window](b, `[...iotrace.drawn.values()].filter((e) => !e.dirty && ['series', 'stack', 'heat', 'lanes'].includes(e.spec.kind)).map((e) => {
		const [axis] = e.chart.getOption().xAxis;
		return {From: axis.min, To: axis.max};
	})`)
}

// TestZoomIsLinked zooms by every means there is; all charts over time, the
// ruler and the address have to follow each time.
func TestZoomIsLinked(t *testing.T) {
	b := open(t, write(t, load(t, "copy")), 1400, 1000)
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('timeline').scrollIntoView()")
	all := eval[window](b, "({From: 0, To: iotrace.page.end})")
	key := func(k string) func() error {
		return func() error { return chromedp.Do(b.ctx, chromedp.KeyEvent(k)) }
	}
	click := func(what string) func() error {
		return func() error { return chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(`[data-do="`+what+`"]`))) }
	}
	box := eval[[]float64](b, `(() => { const r = document.querySelector('.lanes .plot').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	drag := func() error {
		return chromedp.Do(b.ctx, chromedp.DragAndDropXY(box[0]+box[2]*0.4, box[1]+8, box[0]+box[2]*0.6, box[1]+8))
	}
	wheel := func() error {
		_, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: box[0] + box[2]/2, Y: box[1] + 8, DeltaX: 0.01, DeltaY: -100, Modifiers: 2, /* Ctrl */
		})
		return err
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
		if len(shown) < 4 {
			t.Errorf("after %s only %d charts are up to date", step.name, len(shown))
		}
		for i, w := range shown {
			if math.Abs(w.From-now.From) > 1 || math.Abs(w.To-now.To) > 1 {
				t.Errorf("after %s chart %d shows %v, the window is %v", step.name, i, w, now)
			}
		}
		last = now
	}
	b.do("iotrace.drawAll(); iotrace.zoom(0.3)")
	for _, id := range eval[[]string](b, "[...iotrace.drawn.values()].filter((e) => e.dirty).map((e) => e.id)") {
		b.do("document.getElementById('" + id + "').scrollIntoView()")
		b.settle()
		if eval[bool](b, "iotrace.drawn.get('"+id+"').dirty") {
			t.Errorf("chart %s does not follow the window when it comes into view", id)
		}
	}
}

func narrower(before, after window) bool { return after.To-after.From < before.To-before.From-1 }
func wider(before, after window) bool    { return narrower(after, before) }
func later(before, after window) bool    { return after.From > before.From && after.To > before.To }
func earlier(before, after window) bool  { return later(after, before) }

// TestZoomShowsSingleEvents zooms in until events are told apart, and checks
// that each is drawn once and described.
func TestZoomShowsSingleEvents(t *testing.T) {
	p := load(t, "copy")
	b := open(t, write(t, p), 1400, 1000)
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
	got := eval[int](b, `iotrace.drawn.get(iotrace.page.charts.find((c) => c.kind === 'lanes' && c.title === 'Threads').id).rects.filter((r) => r.item !== undefined).length`)
	if got != want || want == 0 {
		t.Errorf("%d single events are drawn, want %d", got, want)
	}
	for _, l := range p.Charts.Timeline.Lanes {
		if l.Kind != "thread" {
			continue
		}
		for name, want := range map[string][]int64{"start": l.Items.Start, "dur": l.Items.Dur, "bytes": l.Items.Bytes, "offset": l.Items.Offset} {
			got := eval[[]int64](b, fmt.Sprintf("Array.from(iotrace.page.lanes.find((l) => l.kind === 'thread' && l.name.startsWith(%q)).items.%s.values || [])", l.Name, name))
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

// TestHostileNamesStayText checks that nothing a file is called becomes markup
// or script, on the page, in hints and in the tables behind charts.
func TestHostileNamesStayText(t *testing.T) {
	p := load(t, "hostile")
	b := open(t, write(t, p), 1400, 1000)
	drawings(b)
	b.do(`for (const d of document.querySelectorAll('details')) d.open = true;
		for (const all of document.querySelectorAll('button.all')) all.click()`)
	b.settle()
	if eval[bool](b, "'pwned' in window") {
		t.Error("a file name was executed")
	}
	if n := eval[int](b, "document.querySelectorAll('img, svg, iframe, object, embed, link, base').length"); n != 0 {
		t.Errorf("the page holds %d elements that only a file name can have brought", n)
	}
	text := eval[string](b, "document.body.innerText")
	for _, name := range []string{"</script><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", `two\nlines\tand\ttabs`, `not\xff\xfeutf-8\xc3`, `\x1b[31mred\x1b[0m`, "写真/日本語"} {
		if !strings.Contains(text, name) {
			t.Errorf("the page does not show %s", name)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e\u009b") {
		t.Error("the page holds control characters")
	}
}

// TestThemes compares the page in light and dark, by the system and by the
// button.
func TestThemes(t *testing.T) {
	b := open(t, write(t, load(t, "copy")), 1400, 1000)
	b.scheme("light")
	b.do("iotrace.drawAll()")
	light := shot(b, "light")
	b.scheme("dark")
	dark := shot(b, "dark")
	if l, d := brightness(light), brightness(dark); l < 0.75 || d > 0.25 {
		t.Errorf("brightness is %.2f in light and %.2f in dark", l, d)
	}
	for name, m := range map[string]image.Image{"light": light, "dark": dark} {
		if n := hues(m); n < 20 {
			t.Errorf("the %s page has %d colours: is it blank?", name, n)
		}
	}
	if err := chromedp.Do(b.ctx, chromedp.Click(chromedp.ID("theme"))); err != nil {
		t.Fatal(err)
	}
	b.settle()
	if l := brightness(shot(b, "toggled")); l < 0.75 {
		t.Errorf("brightness is %.2f after the button was pressed in dark", l)
	}
}

// shot takes a picture of the whole page; IOTRACE_PICTURES keeps it.
func shot(b *tab, name string) image.Image {
	b.t.Helper()
	b.settle()
	data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if dir := os.Getenv("IOTRACE_PICTURES"); dir != "" {
		if err := os.WriteFile(dir+"/"+name+".png", data, 0o666); err != nil {
			b.t.Error(err)
		}
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return m
}

func brightness(m image.Image) float64 {
	var sum, n float64
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y += 3 {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x += 3 {
			sum += float64(color.GrayModel.Convert(m.At(x, y)).(color.Gray).Y) / 255
			n++
		}
	}
	return sum / n
}

func hues(m image.Image) int {
	seen := map[color.Color]bool{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y += 5 {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x += 5 {
			seen[m.At(x, y)] = true
		}
	}
	return len(seen)
}

// TestKeyboard walks the page without a mouse.
func TestKeyboard(t *testing.T) {
	b := open(t, write(t, load(t, "lossy")), 1400, 1000)
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
		stops = append(stops, eval[string](b, "document.activeElement.dataset.do || document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
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

// TestNamesForTheBlind checks that every chart has a description.
func TestNamesForTheBlind(t *testing.T) {
	b := open(t, write(t, load(t, "copy")), 1400, 1000)
	if n := eval[int](b, `[...document.querySelectorAll('.plot[id]:not([aria-hidden])')].filter((e) => !e.getAttribute('aria-label') || e.getAttribute('role') !== 'img').length`); n != 0 {
		t.Errorf("%d charts have no description", n)
	}
	if n := eval[int](b, `[...document.querySelectorAll('button')].filter((e) => !e.textContent.trim() && !e.getAttribute('aria-label')).length`); n != 0 {
		t.Errorf("%d buttons have no name", n)
	}
}

// TestMarksCrossTheCharts checks that lost events are drawn where they were
// lost, and that the numbers they touch carry a mark.
func TestMarksCrossTheCharts(t *testing.T) {
	b := open(t, write(t, load(t, "lossy")), 1400, 1000)
	b.settle()
	got := eval[[]float64](b, `(() => {
		const band = document.querySelector('#overlay .lost').getBoundingClientRect(), axis = document.getElementById('axis').getBoundingClientRect();
		const at = (x) => ((x - axis.left - 62) / (axis.width - 74)) * iotrace.page.end / 1e6;
		return [at(band.left), at(band.right)];
	})()`)
	if math.Abs(got[0]-20) > 1 || math.Abs(got[1]-61) > 1 {
		t.Errorf("the loss is drawn from %.1f to %.1f ms, want 20 to 61", got[0], got[1])
	}
	for _, id := range []string{"files", "copies", "devices", "calls", "time", "timeline"} {
		if n := eval[int](b, "document.querySelectorAll('#"+id+" .mark').length"); n == 0 {
			t.Errorf("section %s carries no mark", id)
		}
	}
}

// TestNarrow checks that a page fits a telephone.
func TestNarrow(t *testing.T) {
	for _, name := range pages {
		b := open(t, write(t, load(t, name)), 390, 844)
		b.do("iotrace.drawAll()")
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
			t.Errorf("%s is %d pixels wide in a window of 390", name, w)
		}
		shot(b, name+"-narrow")
	}
}

// TestPrint prints a page to PDF; charts that were never on the screen have to
// be in it, and the page is as before afterwards.
func TestPrint(t *testing.T) {
	b := open(t, write(t, load(t, "copy")), 1400, 1000)
	b.scheme("dark")
	before := eval[string](b, "getComputedStyle(document.body).backgroundColor")
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 50_000 {
		t.Errorf("the print is %d bytes", len(pdf))
	}
	if dir := os.Getenv("IOTRACE_PICTURES"); dir != "" {
		os.WriteFile(dir+"/print.pdf", pdf, 0o666)
	}
	b.settle()
	if n := eval[int](b, "iotrace.page.charts.length - iotrace.drawn.size"); n != 0 {
		t.Errorf("%d charts were not drawn for the print", n)
	}
	if after := eval[string](b, "getComputedStyle(document.body).backgroundColor"); after != before {
		t.Errorf("the background went from %s to %s", before, after)
	}
}

// TestPolicyHolds tries to reach out from within the page: the page's own
// policy has to stop it.
func TestPolicyHolds(t *testing.T) {
	b := open(t, write(t, load(t, "empty")), 800, 600)
	blocked := eval[[]bool](b, "[1].map(() => document.querySelector('meta[http-equiv=Content-Security-Policy]').content.startsWith(\"default-src 'none'\"))")
	if !blocked[0] {
		t.Error("the page has no policy that starts from nothing")
	}
	res, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`fetch('http://127.0.0.1:9/').then(() => 'reached', (e) => 'blocked')`, chromedp.EvalAwaitPromise))
	if err != nil || res != "blocked" {
		t.Errorf("a request was %s (%v)", res, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests) > 0 {
		t.Errorf("the browser sent %v", b.requests)
	}
	b.complaints = nil // the refusal is one, as it should be
}

// TestHover points at an event: its details are shown, the cursor crosses all
// charts, and the readouts beside them tell the values at that time.
func TestHover(t *testing.T) {
	p := load(t, "copy")
	b := open(t, write(t, p), 1400, 1000)
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('timeline').scrollIntoView()")
	b.settle()
	readout := `document.querySelector('.readout[data-chart="stack-time"]').innerText`
	before := eval[string](b, readout)
	height := eval[float64](b, "document.documentElement.scrollHeight")
	box := eval[[]float64](b, `(() => { const r = document.getElementById(iotrace.page.charts.find((c) => c.title === 'Threads').id).getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	for _, dx := range []float64{0, 1} { // a movement, not an arrival
		if err := chromedp.Do(b.ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0]+box[2]/2+dx, box[1]+13)); err != nil {
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
	if after := eval[string](b, readout); after == before || !strings.Contains(after, "%") {
		t.Errorf("the readout beside the chart went from %q to %q", before, after)
	}
	if now := eval[float64](b, "document.documentElement.scrollHeight"); now != height {
		t.Errorf("pointing at an event changed the height of the page from %.0f to %.0f", height, now)
	}
	if x := eval[float64](b, "document.querySelector('#overlay .cursor').getBoundingClientRect().left"); math.Abs(x-box[0]-box[2]/2) > 2 {
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

// TestEveryControlIsReached walks the whole page with Tab: whatever can be
// pressed has to be a stop.
func TestEveryControlIsReached(t *testing.T) {
	b := open(t, write(t, load(t, "copy")), 1400, 1000)
	const controls = `[...document.querySelectorAll('a[href], button, summary, input, select, [tabindex="0"]')].filter((e) => e.checkVisibility())`
	n := eval[int](b, `(() => { const all = `+controls+`; all.forEach((e, i) => { e.dataset.stop = i; }); return all.length; })()`)
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
	if missed := eval[[]string](b, controls+`.filter((e) => !window.stops.has(e.dataset.stop)).map((e) => e.outerHTML.slice(0, 120))`); len(missed) > 0 {
		t.Errorf("the keyboard does not reach %d of %d controls: %s", len(missed), n, strings.Join(missed, "\n"))
	}
	if hidden := eval[bool](b, `(() => { const s = getComputedStyle(document.activeElement); return document.activeElement !== document.body && s.outlineStyle === 'none'; })()`); hidden {
		t.Error("the control with the focus does not look like it")
	}
}
