package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
)

// TestNoPageOverflows checks that pages of every kind fit a telephone, folded and unfolded.
func TestNoPageOverflows(t *testing.T) {
	paths := everyPage(t)
	paths["pattern"] = againstPattern(t)
	for _, name := range []string{"sqlite", "launch", "mac"} {
		paths[name] = write(t, recorded(t, name))
	}
	long := stored(t, "copy")
	long.Charts.Pipeline = nil
	for i := range long.TimeStack.Slices {
		long.TimeStack.Slices[i].Text = "blocked in a call: a lock, the file system's journal, a pipe"
	}
	paths["long labels"] = write(t, long)
	for name, path := range paths {
		b := open(t, path, 390, 844)
		b.do("if (window.iotrace) iotrace.drawAll()")
		for _, state := range []string{"folded", "unfolded"} {
			if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
				t.Errorf("%s, %s, is %d pixels wide: %s", name, state, w, eval[string](b, `[...document.querySelectorAll('body *')]
					.filter((e) => e.checkVisibility() && !e.closest('.scroll, nav, .overlay, #axis') &&
						e.getBoundingClientRect().right > 391).map((e) => e.outerHTML.slice(0, 90)).slice(0, 4).join(' | ')`))
			}
			b.do("document.querySelectorAll('details:not(.data)').forEach((d) => { d.open = true; })")
		}
	}
}

// againstPattern is a page that compares a recording with a pattern, which has no time.
func againstPattern(t *testing.T) string {
	pattern := &baseline.Catalogue()[0]
	d := &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(compare.FromProfile("copy.iotrace",
		stored(t, "copy")),
		compare.FromPattern(pattern))}}
	path := filepath.Join(t.TempDir(), "pattern.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := page.Diff(f, d); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDiffAgainstPattern opens a page without charts over time: nothing throws, whatever is done.
func TestDiffAgainstPattern(t *testing.T) { onScreens(t, diffAgainstPattern) }

func diffAgainstPattern(t *testing.T, s screen) {
	b := s.open(t, againstPattern(t))
	b.do("iotrace.drawAll(); scrollTo(0, 1e6)")
	b.do("dispatchEvent(new Event('resize')); document.getElementById('theme').click()")
	for _, key := range []string{"+", "0", "/", "?", "Escape", "Enter"} {
		b.do(fmt.Sprintf("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: %q, bubbles: true }))", key))
	}
}

// TestPrintIsPaintedAtOnce checks that every bar is there when the browser takes the page to print:
// it waits for no frame.
func TestPrintIsPaintedAtOnce(t *testing.T) { onScreens(t, printIsPaintedAtOnce) }

func printIsPaintedAtOnce(t *testing.T, s screen) {
	b := s.open(t, write(t, stored(t, "copy")))
	drawings(b)
	cut := eval[[]string](b, `(async () => {
		const pictures = () => new Map([...iotrace.drawn.values()].map((e) => [e.id,
			e.plot.querySelector('canvas').toDataURL()]));
		dispatchEvent(new Event('beforeprint'));
		const printed = pictures();
		await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
		const later = pictures(), out = [...printed.keys()].filter((id) => printed.get(id) !== later.get(id));
		dispatchEvent(new Event('afterprint'));
		return out;
	})()`, awaited)
	if len(cut) > 0 {
		t.Errorf("a frame later these look otherwise: %v", cut)
	}
}

// TestSumsOfWhatSpansTheWindow looks at a stretch within one long call: it is counted, with its part of the bytes.
func TestSumsOfWhatSpansTheWindow(t *testing.T) { onScreens(t, sumsOfWhatSpansTheWindow) }

func sumsOfWhatSpansTheWindow(t *testing.T, s screen) {
	p := recorded(t, "cp")
	c := &p.Copies[0]
	b := s.open(t, write(t, p))
	b.do(fmt.Sprintf("%s; iotrace.show(%d, %d)", unfold, c.StartNS+c.WallNS/4, c.StartNS+c.WallNS/2))
	eval[bool](b, "new Promise((r) => setTimeout(() => r(true), 400))", awaited)
	got := eval[[]string](b, "[...document.querySelectorAll('#selection .list tbody tr')]"+
		".map((r) => [...r.cells].map((c) => c.innerText)).find((r) => r[0].startsWith('cp'))")
	if len(got) < 5 || got[1] == "0" || got[3] != "4.19 MB" || got[4] != "4.19 MB" {
		t.Errorf("a quarter of the copying of %d bytes says %q", c.Bytes, got)
	}
}
