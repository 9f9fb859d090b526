package page

import "github.com/iotrace/iotrace/report/chart"

// writeDiff writes the page of a comparison.
func writeDiff(w *writer, pg *diffPage) {
	writeBar(w, pg.Title)
	timed := len(pg.Places) > 0
	w.add(`
  `, when(timed, `<a class="skip" href="#linked">Skip to the timeline</a>`), `
  <nav aria-label="Sections">`, when(timed, `<a href="#timeline">Timelines</a>`), each(pg.Pairs, func(p diffPair) markup {
		return join(`<a href="#`, text(p.ID), `">`, either(pg.Only != nil, `Details`, text(p.Nav)), `</a>`)
	}), `</nav>`, themeButton, `<section id="summary" class="pair" tabindex="-1">
  <h1><code>`, text(pg.Title), `</code></h1>`)
	if len(pg.Lead) > 0 {
		w.add(`
  <ul class="sentences">`, each(pg.Lead, item), `</ul>`)
	}
	if pg.Only != nil {
		w.add(`<h2 class="unseen">In words</h2>`)
		writeWords(w, pg.Only)
	}
	w.add(`
</section>`)
	for _, t := range []*tableView{pg.Summary, pg.Ranking} {
		if t != nil {
			writeSection(w, t)
		}
	}
	if timed {
		writeTimelines(w, pg)
	}
	for i := range pg.Pairs {
		writePair(w, &pg.Pairs[i], pg.Only != nil)
	}
	w.add("\n")
	writeCharted(w, &pg.chartData)
}

// writeTimelines writes the curves of all sides over one another.
func writeTimelines(w *writer, pg *diffPage) {
	w.add(`
<section id="timeline" class="wide">
  <h2>Timelines</h2>
  <p class="note">`, text(pg.Detail), ` `, how, `</p>
  <p class="legend" aria-label="Colours of the timelines">`, each(pg.Sides, legend), `</p>`, linkedCharts,
		each(pg.Places, func(g chart.Group) markup {
			return join(`
    <div class="place"><h3>`, text(g.Name), `</h3>`, each(g.Charts, row), `</div>`)
		}), endLinked)
}

// writePair writes a comparison of two in detail. The words of the only one stand in the summary.
func writePair(w *writer, p *diffPair, only bool) {
	w.add(`
<section id="`, text(p.ID), `" class="wide pair">
  <h2>`, either(only, `In detail`, text(p.Title)), `</h2>`)
	if !only {
		writeWords(w, p)
	}
	if len(p.Charts) > 0 {
		w.add(`
  <h3>Distributions</h3>
  <p class="note"><span class="swatch c-read"></span>`, text(p.Subject), ` &nbsp; <span class="swatch c-write"></span>`, text(p.Reference), ` <span class="said">(sizes and runs weighed by bytes, depths by time)</span></p>
  <div class="cards">`, each(p.Charts, card), `
  </div>`)
	}
	if len(p.Shares) > 0 {
		w.add(`
  <details class="fold"><summary><h3>Shares</h3> <span class="said">`)
		for i, s := range p.Shares {
			w.add(when(i > 0, `, `), text(s.Title))
		}
		w.add(`</span></summary>
  <div class="shares">`, each(p.Shares, func(s shareBars) markup {
			return join(`<h4>`, text(s.Title), `</h4>`, each(s.Bars, shareMarkup))
		}), `
  </div></details>`)
	}
	w.add(`
  <details class="fold"><summary><h3>`, text(p.Table.Title), `</h3> <span class="said">`, digits(len(p.Table.Rows)), ` rows: both values, their distance, what it leaves of the similarity</span></summary>
  `)
	writeTable(w, p.Table)
	w.add(`</details>
</section>`)
}

func shareMarkup(b shareBar) markup {
	return join(`
    <span class="who" title="`, text(b.Name), `">`, text(b.Name), `</span>
    <div class="stackbar" aria-hidden="true">`,
		each(b.Parts, func(p sharePart) markup { return stretch(p.Color, p.Width, p.Text) }), `</div>
    <span class="said">`, text(b.Text), `</span>`)
}

// writeWords writes what a comparison amounts to.
func writeWords(w *writer, p *diffPair) {
	w.add(given(`
  <p class="detail">`, p.Answer.Text, `</p>`))
	if len(p.Causes) > 0 {
		w.add(`
  <div class="bars" role="group" aria-label="What the time was made of">`, each(p.Causes, causeMarkup), `
  </div>`)
	}
	w.add(each(p.About, func(s string) markup { return join(`<p class="source">`, text(s), `</p>`) }), factList(p.Facts),
		warnings(p.Warnings), each(p.Effects, func(e effectList) markup {
			return join(`
  <h3>`, text(e.Title), `</h3>
  <ul class="sentences">`, each(e.Lines, item), `</ul>`)
		}))
}

func causeMarkup(b causeBar) markup {
	return join(`
    <p><b>`, text(b.Name), `</b> <span class="said">`, text(b.Took), `</span></p>
    <div class="stackbar causes" style="width:`, text(b.Width), `%" aria-hidden="true">`, each(b.Parts, barStretch), `</div>
    <ul class="parts">`, each(b.Parts, barLegend), `</ul>`)
}
