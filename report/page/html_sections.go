package page

import "github.com/iotrace/iotrace/report/chart"

// Charts and lists of a recording that are not over time.

func writeDistributions(w *writer, pg *page) {
	if len(pg.Dists) == 0 {
		return
	}
	w.add(`
<section id="distributions" class="wide`, when(pg.Pictured, ` folded`), `">
  <details class="fold`, open(!pg.Pictured), `><summary><h2>Distributions</h2> <span class="said">`,
		text(chart.Inside(pg.Dists)), `</span></summary>`)
	if !pg.Pictured && pg.ChartMark != "" {
		w.add(`
  <p>`, mark(pg.ChartMark), `</p>`)
	}
	w.add(`
  <p class="note">A bar is the share of operations of about that size or time; each bar is a fifth larger than the one before.`,
		each(pg.Uniform, func(s string) markup { return join(` `, text(s)) }), `</p>
  <div class="cards">`, each(pg.Dists, card), `
  </div>
  </details>
</section>`)
}

// open ends the class of what is folded, but may be open where there is room.
func open(desk bool) markup { return either(desk, ` desk" open`, `"`) }

func writeBeside(w *writer, pg *page) {
	if len(pg.Besides) == 0 {
		return
	}
	w.add(`
<section id="beside" class="wide">
  <h2>Block size and queue depth beside a benchmark</h2>
  <p class="note">A bar is the share of operations of about that size, or of the time with so many in flight. <span class="swatch c-read"></span> this workload, <span class="swatch c-write"></span> the benchmark.</p>
  <div class="cards">`, each(pg.Besides, card), `
  </div>
</section>`)
}

// writeTimes writes what the time went to, by causes and by what the program did.
func writeTimes(w *writer, pg *page) {
	if len(pg.Stack.Rows) == 0 {
		return
	}
	w.add(`
<section id="time">
  <h2>Where the time went`, mark(pg.StackMark), `</h2>
  <p class="note">Every moment until all data was on the drive has one label; the parts add up to the whole.</p>`, stackMarkup(&pg.Stack))
	if len(pg.States.Rows) > 0 {
		w.add(`
  <details class="fold"><summary><h3>What the program and its drives were doing</h3></summary>`, stackMarkup(&pg.States), `</details>`)
	}
	w.add(`
</section>`)
}

func stackMarkup(t *stackTable) markup {
	return join(`
  <div class="stackbar" aria-hidden="true">`, each(t.Rows, func(r stackRow) markup {
		return stretch(r.Color, r.Width, r.Text+": "+r.Time+" ("+r.Share+")")
	}), `</div>
  <table class="stack"><thead class="quiet"><tr><th scope="col">What</th><th scope="col" class="n">Time</th><th scope="col" class="n">Share</th></tr></thead>
  <tbody>`, each(t.Rows, func(r stackRow) markup {
		return join(`<tr`, when(r.Small, ` class="small" hidden`), `><th scope="row"><span class="swatch c-`, text(r.Color),
			`"></span>`, pieces(r.Pieces), `</th><td class="n">`, text(r.Time), `</td><td class="n">`, text(r.Share), `</td></tr>`)
	}), `</tbody></table>`, when(t.Small > 0, join(`<button type="button" class="all-parts">`, text(t.Smaller), `</button>`)))
}

// writePhases writes the speed over the bytes, and its steps.
func writePhases(w *writer, pg *page) {
	table := pg.Tables["phases"]
	if len(pg.Phases) == 0 && len(pg.Steps) == 0 && table == nil {
		return
	}
	inside := chart.Inside(pg.Phases)
	if len(pg.Steps) > 0 {
		inside = pg.Steps[0].Text
	}
	w.add(`
<section id="phases" class="folded">
  <details class="fold"><summary><h2>Throughput over bytes `, either(pg.OfCopy, `copied`, `moved`), `</h2> <span class="said">`, text(inside), `</span></summary>
  <p class="note">Speed over the bytes moved, from the first to the last. A step is named only where a test confirms it, with what the time of the same bytes went to before and after it. What was different beside that is no cause by itself.</p>`)
	if len(pg.Phases) > 0 {
		w.add(`
  <div class="cards">`, each(pg.Phases, func(c *chart.Chart) markup {
			return join(`
    <figure class="card"><figcaption>`, text(c.Title), `</figcaption>`, plot(c), data(c), `</figure>`)
		}), `
  </div>`)
	}
	w.add(each(pg.Steps, func(s stepView) markup {
		return join(`
  <div class="step"><p><strong>`, text(s.Text), `</strong></p>
  <ul>`, each(s.Facts, item), `</ul></div>`)
	}))
	if table != nil {
		writeTable(w, table)
	}
	w.add(`
  </details>
</section>`)
}
