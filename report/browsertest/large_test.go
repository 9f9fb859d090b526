package browsertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestLargePage opens a page as full as pages get, and measures how long it
// takes to be of use. The times are reported, not judged: they are those of
// this machine and of drawing without a graphics card.
func TestLargePage(t *testing.T) {
	path := write(t, large(t))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 3_000_000 {
		t.Errorf("the page has %d bytes", info.Size())
	}
	b := open(t, path, 1400, 1000)
	b.settle()
	if !eval[bool](b, "'packed' in document.getElementById('data').dataset") {
		t.Error("the data of a large page is not packed")
	}
	t.Logf("%.1f MB; scripts have run after %.0f ms", float64(info.Size())/1e6, eval[float64](b, "iotrace.timing.ready"))
	b.do("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('timeline').scrollIntoView()")
	b.settle()
	t.Logf("first charts are drawn after %.0f ms", eval[float64](b, "iotrace.timing.shown"))
	for _, d := range drawings(b) {
		if d.Inked < 50 {
			t.Errorf("chart %s is blank", d.ID)
		}
	}
	var took []float64
	for range 9 {
		took = append(took, eval[float64](b,
			`(() => { const t = performance.now(); iotrace.zoom(0.5);
			return new Promise((r) => requestAnimationFrame(() =>
				setTimeout(() => r(performance.now() - t), 0))); })()`, awaited))
	}
	t.Logf("one step of zooming takes %.0f ms", took)
	b.do("iotrace.show(0, iotrace.page.end)")
	if n := eval[int](b,
		"Math.max(...[...iotrace.drawn.values()].filter((e) => e.rects).map((e) => e.rects.length))"); n > 40_000 {
		t.Errorf("a chart draws %d rectangles at once", n)
	}
	b.do("document.getElementById('place0-rate').scrollIntoView()")
	b.settle()
	for _, width := range []float64{0.5, 0.1, 0.009} {
		b.do(fmt.Sprintf("iotrace.show(0, iotrace.page.end * %g)", width))
		if n := eval[float64](b, "iotrace.drawn.get('place0-rate').points / "+
			"iotrace.drawn.get('place0-rate').spec.series.length"); n > 1501 {
			t.Errorf("in a window of %g a curve has %.0f points at once", width, n)
		}
	}
}

// large is a profile with as many lanes, tiles, events, cells and names as the
// analyzer gives by default.
func large(t *testing.T) *profile.Profile {
	rnd := rand.New(rand.NewPCG(1, 2))
	p := stored(t, "copy")
	file := p.Files[0]
	p.Files = nil
	for i := range 1000 {
		file.Path = fmt.Sprintf("/srv/data/%030d/file-%06d.bin", i, i)
		p.Files = append(p.Files, file)
	}
	const end = int64(3600e9)
	manySeries(p.Charts, rnd, end)
	manyZooms(p.Charts, rnd, end)
	manyLanes(&p.Charts.Timeline, rnd, end)
	return p
}

func manySeries(c *profile.Charts, rnd *rand.Rand, end int64) {
	const bins = 600
	c.Bins, c.BinNS, c.Series, c.Heatmaps, c.Stack = bins, end/bins, nil, nil, nil
	for _, device := range []string{"", "dm-0", "sda", "sdb", "sdc"} {
		for _, way := range []string{"read", "write"} {
			s := profile.Series{Layer: "requests", Device: device, Level: 1, Direction: way}
			if device == "" {
				s.Layer = "calls"
			}
			for range bins {
				s.Bytes, s.Ops, s.Depth = append(s.Bytes, rnd.Int64N(1<<32)), append(s.Ops, 9), append(s.Depth, rnd.Float64()*32)
				s.SizeP50, s.SizeP90 = append(s.SizeP50, 1<<rnd.Int64N(20)), append(s.SizeP90, 1<<(20+rnd.Int64N(3)))
				s.LatP50, s.LatP99, s.LatMax = append(s.LatP50, 1+rnd.Int64N(1e6)), append(s.LatP99, 1e6+rnd.Int64N(1e8)),
					append(s.LatMax, 1e9)
			}
			c.Series = append(c.Series, s)
			h := profile.Heat{Quantity: "latency_ns", Layer: s.Layer, Device: device, Direction: way}
			for r := range 60 {
				h.Rows = append(h.Rows, int64(1000)<<(r/4)+int64(r%4)*250<<(r/4))
			}
			for b := range int64(bins) {
				for r := range int64(12) {
					h.Cells = append(h.Cells, profile.Cell{b, r*5 + rnd.Int64N(5), 1 + rnd.Int64N(1e5)})
				}
			}
			c.Heatmaps = append(c.Heatmaps, h)
		}
	}
}

