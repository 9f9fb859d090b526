package browsertest

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
)

// TestHeatMapsRefine zooms into the heat maps of a real recording (a cold start
// of git from a shell, 53 requests): they have to
// paint the cells of the finest level that fits, no others, and follow back.
func TestHeatMapsRefine(t *testing.T) { onScreens(t, heatMapsRefine) }

func heatMapsRefine(t *testing.T, s screen) {
	p, err := analyzer.Analyze("testdata/launch.iotrace", analyzer.Options{Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	b := s.open(t, write(t, p))
	b.do("document.querySelectorAll('.fold.section').forEach((d) => { d.open = true; }); " +
		"document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('heat').scrollIntoView(); " +
		"iotrace.drawAll()")
	end := p.Charts.Timeline.EndNS
	// painted is how many cells a heat map shows, by its place in the list of those that are drawn.
	painted := func() map[string]int {
		b.settle()
		return eval[map[string]int](b,
			`Object.fromEntries([...iotrace.drawn.values()].filter((e) => e.spec.kind === 'heat').map((e) =>
				[e.spec.title + ' of ' + document.getElementById(e.id)
					.closest('.place').querySelector('h3').textContent, e.points]))`)
	}
	whole := painted()
	if len(whole) == 0 {
		t.Fatal("no heat map is drawn")
	}
	checked := 0
	for k, z := range p.Charts.Zooms {
		width := min(1500*z.BinNS, end-1)
		if !z.HeatWhole || k+1 < len(p.Charts.Zooms) && p.Charts.Zooms[k+1].HeatWhole &&
			width/p.Charts.Zooms[k+1].BinNS <= 1500 {
			continue
		}
		from := (end - width) / 2
		b.do(fmt.Sprintf("iotrace.show(%d, %d)", from, from+width))
		got := painted()
		for _, h := range z.Heatmaps {
			title := map[string]string{"latency_ns": "Latency", "size_bytes": "Block size"}[h.Quantity] + " · " + h.Direction +
				" of " + h.Device + " requests"
			want := 0
			for _, c := range h.Cells {
				if c[0]*z.BinNS < from+width && c[0] >= from/z.BinNS {
					want++
				}
			}
			if n, drawn := got[title]; drawn && n != want {
				t.Errorf("%s in a window of %d ns: %d cells are painted, want the %d of bins of %d ns", title, width, n,
					want, z.BinNS)
			} else if drawn && want > 0 {
				checked++
			}
		}
	}
	if checked == 0 {
		t.Errorf("no finer level was compared; drawn are %v", whole)
	}
	b.do(fmt.Sprintf("iotrace.show(0, %d)", end))
	for title, n := range painted() {
		if n != whole[title] {
			t.Errorf("%s: %d cells are painted after zooming out, want %d", title, n, whole[title])
		}
	}
}
