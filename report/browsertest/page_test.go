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

	"github.com/chromedp/chromedp"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// pages are the profiles that every page test runs over.
var pages = []string{"copy", "lossy", "hostile", "empty"}

// A drawing is what the page says about one chart.
type drawing struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Points int    `json:"points"`
	Inked  int    `json:"inked"` // pixels unlike the first, which is at an edge
}

// unfold shows what is folded at first.
const unfold = "document.querySelectorAll('.fold').forEach((d) => { d.open = true; })"

// drawings draws every chart and reports them in the order of the page.
func drawings(b *tab) []drawing {
	b.t.Helper()
	b.do(unfold + "; iotrace.drawAll()")
	return eval[[]drawing](b, `iotrace.page.charts.map((c) => {
		const e = iotrace.drawn.get(c.id);
		let inked = 0;
		for (const canvas of e.plot.querySelectorAll('canvas')) {
			const d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
			for (let i = 4; i < d.length; i += 4) inked += d[i] !== d[0] || d[i + 1] !== d[1] || d[i + 3] !== d[3];
		}
		return {id: c.id, kind: c.kind, points: e.points, inked};
	})`)
}

// TestEveryChartIsDrawn opens every page: no exception, no complaint of the
// browser, no request, and as many points in each chart as the profile has.
func TestEveryChartIsDrawn(t *testing.T) {
	for _, name := range pages {
		t.Run(name, func(t *testing.T) {
			p := stored(t, name)
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
func points(p *profile.Profile) map[string]int {
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
	for i, o := range p.Charts.Offsets {
		want[fmt.Sprintf("offsets%d", i)] = len(o.Cells)
	}
	return want
}

// TestHostileNamesStayText checks that nothing a file is called becomes markup
// or script, on the page, in hints and in the tables behind charts.
func TestHostileNamesStayText(t *testing.T) {
	p := stored(t, "hostile")
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
	for _, name := range []string{"</script><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>",
		`two\nlines\tand\ttabs`, `not\xff\xfeutf-8\xc3`, `\x1b[31mred\x1b[0m`, "写真/日本語"} {
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
	b := open(t, write(t, stored(t, "copy")), 1400, 1000)
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

// TestMarksCrossTheCharts checks that lost events are drawn where they were
// lost, and that the numbers they touch carry a mark.
func TestMarksCrossTheCharts(t *testing.T) {
	b := open(t, write(t, stored(t, "lossy")), 1400, 1000)
	b.settle()
	got := eval[[]float64](b, `(() => {
		const band = document.querySelector('#overlay .lost').getBoundingClientRect(),
			axis = document.getElementById('axis').getBoundingClientRect();
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
		b := open(t, write(t, stored(t, name)), 390, 844)
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
	b := open(t, write(t, stored(t, "copy")), 1400, 1000)
	b.scheme("dark")
	b.do("document.querySelector('main').insertAdjacentHTML('beforeend', '<details " +
		"class=against><summary>a</summary>b</details><details class=against open><summary>c</summary>d</details>')")
	const opened = "[...document.querySelectorAll('details.against')].map((d) => d.open)"
	folded := eval[[]bool](b, opened)
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
	if now := eval[[]bool](b, opened); !slices.Equal(now, folded) {
		t.Errorf("what was unfolded went from %v to %v", folded, now)
	}
}

// TestPolicyHolds tries to reach out from within the page: the page's own
// policy has to stop it.
func TestPolicyHolds(t *testing.T) {
	b := open(t, write(t, stored(t, "empty")), 800, 600)
	b.mu.Lock()
	b.refuses = true
	b.mu.Unlock()
	blocked := eval[[]bool](b,
		"[1].map(() => document.querySelector('meta[http-equiv=Content-Security-Policy]').content.startsWith(\"default-src "+
			"'none'\"))")
	if !blocked[0] {
		t.Error("the page has no policy that starts from nothing")
	}
	res, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[string](`fetch('http://127.0.0.1:9/').then(() => 'reached', (e) => 'blocked')`,
			chromedp.EvalAwaitPromise))
	if err != nil || res != "blocked" {
		t.Errorf("a request was %s (%v)", res, err)
	}
	// What a name might smuggle in does nothing either.
	ran := eval[string](b, `(() => {
		window.ran = [];
		const script = document.createElement('script');
		script.textContent = 'window.ran.push("script")';
		document.body.append(script);
		const holder = document.createElement('div');
		holder.innerHTML = '<img src="data:," onerror="window.ran.push(1)"><p style="opacity:0.5">x</p>' +
			'<style>p { opacity: 0.25 }</style>';
		document.body.append(holder);
		holder.firstChild.dispatchEvent(new Event('error'));
		const opacity = getComputedStyle(holder.querySelector('p')).opacity;
		holder.remove();
		return window.ran.join() + opacity;
	})()`)
	if ran != "1" {
		t.Errorf("a script or a style that was not in the page took effect: %s", ran)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests) > 0 {
		t.Errorf("the browser sent %v", b.requests)
	}
}
