package page

// writeWhatif writes the page of what a workload would have taken.
func writeWhatif(w *writer, pg whatifPage) {
	writeHead(w, pg.Title)
	w.add(`
<main>
<section id="summary" tabindex="-1">
  <h1><code>`, text(pg.Command), `</code></h1>
  <p class="times">Recorded: `, text(pg.Took), `</p>`, given(`<p class="bottleneck">Shortest: `, pg.Best, `</p>`),
		given(`<p class="note">No effect: `, pg.Idle, `.</p>`), `
</section>
<section class="wide bench">
  <h2>What if</h2>
  <p class="note">Time until all data was durable. A diamond is the estimate, a line where the true time is likely to lie. Simulated from the recording: nothing was run.</p>
  <div class="plots">`, figure("", pg.Plot), `</div>
</section>`)
	if pg.Table != nil && len(pg.Table.Rows) > 0 {
		writeSection(w, pg.Table)
	}
	if len(pg.Assumptions) > 0 {
		w.add(`
<section class="wide"><h2>Assumptions</h2><ol>`, each(pg.Assumptions, item), `</ol></section>`)
	}
	writeFoot(w, "")
}
