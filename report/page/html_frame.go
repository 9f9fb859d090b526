package page

// What every page begins and ends with.

// policy lets the browser run what the page names by its hashes alone; seal fills them in.
const policy markup = `
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src style-hashes; script-src ` +
	`script-hashes; img-src data:; base-uri 'none'; form-action 'none'">
`

// writeHead begins a page without charts.
func writeHead(w *writer, title string) {
	writeBar(w, title)
	w.add(`<span class="room"></span>
  <label class="switch"><input type="checkbox" id="theme"><span class="dark">Dark</span><span class="light">Light</span></label>
</header>`)
}

// writeBar begins a page, up to its bar: one with charts fills that itself.
func writeBar(w *writer, title string) {
	w.add(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">`, policy, `<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>`, text(title), ` · iotrace</title>
<style>
`, assetFor(w, "page.css"), `
</style>
</head>
<body>
<a class="skip" href="#summary">Skip to the summary</a>
<header class="bar">
  <span class="brand">iotrace</span>`)
}

// writeFoot ends a page without charts; told is what its numbers are in.
func writeFoot(w *writer, told markup) {
	w.add(`
</main>
<footer><p>This page works offline and sends nothing anywhere.`, told, `</p></footer>
<script>`, assetFor(w, "plain.js"), `</script>
</body>
</html>
`)
}

// themeButton is in the bar of a page with charts.
const themeButton markup = `
  <button id="theme" type="button" aria-pressed="false" title="Switch between light and dark">Dark</button>
</header>
<main>
`

// writeCharted ends a page with charts.
func writeCharted(w *writer, c *chartData) {
	w.add(`</main>
<footer><p>This page works offline and sends nothing anywhere. Charts by `, text(licence), `</p></footer>
<div id="tip" role="status" hidden></div>
`, kept, `
<script type="application/json" id="data"`, when(c.Packed, " data-packed"), ">", c.JSON, `</script>
<script>`, assetFor(w, "echarts.simple.min.js"), `</script>
<script>`, assetFor(w, "report.js"), `</script>
</body>
</html>
`)
}

// kept is where the details of a point are kept, and what the keys do.
const kept markup = `<div id="kept" role="group" aria-label="Details" hidden></div>
<dialog id="keys" aria-label="Keys"><h2>Keys</h2><table><tbody>
<tr><th scope="row">+ −</th><td>zoom; so does Ctrl with the wheel, or a pinch</td></tr>
<tr><th scope="row">← →</th><td>earlier, later; so does Shift with the wheel, or a finger</td></tr>
<tr><th scope="row">0</th><td>everything; so does a double-click</td></tr>
<tr><th scope="row">drag</th><td>zoom into a stretch; with Shift select it: its sums are shown</td></tr>
<tr><th scope="row">s, z</th><td>select what is shown; zoom to what is selected</td></tr>
<tr><th scope="row">click</th><td>keep the details of what is under the pointer</td></tr>
<tr><th scope="row">/, Enter</th><td>search; the next hit, with Shift the one before</td></tr>
<tr><th scope="row">Esc</th><td>close details, end the selection or the search</td></tr>
<tr><th scope="row">Alt ←, Alt →</th><td>undo and redo what was shown: back and forward</td></tr>
</tbody></table><form method="dialog"><button>Close</button></form></dialog>`