func manyZooms(c *profile.Charts, rnd *rand.Rand, end int64) {
	c.Zooms = nil
	for bin := c.BinNS / 5; len(c.Zooms) < 6; bin /= 5 {
		rows := min(4000, end/bin) // as many as a level has at most, and one for each bin
		z := profile.Zoom{BinNS: bin, Whole: len(c.Zooms) == 0}
		z.Stack = append(z.Stack, profile.Labels{Label: "device_read"}, profile.Labels{Label: "cpu"})
		for i := range rows {
			at := i * (end / bin) / rows
			z.StackAt, z.Stack[0].NS, z.Stack[1].NS = append(z.StackAt, at), append(z.Stack[0].NS, rnd.Int64N(bin)),
				append(z.Stack[1].NS, rnd.Int64N(bin))
		}
		for _, s := range c.Series {
			x := profile.Steps{Layer: s.Layer, Device: s.Device, Direction: s.Direction, At: z.StackAt}
			for range rows {
				x.Bytes, x.Depth = append(x.Bytes, rnd.Int64N(1<<32)), append(x.Depth, rnd.Float64()*32)
				x.SizeP50, x.SizeP90 = append(x.SizeP50, rnd.Int64N(1<<20)), append(x.SizeP90, rnd.Int64N(1<<23))
				x.LatP50, x.LatP99 = append(x.LatP50, rnd.Int64N(1e6)), append(x.LatP99, rnd.Int64N(1e8))
			}
			z.Series = append(z.Series, x)
		}
		c.Zooms = append(c.Zooms, z)
	}
}

func manyLanes(w *profile.Timeline, rnd *rand.Rand, end int64) {
	const lanes, tiles, items = 32, 1024, 20_000
	w.EndNS, w.Tiles, w.TileNS, w.Lanes = end, tiles, end/tiles, nil
	w.Detail = []profile.Window{{FromNS: 0, ToNS: end / 100}}
	for i := range lanes {
		l := profile.Lane{Kind: []string{"thread", "file", "device"}[i*3/lanes], Name: fmt.Sprintf("lane %d", i),
			PID: uint32(i)}
		for k := range int64(tiles) {
			l.Tiles.At, l.Tiles.Count, l.Tiles.Max = append(l.Tiles.At, k), append(l.Tiles.Count, rnd.Int64N(1e6)),
				append(l.Tiles.Max, rnd.Int64N(1e9))
			l.Tiles.Busy, l.Tiles.Wait = append(l.Tiles.Busy, rnd.Int64N(w.TileNS)), append(l.Tiles.Wait, 0)
			l.Tiles.What, l.Tiles.Lead = append(l.Tiles.What, -1), append(l.Tiles.Lead, 0)
			l.Tiles.Read, l.Tiles.Write = append(l.Tiles.Read, rnd.Int64N(1e9)), append(l.Tiles.Write, rnd.Int64N(1e9))
		}
		at := int64(0)
		for k := range 2 * items / lanes {
			at += rnd.Int64N(3e7)
			l.Items.Start, l.Items.Dur, l.Items.What = append(l.Items.Start, at), append(l.Items.Dur, rnd.Int64N(1e7)),
				append(l.Items.What, k%2)
			l.Items.Bytes, l.Items.Offset, l.Items.File = append(l.Items.Bytes, 4096), append(l.Items.Offset, rnd.Int64N(1<<40)),
				append(l.Items.File, k%1000)
		}
		w.Lanes = append(w.Lanes, l)
	}
}
