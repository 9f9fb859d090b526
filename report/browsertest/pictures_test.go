package browsertest

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/page"
)

// TestSingleRequests checks that each request is a point, and that a click keeps its details.
func TestSingleRequests(t *testing.T) { onScreens(t, singleRequests) }

func singleRequests(t *testing.T, s screen) {
	p := recorded(t, "fio-qd8")
	b := s.open(t, write(t, p))
	drawings(b)
	want := 0
	for _, l := range p.Charts.Timeline.Lanes {
		if l.Kind == "device" {
			want = len(l.Items.Start)
		}
	}
	id := eval[string](b, "iotrace.page.charts.find((c) => c.kind === 'points').id")
	if n := eval[int](b, fmt.Sprintf("iotrace.drawn.get(%q).points", id)); n != want || n < 2000 {
		t.Errorf("%d requests are points, want %d", n, want)
	}
	b.do(still + fmt.Sprintf("; document.getElementById(%q).scrollIntoView({ block: 'center' })", id))
	at := eval[[]float64](b, fmt.Sprintf(`(() => { const e = iotrace.drawn.get(%q), it =
		iotrace.page.lanes[e.spec.lanes[0]].items, k = 100;
		const box = e.plot.getBoundingClientRect(), { low, high } = e.scale;
		return [box.left + 62 + (it.start.values[k] / iotrace.page.end) * (box.width - 74),
			box.top + box.height - 8 - ((Math.log10(it.dur.values[k]) - low) / (high - low)) * (box.height - 16)]; })()`, id))
	b.mouse(at[0], at[1], at[0], 0)
	if s := eval[string](b, "document.getElementById('kept').innerText"); !strings.Contains(s, "took") ||
		!strings.Contains(s, "read") {
		t.Errorf("a click at a request tells %q", s)
	}
}

// TestOperationsPerSecond checks that a picture of operations stands beside that of bytes, and holds all of them.
func TestOperationsPerSecond(t *testing.T) { onScreens(t, operationsPerSecond) }

func operationsPerSecond(t *testing.T, s screen) {
	p := recorded(t, "fio-qd8")
	b := s.open(t, write(t, p))
	drawings(b)
	for i, layer := range []string{"calls", "requests"} {
		var want int64
		for _, s := range p.Charts.Series {
			for k := range s.Ops {
				if s.Layer == layer {
					want += s.Ops[k]
				}
			}
		}
		got := eval[float64](b, fmt.Sprintf(`iotrace.drawn.get('place%d-iops').spec.series.reduce((n, s) =>
			n + s.y.values.reduce((a, v) => a + v * iotrace.page.bin / 1e9, 0), 0)`, i))
		if math.Abs(got-float64(want)) > 1e-3*float64(want) {
			t.Errorf("%s: the picture holds %.1f operations of %d", layer, got, want)
		}
	}
}

// TestProcesses checks that a launch shows when each process ran, and what of that was its start.
func TestProcesses(t *testing.T) { onScreens(t, processes) }

func processes(t *testing.T, s screen) {
	p := recorded(t, "launch")
	b := s.open(t, write(t, p))
	drawings(b)
	rows := eval[[]string](b, "iotrace.page.lanes.filter((l) => l.kind === 'process').map((l) => l.name + ' ' + "+
		"[...l.items.what.values].map((w) => iotrace.page.kinds[w].name))")
	if len(rows) != len(p.Processes) || !strings.Contains(strings.Join(rows, "\n"), "program starts") {
		t.Errorf("%d processes are %q", len(p.Processes), rows)
	}
}

// TestTrees checks that many copies have a rate over time and a picture of time against size, with each of them.
func TestTrees(t *testing.T) { onScreens(t, trees) }

