package page

// writeReview writes the page of a review, and of a sustained run.
func writeReview(w *writer, pg *reviewPage) {
	writeHead(w, pg.Title)
	w.add(`
<main>
<section id="summary" tabindex="-1">
  <h1>`, text(pg.Title), `</h1>
  <p class="source">`, text(pg.Source), `</p>
  <ul class="places">`, each(pg.Places, func(p benchPlace) markup {
		return placeMarkup(p, join(` <span class="said">`, text(p.About), `</span>`))
	}), `</ul>`)
	if pg.Interrupted {
		w.add(warnings([]string{"The review was interrupted; what had been measured is shown."}))
	}
	w.add(each(pg.Conditions, func(s string) markup { return join(`<p class="note">`, text(s), `</p>`) }))
	if len(pg.Table.Columns) > 1 {
		w.add(`
  `, placesMarkup(&pg.Table), `
  <p class="note">`, text(pg.Legend), ` In the plots: a diamond for the median, a line for its interval, a dot for each run.</p>`)
	}
	w.add(`
</section>`)
	for _, t := range pg.Tasks {
		w.add(`
<section class="wide bench">
  <h2>`, text(t.Name), `</h2>
  <p>`, text(t.Said), `</p>`)
		if t.Plot != nil {
			w.add(`<div class="plots">`, figure("", t.Plot), `</div>`)
		}
		w.add(`
</section>`)
	}
	for _, c := range pg.Curves {
		w.add(`
<section class="wide bench">
  <h2>`, text(c.Title), `</h2>
  <p class="note">`, text(c.About), `. A line for each volume, as coloured above; upright lines are intervals.</p>
  <div class="plots">`, each(c.Charts, courseMarkup), `</div>`, each(c.Notes, paragraph), `
</section>`)
	}
	writeFoot(w, ` 1 MB is 10<sup>6</sup> bytes.`)
}
