package page

// writeBench writes the page of a benchmark.
func writeBench(w *writer, pg *benchPage) {
	writeHead(w, pg.Title)
	w.add(`
<main>
<section id="summary" tabindex="-1">
  <h1>`, text(pg.Title), `</h1>
  <p class="source">`, text(pg.Source), `</p>
  <ul class="places">`, each(pg.Places, func(p benchPlace) markup {
		return placeMarkup(p, given(` <span class="said">`, p.About, `</span>`))
	}), `</ul>`, warnings(pg.Warnings))
	if pg.Overview == nil {
		w.add(`
  <p class="note">`, dotsLegend, `</p>`)
	}
	w.add(each(pg.Tips, func(s string) markup { return join(`<p class="note">`, text(s), `.</p>`) }), `
</section>`)
	if pg.Overview != nil {
		w.add(`
<section class="wide bench" id="overview-of-all"><h2>Overview</h2>
<p class="note">`, given("", pg.Suite, `. `), `Median of each step, logarithmic. A name leads to its numbers.</p>
<div class="plots">`, figure("", pg.Overview), `</div></section>`)
	}
	if len(pg.Curves) > 0 {
		w.add(`
<section class="wide bench"><h2>Curves</h2>
<p class="note">Steps that differ in one thing: the median of each.</p>
<div class="plots">`, each(pg.Curves, courseMarkup), `</div></section>`)
	}
	if pg.Overview != nil {
		w.add(`
<section class="wide bench"><h2>Every step</h2><p class="note">`, dotsLegend, `</p></section>`)
	}
	for _, p := range pg.Patterns {
		writePattern(w, p, pg.Overview != nil)
	}
	writeFoot(w, ` 1 MB is 10<sup>6</sup> bytes.`)
}

// placeMarkup is a place in the list of all.
func placeMarkup(p benchPlace, about markup) markup {
	return join(`<li><i class="swatch c-`, text(p.Color), `"></i> <strong>`, text(p.Name), `</strong>`, about, `</li>`)
}

// warnings are those of a page without numbers for them.
func warnings(list []string) markup {
	if len(list) == 0 {
		return ""
	}
	return join(`
  <div class="warnings" role="note" aria-label="Warnings"><ul>`, each(list, item), `</ul></div>`)
}

// writePattern writes what all steps of a pattern gave. Below an overview it is folded.
func writePattern(w *writer, p benchPattern, folded bool) {
	if folded {
		w.add(`
<section class="wide bench folded"><details class="fold"><summary><h2>`, text(p.Name), `</h2> <span class="said">`, text(p.Title), `</span></summary>
<div id="`, text(p.ID), `">`, given(`<p class="note">`, p.About, `</p>`))
	} else {
		w.add(`
<section class="wide bench"><h2>`, text(p.Name), `</h2>
  <p class="note">`, text(p.Title), given(`. `, p.About, ""), `</p>`)
	}
	w.add(each(p.Scores, paragraph))
	for _, s := range p.Steps {
		w.add(`
  <h3>`, text(s.Name), `</h3>
  <div class="plots">`, figure(`<figcaption>Speed</figcaption>`, s.Speed), figure(`<figcaption>Latency</figcaption>`, s.Latency))
		if s.Course != nil {
			w.add(courseMarkup(s.Course))
		}
		w.add(each(s.Sizes, courseMarkup), `
  </div>
  `, placesMarkup(&s.Table), each(s.Warnings, func(s string) markup {
			return join(`<p class="note"><span class="mark">!</span> `, text(s), `</p>`)
		}))
	}
	w.add(when(folded, `</div></details>`), `</section>`)
}
