package browsertest

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestPlainExports checks that pages which are drawn without a script have buttons at each table and each picture, and
// what these make: all rows and cells, and one drawing with all shapes and words.
func TestPlainExports(t *testing.T) {
	paths := everyPage(t)
	for _, name := range []string{"gap", "whatif", "bench", "review"} {
		b := open(t, paths[name], 1280, 900)
		b.do("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
		const pictures = "[...document.querySelectorAll('.plots figure, .waterfall')]"
		got := eval[[]int](b, `[document.querySelectorAll('.scroll > table').length,
			document.querySelectorAll('.saves[aria-label="Save the table"]').length, `+pictures+`.length,
			document.querySelectorAll('.saves[aria-label="Save the picture"]').length]`)
		if got[0] != got[1] || got[2] != got[3] || got[2] == 0 {
			t.Errorf("%s: %d tables with %d groups of buttons, %d pictures with %d", name, got[0], got[1], got[2], got[3])
		}
		if n := eval[int](b, `[...document.querySelectorAll('.scroll > table')].filter((e) => {
			const rows = saving.cellsOf(e);
			return rows.length !== e.rows.length || rows.some((r) => r.length !== rows[0].length) || !rows[0][0];
		}).length`); n > 0 {
			t.Errorf("%s: %d tables are saved without some of their cells", name, n)
		}
		lacking := eval[[]string](b, pictures+`.map((e) => {
			const doc = new DOMParser().parseFromString(saving.pictureOf(e), 'image/svg+xml');
			const shapes = (of) => of.querySelectorAll('rect, circle, line, polyline, path').length;
			const words = (e.innerText.match(/[0-9.]+/g) || []).find((w) => !doc.documentElement.textContent.includes(w));
			const cut = [...e.querySelectorAll('svg')].filter((s) => getComputedStyle(s).overflow === 'visible').length -
				doc.querySelectorAll('svg > svg[overflow=visible], svg > g > svg[overflow=visible]').length;
			return cut ? cut + ' drawings are cut' : doc.querySelector('parsererror') ? 'broken' : shapes(doc) !== shapes(e) + 1 ? 'shapes' : words || '';
		}).filter(Boolean)`)
		if len(lacking) > 0 {
			t.Errorf("%s: pictures lack %q", name, lacking)
		}
		data := eval[string](b, "saving.painted(saving.pictureOf("+pictures+"[0]))", awaited)
		png, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(data, "data:image/png;base64,"))
		if err != nil || len(png) < 1000 {
			t.Errorf("%s: the PNG has %d bytes, %v", name, len(png), err)
		}
	}
}
