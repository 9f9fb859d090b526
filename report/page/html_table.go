package page

import (
	"cmp"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/table"
)

// writeSection writes a table with its heading.
func writeSection(w *writer, t *tableView) {
	folds := t.Folded || t.Desk
	w.add(`
<section id="`, text(t.ID), `" class="wide`)
	if folds {
		w.add(when(t.Folded, ` folded`), `"><details class="fold`, open(!t.Folded), `><summary><h2>`, text(t.Title),
			`</h2> <span class="said">`, text(t.Inside), `</span></summary>`)
		if t.Mark != "" {
			w.add(`<p>`, mark(t.Mark), `</p>`)
		}
	} else {
		w.add(`"><h2>`, text(t.Title), mark(t.Mark), `</h2>`)
	}
	writeTable(w, t)
	w.add(when(folds, `</details>`), `</section>`)
}

// writeTable writes a table by itself.
func writeTable(w *writer, t *tableView) {
	rest, err := t.Rest()
	if err != nil {
		w.fail(err)
	}
	w.add(given(`<p class="note">`, t.Note, `</p>`), `
<div class="scroll" tabindex="0" role="group" aria-label="`, text(t.Title), `"`, when(t.Found, ` data-found`),
		given(` data-rest="`, rest, `"`), `><table class="list">
<thead><tr>`, each(t.Head, headMarkup), `</tr></thead>
<tbody>`)
	for _, cells := range t.Rows[:min(len(t.Rows), t.First)] {
		w.add(`<tr>`, each(cells, cellMarkup), `</tr>
`)
	}
	w.add(`</tbody></table></div>`)
	if t.First < len(t.Rows) {
		w.add(`<button type="button" class="all">Show all `, text(unit.Count(int64(len(t.Rows)))), ` rows</button>`)
	}
	w.add(given(`<p class="note">`, t.More, `</p>`))
}

func headMarkup(h headView) markup {
	title := join(`<span class="unseen">`, text(cmp.Or(h.Help, "further")), `</span>`)
	if h.Sorts {
		title = join(`<button type="button" class="sort">`, text(h.Title), `</button>`)
	}
	return join(`<th scope="col"`, when(!h.Left, ` class="n"`), given(` title="`, h.Help, `"`), `>`, title, `</th>`)
}

func cellMarkup(c cellView) markup {
	class := when(!c.Left, ` class="n"`)
	switch {
	case c.Name:
		class = join(` class="name`, when(c.Prose, ` prose`), `"`)
	case c.None:
		class = ` class="n none"`
	}
	shown := text(c.Text)
	if c.Name {
		shown = join(`<bdi>`, shown, `</bdi>`, mark(c.Mark))
	}
	return join(`<td`, class, given(` data-v="`, c.Value, `"`), given(` title="`, c.Full, `"`), `>`, shown, `</td>`)
}

// placesMarkup is a table of places by itself.
func placesMarkup(t *placesTable) markup {
	var rows writer
	for i, p := range t.Places {
		rows.add(`<tr><td class="name"><i class="swatch c-`, text(p.Color), `"></i> <bdi>`, text(p.Name), `</bdi></td>`)
		for _, c := range t.Columns[1:] {
			below := ""
			if c.Below != nil {
				below = c.Below[i]
			}
			rows.add(`<td`, when(!c.Left, ` class="n"`), `>`, text(c.Cells[i]), given(`<br><small>`, below, `</small>`), `</td>`)
		}
		rows.add(`</tr>`)
	}
	return join(`<div class="scroll" tabindex="0" role="group" aria-label="`, text(t.Title), `"><table class="list">
  <thead><tr>`, each(t.Columns, func(c table.Column) markup {
		return join(`<th scope="col"`, when(!c.Left, ` class="n"`), `>`, text(c.Title), `</th>`)
	}), `</tr></thead>
  <tbody>`, markup(rows.String()), `</tbody></table></div>`)
}
