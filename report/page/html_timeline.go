package page

import "github.com/iotrace/iotrace/report/chart"

// What is drawn over time: the picture of the first screen, lanes, and the charts below them.

// linkedCharts begins what is zoomed together.
const linkedCharts markup = `
  <div class="linked" id="linked" tabindex="0" role="group" aria-label="Charts over time. Plus and minus zoom, arrow keys move, 0 shows everything.">
    <div class="ruler">
      <div class="tools" role="toolbar" aria-label="Zoom">
        <button type="button" data-do="in" title="Zoom in (+)" aria-label="Zoom in">+</button>
        <button type="button" data-do="out" title="Zoom out (−)" aria-label="Zoom out">−</button>
        <button type="button" data-do="left" title="Earlier (←)" aria-label="Earlier">←</button>
        <button type="button" data-do="right" title="Later (→)" aria-label="Later">→</button>
        <button type="button" data-do="all" title="Everything (0)">All</button>
        <output id="window" aria-live="polite"></output>
      </div>
      <div class="overview plot" id="overview" aria-hidden="true"></div>
      <div class="hint"><button type="button" data-do="select" aria-pressed="false" title="Drags select a stretch and leave the window; so does Shift">Select</button> <button type="button" data-do="help" title="Keys (?)" aria-label="Keys">?</button> <span id="level"></span></div>
      <div class="axis plot" id="axis" aria-hidden="true"></div>
    </div>`

const endLinked markup = `
    <div class="overlay" id="overlay" aria-hidden="true"></div>
  </div>
</section>`

const how markup = `<span class="how">Drag to zoom, double-click to reset (? for keys).</span>`

func writeTimeline(w *writer, pg *page) {
	if !pg.timed() {
		return
	}
	title, note := text("Timeline"), markup("")
	if pg.Picture != nil {
		title, note = text(pg.Picture.Title), join(text(pg.Picture.Note), ` `)
	}
	w.add(`
<section id="timeline" class="wide">
  <h2>`, title, mark(pg.ChartMark), `</h2>
  <p class="note">`, note, how, `</p>`, linkedCharts)
	if pg.Picture != nil {
		writePicture(w, pg.Picture)
	}
	w.add(`
    <div class="cover">`)
	writeAnswer(w, pg)
	w.add(`</div>`)
	if len(pg.Lanes) > 0 {
		w.add(`
    <div class="cover"><h3 title="`, text(pg.Detail), `">Who was busy</h3></div>`, each(pg.Lanes, lanes), `
    <p class="legend" aria-label="Colours of the timeline">`, each(pg.Classes, legend), `</p>`, sumsOfWindow)
	}
	for _, s := range pg.Linked {
		writeLinked(w, s)
	}
	w.add(endLinked)
}

// legend is a colour and what it stands for.
func legend(c chart.Class) markup {
	return join(`<span><i class="swatch c-`, text(c.Color), `"></i>`, text(c.Text), `</span>`)
}

func writePicture(w *writer, p *chart.Picture) {
	w.add(`
    <div class="picture">`, each(p.Charts, func(c *chart.Chart) markup {
		return join(`
    <div class="row">
      <div class="gutter"><h3>`, text(c.Title), `</h3>`, readout(c), `</div>
      `, plot(c), `
      `, data(c), `
    </div>`)
	}), each(p.Lanes, lanes), `
    </div>`)
}

// sumsOfWindow are filled by the script.
const sumsOfWindow markup = `
    <div class="cover" id="selection"><details class="fold" id="window-sums"><summary><h3>In this window</h3></summary>
    <p class="note" id="window-note"></p>
    <div class="scroll" tabindex="0" role="group" aria-label="Sums of the window"><table class="list"><thead></thead><tbody></tbody></table></div>
    <details id="events"><summary>List of events</summary><p class="note"></p>
    <div class="scroll" tabindex="0" role="group" aria-label="Events of the window"><table class="list"><thead></thead><tbody></tbody></table></div>
    <button type="button" class="more" hidden>Show more</button></details></details></div>`

func writeLinked(w *writer, s chart.Section) {
	if s.Folded {
		w.add(`
    <details class="fold section"><summary><h2 id="`, text(s.ID), `">`, text(s.Title), `</h2> <span class="said">`, text(s.Inside()), `</span></summary>
    <div class="cover"><p class="note">`, text(s.Note), `</p></div>`, each(s.Groups, place), `</details>`)
		return
	}
	if s.Title != "" {
		w.add(`
    <div class="cover"><h2 id="`, text(s.ID), `">`, text(s.Title), `</h2>
    <p class="note">`, text(s.Note), `</p></div>`)
	}
	w.add(each(s.First(), place))
	if rest := s.Rest(); len(rest) > 0 {
		w.add(`
    <details class="fold"><summary>`, text(s.More()), `</summary>`, each(rest, place), `</details>`)
	}
}

// place is the charts of a layer, a device or a file.
func place(g chart.Group) markup {
	title := join(`<h3>`, text(g.Name), `</h3>`)
	if g.Desk {
		title = join(`<details class="fold desk" open><summary>`, title, ` <span class="said">`, text(g.Inside()), `</span></summary>`)
	}
	folded := g.Folded()
	return join(`
    <div class="place">`, title, each(g.Shown(), row), when(len(folded) > 0, join(
		`<details class="fold"><summary>`, text(chart.Inside(folded)), `</summary>`, each(folded, row), `</details>`)),
		when(g.Desk, `</details>`), `</div>`)
}

// row is a chart beside its name.
func row(c *chart.Chart) markup {
	return join(`
<div class="row">
  <div class="gutter"><h4>`, text(c.Title), `</h4>`, given(`<span class="unit">`, c.Note, `</span>`), readout(c), `</div>
  `, plot(c), `
  `, data(c), `
</div>`)
}

// lanes are those of one kind.
func lanes(g chart.LaneGroup) markup {
	var names writer
	for i, name := range g.Names {
		names.add(`<li title="`, text(name), `"`, when(i >= g.Chart.First, ` hidden`), `><bdi>`, text(name), `</bdi></li>`)
	}
	id := text(g.Chart.ID)
	return join(`
    <div class="row lanes">
      <div class="gutter"><h3>`, text(g.Title), `</h3>`, when(len(g.Names) > 1,
		join(`<details class="choose" data-chart="`, id, `"><summary>Lanes</summary><div></div></details>`)), `</div>
      <div class="rest"></div>
      <ul class="gutter names" style="--lane:`, digits(g.Chart.Lane), `px">`, markup(names.String()), `</ul>
      `, plot(g.Chart), when(g.More() != 0, join(
		`<div class="gutter"><button type="button" class="more-lanes" data-chart="`, id, `">`, digits(g.More()), ` more</button></div><div></div>`)), `
      `, data(g.Chart), `
    </div>`)
}

// card is a chart that is not over time.
func card(c *chart.Chart) markup {
	return join(`
    <figure class="card"><figcaption>`, text(c.Title), `</figcaption>`, plot(c), `<p class="said">`, text(c.Words()), `</p>`, data(c), `</figure>`)
}

// plot is where a chart is drawn, readout where its values are shown, and data its table.
func plot(c *chart.Chart) markup {
	return join(`<div class="plot" id="`, text(c.ID), `" role="img" aria-label="`, text(c.Summary), `" style="height:`, digits(c.Height), `px"></div>`)
}

func readout(c *chart.Chart) markup {
	return join(`<div class="readout" data-chart="`, text(c.ID), `"></div>`)
}

func data(c *chart.Chart) markup {
	return join(`<details class="data" data-chart="`, text(c.ID), `"><summary>Data</summary></details>`)
}
