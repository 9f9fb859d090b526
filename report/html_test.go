package report

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/page"
)

// html is the page of a profile.
func html(t *testing.T, p *profile.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Profile(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ours is a page without its style sheet and scripts, which are files of their
// own: what is left depends on the profile.
func ours(page string) string {
	return regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAllString(page, "<$1>…</$1>")
}

func TestHTML(t *testing.T) {
	for _, name := range []string{"lossy", "empty"} {
		out := html(t, load(t, name))
		golden(t, name+".html", func(w io.Writer) error {
			_, err := io.WriteString(w, ours(out))
			return err
		})
	}
}

func TestHTMLIsDeterministic(t *testing.T) {
	for name := range profiles {
		if a, b := html(t, load(t, name)), html(t, load(t, name)); a != b {
			t.Errorf("two pages of %s differ", name)
		}
	}
}

// TestHTMLWithoutCharts checks that a profile that was made without charts
// still gives a page.
func TestHTMLWithoutCharts(t *testing.T) {
	p := load(t, "copy")
	p.Charts = nil
	out := html(t, p)
	if !strings.Contains(out, "Observations") || strings.Contains(out, `id="linked"`) {
		t.Error("the page has charts, or lacks its text")
	}
}

// TestHostileNamesAreText checks that a name can end neither the script nor the
// text it stands in. The browser tests check the same on the living page.
func TestHostileNamesAreText(t *testing.T) {
	out := html(t, load(t, "hostile"))
	if n := strings.Count(out, "</script"); n != 3 {
		t.Errorf("the page has %d ends of scripts, want those of the data, the library and our own", n)
	}
	for _, bad := range []string{"<img", "<svg", "<script>window", "onerror=window.pwned=1>", "\x1b", "\u202e", "\u009b"} {
		if strings.Contains(ours(out), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if !strings.Contains(ours(out), "&lt;/script&gt;&lt;script&gt;window.pwned=1") {
		t.Error("the page does not show the name")
	}
}

// TestNothingIsFetched checks the parts of a page that could make a browser ask
// for something, and the policy that would stop it.
func TestNothingIsFetched(t *testing.T) {
	out := html(t, load(t, "copy"))
	if !strings.Contains(out,
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`) || strings.Contains(out,
		"unsafe-inline") {
		t.Error("the page has no content security policy")
	}
	foreign := regexp.MustCompile(`(?i)\b(src|srcset|action|data|poster|background)\s*=\s*["'][^"']|` +
		`<link|<base|@import|url\(\s*["']?[^"')]`)
	if m := foreign.FindString(ours(out) + asText(t, "page.css")); m != "" {
		t.Errorf("the page holds %q", m)
	}
	if m := regexp.MustCompile(`href="[^#]`).FindString(ours(out)); m != "" {
		t.Errorf("the page links to %q", m)
	}
}

// maxPage is what a page may take, in bytes.
const maxPage = 3_000_000

// TestSize checks the bound on a page of a profile that fills every list, with
// names of 4 KiB.
func TestSize(t *testing.T) {
	p := largestProfile()
	out := html(t, p)
	t.Logf("%d bytes: library %d, tables and text %d", len(out), len(asText(t, "echarts.simple.min.js")), len(ours(out)))
	if len(out) > maxPage {
		t.Errorf("the page has %d bytes, more than %d", len(out), maxPage)
	}
}

// largestProfile is as large as the analyzer's default options allow, and
// larger where they set no bound.
func largestProfile() *profile.Profile {
	rnd := rand.New(rand.NewPCG(1, 2))
	p := copyProfile(64<<20, 40, 80)
	long := func(i int) string { return fmt.Sprintf("/%s/%06d", strings.Repeat("directory/", 409), i) }
	file, one, process := p.Files[0], p.Copies[0], p.Processes[0]
	p.Files, p.Copies, p.Processes = nil, nil, nil
	for i := range 1000 {
		f, c, q := file, one, process
		f.Path, c.Source, c.Destination, q.Args = long(i), long(i), long(i+1), []string{"cp", long(i)}
		p.Files, p.Copies, p.Processes = append(p.Files, f), append(p.Copies, c), append(p.Processes, q)
		p.Charts.Timeline.Marks = append(p.Charts.Timeline.Marks, profile.Marker{FromNS: int64(i) * 1e4,
			ToNS: int64(i)*1e4 + 5e3, Kind: "copy", Text: long(i)})
		p.Warnings = append(p.Warnings, profile.Warning{Code: "x", Text: "About " + long(i)}) // the analyzer has a few
		if len(p.Warnings) > 40 {
			p.Warnings = p.Warnings[:40]
		}
	}
	const bins, tiles, items = 600, 1024, 20000
	c := p.Charts
	end := int64(3600e9)
	c.Bins, c.BinNS = bins, end/bins
	c.Series, c.Heatmaps, c.Stack = nil, nil, nil
	for _, where := range []string{"", "sda", "sdb", "sdc", "sdd", "sde", "sdf", "dm-0"} {
		for _, way := range []string{"read", "write"} {
			layer := "requests"
			if where == "" {
				layer = "calls"
			}
			s := profile.Series{Layer: layer, Device: where, Level: 1, Direction: way}
			for range bins {
				s.Bytes, s.Ops, s.Depth = append(s.Bytes, rnd.Int64N(1<<32)), append(s.Ops, 1), append(s.Depth, rnd.Float64()*32)
				s.SizeP50, s.SizeP90 = append(s.SizeP50, 1+rnd.Int64N(1<<20)), append(s.SizeP90, 1+rnd.Int64N(1<<22))
				s.LatP50, s.LatP99, s.LatMax = append(s.LatP50, 1+rnd.Int64N(1e9)), append(s.LatP99, 1+rnd.Int64N(1e9)),
					append(s.LatMax, 1+rnd.Int64N(1e9))
			}
			c.Series = append(c.Series, s)
			for _, q := range []string{"latency_ns", "size_bytes"} {
				h := profile.Heat{Quantity: q, Layer: layer, Device: where, Direction: way}
				for r := range 60 {
					h.Rows = append(h.Rows, simEdge(r*2))
				}
				for b := range int64(bins) {
					for range 25 {
						h.Cells = append(h.Cells, profile.Cell{b, rnd.Int64N(60), rnd.Int64N(1e6)})
					}
				}
				c.Heatmaps = append(c.Heatmaps, h)
			}
		}
	}
	t := &c.Timeline
	t.EndNS, t.Tiles, t.TileNS, t.Lanes = end, tiles, end/tiles, nil
	t.Detail = []profile.Window{{FromNS: 0, ToNS: end / 100}}
	for i := range 32 {
		l := profile.Lane{Kind: "file", Name: long(i)}
		for k := range int64(tiles) {
			l.Tiles.At, l.Tiles.Count, l.Tiles.Busy = append(l.Tiles.At, k), append(l.Tiles.Count, rnd.Int64N(1e6)),
				append(l.Tiles.Busy, rnd.Int64N(t.TileNS))
			l.Tiles.Read, l.Tiles.Write, l.Tiles.Max = append(l.Tiles.Read, rnd.Int64N(1e9)),
				append(l.Tiles.Write, rnd.Int64N(1e9)), append(l.Tiles.Max, rnd.Int64N(1e9))
		}
		at := int64(0)
		for k := range items / 32 * 2 { // an event may be in the lanes of a thread and of a file
			at += rnd.Int64N(1e6)
			l.Items.Start, l.Items.Dur, l.Items.What = append(l.Items.Start, at), append(l.Items.Dur, rnd.Int64N(1e6)),
				append(l.Items.What, 0)
			l.Items.Bytes, l.Items.Offset, l.Items.File = append(l.Items.Bytes, 4096), append(l.Items.Offset, rnd.Int64N(1<<40)),
				append(l.Items.File, k%1000)
		}
		t.Lanes = append(t.Lanes, l)
	}
	return p
}

// asText is one of the files that pages are made of.
func asText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("page", "assets", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
