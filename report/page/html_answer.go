package page

import "strings"

// What the first screen says in words, and what that rests on.

// writeSummary writes the first screen, but for its picture.
func writeSummary(w *writer, pg *page) {
	w.add(`<section id="summary" tabindex="-1">
  <h1><code>`, each(pg.Words, func(word string) markup { return join(`<span>`, text(word), `</span> `) }), `</code></h1>
  <p class="source">`, text(pg.Source), `</p>`, each(pg.Incident, func(line string) markup {
		return join(`
  <p class="trigger">`, text(line), `</p>`)
	}))
	if len(pg.Bottleneck) > 0 {
		w.add(`
  <p class="bottleneck"><span class="label">Bottleneck:</span> `, pieces(pg.Bottleneck), `</p>`)
		if len(pg.Seen) > 0 {
			w.add(`
  <p class="detail">`, pieces(pg.Seen), `</p>`)
		}
	}
	if len(pg.Times) > 0 {
		w.add(`
  <p class="times">`, pieces(pg.Times), `</p>`)
	}
	if len(pg.Bar) > 0 {
		w.add(`
  <div class="stackbar causes" aria-hidden="true">`, each(pg.Bar, barStretch), `</div>
  <ul class="parts">`, each(pg.Bar, barLegend), `</ul>`)
	}
	if len(pg.Data.Charts) == 0 {
		writeAnswer(w, pg)
	}
	w.add(`
</section>`)
}

// barStretch is a part in its bar, barLegend what it is.
func barStretch(p barPart) markup { return stretch(p.Color, p.Width, p.Name+": "+p.Share) }

func barLegend(p barPart) markup {
	return join(`<li><span class="swatch c-`, text(p.Color), `"></span>`, text(p.Name), ` `, text(p.Share), `</li>`)
}

// stretch is a part of a bar, of a width in percent.
func stretch(color, width, title string) markup {
	return join(`<span class="c-`, text(color), `" style="width:`, text(width), `%" title="`, text(title), `"></span>`)
}

func paragraph(s string) markup { return join(`<p>`, text(s), `</p>`) }
func item(s string) markup      { return join(`<li>`, text(s), `</li>`) }

// pieces are a sentence, in which words are explained.
func pieces(list []piece) markup {
	return each(list, func(p piece) markup {
		if p.Word == nil {
			return text(p.Text)
		}
		return join(`<a class="term" href="#word-`, text(p.Word.ID), `" title="`, text(p.Word.Term), `: `,
			text(p.Word.Meaning), `">`, text(p.Text), `</a>`)
	})
}

// mark leads to the first warning of a mark, if there is one: "!3,5" to the third.
func mark(s string) markup {
	if s == "" {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(s, "!"), ",")
	return join(` <a class="mark" href="#w`, text(first), `">`, text(s), `</a>`)
}

// writeAnswer writes what the recording amounts to.
func writeAnswer(w *writer, pg *page) {
	w.add(given(`
  <details class="reasons"><summary>Whole command</summary><p><code>`, pg.Whole, `</code></p></details>`))
	if len(pg.Answer) > 0 {
		w.add(`
  <dl class="answer">`, each(pg.Answer, func(l answerLine) markup {
			return join(`<div><dt>`, text(l.Label), `</dt><dd>`, pieces(l.Text), `</dd></div>`)
		}), `</dl>`)
	}
	if len(pg.Warnings) > 0 {
		w.add(`
  <div class="warnings" role="note" aria-label="Warnings">
    <h2>Warnings</h2>
    <ol>`, each(pg.Warnings, func(x warning) markup {
			return join(`<li id="w`, digits(x.Number), `"><span class="mark">!`, digits(x.Number), `</span> `, text(x.Text), `</li>`)
		}), `</ol>
  </div>`)
	}
	writeReasons(w, pg.Reasons)
	writeObservations(w, pg)
}

// writeReasons writes what the verdict rests on.
func writeReasons(w *writer, list []reason) {
	if len(list) == 0 {
		return
	}
	w.add(`
  <details class="reasons"><summary>Evidence</summary>
  <ol>`)
	for _, r := range list {
		w.add(`
    <li><p><b>`, text(r.Share), ` `, text(r.Name), `</b> <span class="sure">(`, text(r.Sure), `)</span>`,
			when(r.Lit, join(` <button type="button" class="light" data-lit="`, digits(r.Index), `" aria-pressed="false">Show when</button>`)), `</p>
    <p>`, text(r.Text), `.</p>`, evidence(r.Evidence),
			given(`<p>To find out more: <code>`, r.Experiment, `</code></p>`), `</li>`)
	}
	w.add(`
  </ol></details>`)
}

// evidence are numbers of the profile, with where they stand there.
func evidence(list []number) markup {
	if len(list) == 0 {
		return ""
	}
	return join(`<ul>`, each(list, func(n number) markup {
		return join(`<li title="`, text(n.Pointer), `">`, text(n.Where), `: <b>`, text(n.Value), `</b></li>`)
	}), `</ul>`)
}

// facts are a list of large numbers.
func factList(list []fact) markup {
	return join(`
  <dl class="facts">`, each(list, func(f fact) markup {
		return join(`
    <div><dt>`, text(f.Name), `</dt><dd>`, text(f.Value), `</dd><dd class="more">`, text(f.More), `</dd></div>`)
	}), `
  </dl>`)
}

func writeObservations(w *writer, pg *page) {
	if len(pg.Sentences) == 0 && len(pg.Facts) == 0 {
		return
	}
	w.add(`
  <details class="reasons observations"><summary>Observations</summary>`, factList(pg.Facts), `
  <ul class="sentences">`)
	for _, s := range pg.Sentences {
		w.add(`
    <li>`, pieces(s.Text), mark(s.Mark), ` <a class="jump" href="`, text(s.Link), `">numbers</a>`)
		if len(s.Evidence) > 0 {
			w.add(`<details><summary>evidence</summary>`, evidence(s.Evidence), `</details>`)
		}
		w.add(`</li>`)
	}
	w.add(`
  </ul></details>`)
}