func trees(t *testing.T, s screen) {
	p := stored(t, "copy")
	one := p.Copies[0]
	p.Copies = nil
	for i := range int64(300) {
		one.StartNS, one.WallNS, one.Bytes = 1e7+i*3e6, 2e6+i*1e4, 4096*(1+i%50)
		p.Copies = append(p.Copies, one)
	}
	p.CopyGroups = []profile.CopyGroup{}
	b := s.open(t, write(t, p))
	for _, d := range drawings(b) {
		if d.ID == "time-by-size" && (d.Points != 300 || d.Inked < 300) {
			t.Errorf("the picture of time against size is %+v", d)
		}
	}
	files := eval[float64](b, "iotrace.drawn.get('files-rate').spec.series[0].y.values.reduce((a, v) => a + v * "+
		"iotrace.page.bin / 1e9, 0)")
	if math.Abs(files-300) > 1 {
		t.Errorf("%.1f files are copied over time", files)
	}
	if n := strings.Count(eval[string](b, "iotrace.chartCsv(iotrace.drawn.get('time-by-size').spec)"), "\n"); n != 301 {
		t.Errorf("the CSV has %d lines", n)
	}
	if n := eval[int](b, "iotrace.svgOf(iotrace.drawn.get('time-by-size')).split('<rect').length"); n < 300 {
		t.Errorf("the SVG has %d rectangles", n)
	}
}

// TestBesideBenchmark checks that a benchmark's block size and queue depth stand on the page of a trace beside the
// workload's, that the bar leads there, and that it can be seen without scrolling sideways at each width.
func TestBesideBenchmark(t *testing.T) {
	bench := &gap.Reference{Name: "cdm/seq1m-q8t1/read", Setting: gap.Setting{Read: true, Depth: 8, Block: 1 << 20}}
	bench.Speed.Read.Value = 5e9
	path := written(t, "beside.html", func(w io.Writer) error { return page.Beside(w, recorded(t, "fio-qd8"), bench) })
	for _, size := range sizes {
		b := open(t, path, size[0], size[1])
		b.do(still + "; document.querySelector('.bar a[href=\"#beside\"]').click()")
		rows := eval[[]string](b, "[...document.querySelectorAll('#benchmark tbody tr')].map((r) => "+
			"[...r.cells].map((c) => c.innerText.trim()).join(' '))")
		if len(rows) != 3 || !strings.HasPrefix(rows[0], "this workload reads by calls 4 ") ||
			!strings.HasPrefix(rows[1], "cdm/seq1m-q8t1/read reads by calls 1024 100.0 8 8 5000") {
			t.Errorf("the rows are %q", rows)
		}
		if at := where(b, "#beside"); at.Top < 0 || at.Top > float64(size[1]) || at.Right > float64(size[0]) {
			t.Errorf("%v: the pictures are at %+v", size, at)
		}
		overlaid(b)
	}
	plain := open(t, write(t, recorded(t, "fio-qd8")), 1400, 900)
	if eval[bool](plain, "!!document.getElementById('benchmark') || !!document.getElementById('beside')") {
		t.Error("a page without a benchmark has a table of one")
	}
}

// overlaid checks that the sizes and depths of a workload of 4 KiB at a depth of 8 are drawn over those of a benchmark:
// two distributions in each picture, which are all of the operations, or of the time.
func overlaid(b *tab) {
	b.t.Helper()
	drawings(b)
	got := eval[[]string](b, `iotrace.page.charts.filter((c) => c.id.startsWith('beside')).map((c) => c.title + ': ' +
		c.series.map((s) => s.name + ' ' + Math.round(100 * s.y.values.reduce((a, v) => a + v, 0)) + ' at ' +
			c.option.xAxis[0].data[s.y.values.indexOf(Math.max(...s.y.values))]).join(', '))`)
	want := []string{"Calls that read: block size: this workload 100 at 12, cdm/seq1m-q8t1/read 100 at 20",
		"Calls: queue depth: this workload 100 at 3, cdm/seq1m-q8t1/read 100 at 3"}
	if !slices.Equal(got, want) {
		b.t.Errorf("%q, want %q", got, want)
	}
	for _, id := range []string{"beside0", "beside1"} {
		if n := eval[int](b, fmt.Sprintf("iotrace.drawn.get(%q).points", id)); n < 2 {
			b.t.Errorf("%s draws %d bars", id, n)
		}
	}
}
