package browsertest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// recorded analyses a recording of the repository, with charts.
func recorded(t *testing.T, name string) *profile.Profile {
	t.Helper()
	p, err := analyzer.Analyze(filepath.Join("..", "..", "testdata", name+".iotrace"), analyzer.Options{Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// reported analyses a recording of these tests as the report command does.
func reported(t *testing.T, name string) *profile.Profile {
	t.Helper()
	p, err := analyzer.AnalyzeAhead(filepath.Join("testdata", name+".iotrace"),
		analyzer.Options{Charts: true, MaxFiles: 20_000, MaxCopies: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sizes are a desk, a small laptop and a telephone.
var sizes = [][2]int64{{1400, 900}, {1024, 768}, {390, 844}}

// place is where something is on the screen.
type place struct{ Top, Bottom, Left, Right float64 }

func where(b *tab, selector string) (p place) {
	b.t.Helper()
	return eval[place](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e) return {Top: -1};
		const r = e.getBoundingClientRect(); return {Top: r.top, Bottom: r.bottom, Left: r.left, Right: r.right};
			})()`, selector))
}

// TestFirstScreen checks that the answer and its picture are on the first screen of every recording, one below the
// other, at each size and in both themes.
func TestFirstScreen(t *testing.T) {
	pictures := map[string]string{"cp": "#pipeline", "tree": "#pipeline", "throttled": "#pipeline", "sqlite": "#path-time",
		"launch": "#path-time", "reflink": "#path-time", "fio-qd8": "#path-time", "scrub": "#path-time", "mmap": "#path-time",
		"path": "#path-time", "rsync": "#pipeline", "losses": "#pipeline", "mac": "#pipeline"}
	for name, picture := range pictures {
		t.Run(name, func(t *testing.T) {
			path := write(t, recorded(t, name))
			for i, size := range sizes {
				b := open(t, path, size[0], size[1])
				b.scheme([]string{"light", "dark", "light"}[i])
				last := 0.0
				for _, part := range []string{"h1", ".bottleneck", ".times", ".stackbar.causes", "#axis", picture} {
					at := where(b, part)
					if at.Top < last || at.Bottom <= at.Top || at.Bottom > float64(size[1]) || at.Right > float64(size[0]) {
						t.Errorf("%v: %s is at %+v, what stands before it begins at %.0f", size, part, at, last)
					}
					last = at.Top
				}
				for _, lanes := range []string{"#first-thread", "#first-device"} {
					if picture == "#path-time" && where(b, lanes).Top < last {
						t.Errorf("%v: %s is not below the picture", size, lanes)
					}
				}
				if n := eval[int](b, "document.querySelector('.bottleneck').innerText.search(/measured|likely|not "+
					"known|none/)"); n < 0 {
					t.Errorf("the bottleneck has no certainty")
				}
				inked := eval[int](b, fmt.Sprintf(`(() => { const c = document.querySelector('%s canvas'), d = c.getContext('2d')
					.getImageData(0, 0, c.width, c.height).data; let n = 0;
					for (let i = 0; i < d.length; i += 4) n += Math.max(d[i], d[i+1], d[i+2]) - Math.min(d[i], d[i+1], d[i+2]) > 60;
					return n; })()`, picture))
				if inked < 100 {
					t.Errorf("%v: %d pixels of the picture are coloured", size, inked)
				}
			}
		})
	}
}

// TestPipeline checks what the picture of a copy says: all three stages reach all of the bytes, in their order.
func TestPipeline(t *testing.T) { onScreens(t, pipeline) }

func pipeline(t *testing.T, s screen) {
	p := recorded(t, "cp")
	b := s.open(t, write(t, p))
	for _, stage := range []string{"read from vda", "copied", "written to vda"} {
		sums := eval[[]float64](b, fmt.Sprintf(`(() => { const plot = iotrace.page.charts.find((c) => c.id ===
			'pipeline').series
			.find((s) => s.name === %q), x = plot.x.values, y = plot.y.values;
			return [y[0], y[y.length - 1], x[0], [...y].every((v, i) => i === 0 || v >= y[i - 1]) ? 1 : 0]; })()`, stage))
		if sums[0] != 0 || sums[1] != float64(p.Copies[0].Bytes) || sums[3] != 1 {
			t.Errorf("%s: %v of %d bytes", stage, sums, p.Copies[0].Bytes)
		}
	}
	for _, mark := range []string{"returned", "durable"} {
		if eval[string](b, "document.getElementById('axis').innerText.match(/"+mark+" [0-9.]+ ms/)[0]") == "" {
			t.Errorf("no mark says %s", mark)
		}
	}
}

// TestCriticalPath checks that the critical path has the parts of the bar above it: names, colours and how long.
func TestCriticalPath(t *testing.T) { onScreens(t, criticalPath) }

func criticalPath(t *testing.T, s screen) {
	b := s.open(t, write(t, recorded(t, "path")))
	b.settle()
	type part struct{ Name, Share, Color string }
	parts := func(rows, words string) []part {
		return eval[[]part](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) => { const text = %s;
			return {Name: text[1], Share: text[2], Color: getComputedStyle(row.firstElementChild).backgroundColor}; })`, rows,
			words))
	}
	bar := parts("ul.parts li", `row.innerText.match(/(.*) (\d+) %/)`)
	lane := parts(`.readout[data-chart="path-time"] > div`, `row.innerText.match(/([^]*?)\s*(\d+) %/)`)
	if len(bar) < 4 || len(lane) < 3 {
		t.Fatalf("the bar %v, the path %v", bar, lane)
	}
	for _, x := range lane {
		i := slices.IndexFunc(bar, func(y part) bool { return x.Name == y.Name })
		if i < 0 || x.Color != bar[i].Color {
			t.Errorf("the path has %v, the bar %v", x, bar)
			continue
		}
		var got, want int
		fmt.Sscan(x.Share, &got)
		fmt.Sscan(bar[i].Share, &want)
		if max(got-want, want-got) > 1 { // both are rounded
			t.Errorf("%s takes %d %% of the path, %d %% of the bar", x.Name, got, want)
		}
	}
}

// TestShort checks that the pages of copies are short before anything is unfolded, at each width: of the smallest, and of
// 200 MB (to ext4, and to xfs in an image) and of trees (2,000 files by cp, 500 by rsync) as real recordings are. So is
// that of a start, which copies nothing and hardly waits for a drive. Where it was drives that were waited for, their
// requests are shown at once, and what is beside them is folded.
func TestShort(t *testing.T) {
	pages := map[string]string{"cp": write(t, recorded(t, "cp"))}
	for _, name := range []string{"copy-file", "copy-xfs", "copy-tree", "rsync-tree", "launch"} {
		pages[name] = write(t, reported(t, name))
	}
	const short, long = 4000, 5400
	most := map[string]int{"sqlite": long, "mmap": long, "scrub": long}
	for name := range most {
		pages[name] = write(t, recorded(t, name))
	}
	for name, path := range pages {
		for _, size := range sizes {
			b := open(t, path, size[0], size[1])
			b.settle()
			if h := eval[int](b, "document.documentElement.scrollHeight"); h > cmp.Or(most[name], short) {
				t.Errorf("the page of %s is %d pixels long at a width of %d", name, h, size[0])
			}
		}
	}
}

// TestFolded checks what is folded on the page of a copy, that each fold says what is inside, and that a link opens it.
func TestFolded(t *testing.T) {
	b := open(t, write(t, reported(t, "copy-tree")), 1400, 900)
	for _, folded := range []string{"#amounts table", ".observations ul", ".reasons ol", "#words dl",
		"#distributions .plot", "#phases .plot", "#offsets0", "#place0-heat0", "#files table", "#copies table"} {
		if eval[bool](b, fmt.Sprintf("document.querySelector(%q).checkVisibility()", folded)) {
			t.Errorf("%s is shown before anybody asks", folded)
		}
	}
	if n := eval[int](b, "[...document.querySelectorAll('#files tbody tr, .names li')].filter((e) => "+
		"e.checkVisibility() && "+
		"/\\.so\\.|locale/.test(e.innerText)).length"); n > 0 {
		t.Errorf("%d libraries are shown", n)
	}
	if mute := eval[[]string](b, `[...document.querySelectorAll('.folded > .fold > summary, .fold.section > summary')]
		.filter((e) => !e.querySelector('.said') || e.querySelector('.said').innerText.trim().length < 4)
		.map((e) => e.innerText)`); len(mute) > 0 {
		t.Errorf("folds do not say what is inside: %q", mute)
	}
	b.do("document.querySelector('a[href=\"#words\"]').click()")
	if !eval[bool](b, "document.querySelector('#words dl').checkVisibility()") {
		t.Error("a link to what is folded does not unfold it")
	}
	for _, fold := range []string{".place details.fold:not(.desk)", "#distributions details.fold", "#linked > .fold.section"} {
		b.do(fmt.Sprintf("{ const fold = document.querySelector(%q); fold.open = true; fold.scrollIntoView() }", fold))
		b.wait()
		if drawn := eval[[]int](b, fmt.Sprintf(`[...document.querySelector(%q).querySelectorAll('.plot')]
			.map((e) => Math.min(...[...e.querySelectorAll('canvas')].map((c) => c.clientWidth)))`, fold)); len(drawn) < 2 ||
			slices.Min(drawn) < 200 {
			t.Errorf("the charts of %s that was unfolded are so wide: %v", fold, drawn)
		}
	}
}

// TestTelephoneFolds checks that a telephone folds what a desk has room for, and a search opens what it finds.
func TestTelephoneFolds(t *testing.T) {
	path := write(t, reported(t, "copy-tree"))
	for width, want := range map[int64]bool{1400: true, 390: false} {
		b := open(t, path, width, 844)
		if shown := eval[bool](b, "document.getElementById('place0-rate').checkVisibility()"); shown != want {
			t.Errorf("at a width of %d the speed of the calls is shown: %v", width, shown)
		}
		b.do("document.getElementById('find').value = 'img0007'; iotrace.find()")
		b.wait()
		if !eval[bool](b, "document.querySelector('#files table').checkVisibility()") {
			t.Errorf("at a width of %d a search does not unfold the files that it finds", width)
		}
	}
}

// TestThroughputHeading checks that only pages of copies speak of bytes copied.
func TestThroughputHeading(t *testing.T) {
	for name, moved := range map[string]string{"throttled": "copied", "fio-qd8": "moved", "scrub": "moved"} {
		text, err := os.ReadFile(write(t, recorded(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "<h2>Throughput over bytes "+moved+"</h2>") {
			t.Errorf("the page of %s has no throughput over bytes %s", name, moved)
		}
	}
}
