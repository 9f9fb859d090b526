package page

import (
	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/unit"
)

// writeGap writes the page of why a workload is slower than a benchmark.
func writeGap(w *writer, pg *gapPage) {
	writeHead(w, pg.Title)
	w.add(`
<main class="gap">
<section id="summary" tabindex="-1">
  <h1>`, text(pg.Title), `</h1>`, given(`<p class="source">`, pg.Workload, `</p>`), `
  <p class="detail">`, text(pg.Answer), `</p>`)
	if len(pg.Parts) > 0 {
		w.add(`
  <h2>Where the time went</h2>
  <div class="stackbar causes" aria-hidden="true">`, each(pg.Parts, barStretch), `</div>
  <dl class="answer causes">`)
		for i, c := range pg.Causes {
			w.add(`
    <div><dt><span class="swatch c-`, text(pg.Parts[i].Color), `"></span>`, text(c.Name), `</dt><dd>`, text(c.Share), given(`: `, c.Text, ""), `</dd></div>`)
		}
		w.add(`
  </dl>`)
	}
	if len(pg.Refusals) > 0 {
		w.add(`
  <div class="warnings" role="note" aria-label="Warnings"><h2>Not ranked</h2>`, each(pg.Refusals, paragraph), `</div>`)
	}
	w.add(`
</section>`)
	if len(pg.Bars) > 0 {
		writeWaterfall(w, pg)
	}
	if len(pg.Bounds) > 0 {
		writeBounds(w, pg)
	}
	if len(pg.Differences) > 0 {
		w.add(`
<section><h2>What differs</h2>`, plain("What differs", heads("what", "benchmark", "workload", "of the recorded time"), "\n",
			each(pg.Differences, func(r gapRow) markup {
				return join(`<tr>`, cell(r.Name), cell(r.Benchmark), cell(r.Workload), cell(r.Recorded), `</tr>`)
			})), `</section>`)
	}
	writeFoot(w, ` 1 GB is 10<sup>9</sup> bytes.`)
}

// writeWaterfall writes the differences, from the benchmark down to the recording.
func writeWaterfall(w *writer, pg *gapPage) {
	var grid, axis writer
	for i, t := range pg.Ticks {
		x := text(percents(t.X))
		grid.add(`<line class="grid" x1="`, x, `" x2="`, x, `" y1="0" y2="30"/>`)
		axis.add(tick(pg.Spare(i), x), `" y="14" text-anchor="middle">`, text(t.Text), `</text>`)
	}
	w.add(`
<section>
  <h2>What each difference costs</h2>
  <p class="note">Time for each GB, from the benchmark down to the recording. `, text(pg.Note), `</p>
  <div class="waterfall" role="img" aria-label="`, text(pg.Summary), `">`)
	for _, b := range pg.Bars {
		link := text(percents(b.Link))
		w.add(`
  <span>`, text(b.Name), `</span><svg height="30"><title>`, text(b.Name), `: `, text(b.Value), ` per GB; `, text(b.Detail), ` `, text(b.Interval), ` `, text(b.Verdict), `</title>`,
			markup(grid.String()), when(b.Next, join(`<line class="link" x1="`, link, `" x2="`, link, `" y1="25" y2="30"/>`)), `
  <rect class="`, text(b.Class), `" x="`, text(percents(b.X)), `" y="5" width="`, text(percents(b.W)), `" height="20" rx="2"/>`,
			when(b.Low != b.High, whisker(percents(b.Low), percents(b.High), 15)),
			`</svg><span class="n">`, text(b.Value), `</span><span class="muted">`, text(b.Verdict), `</span>`)
	}
	w.add(`
  <span></span><svg height="20">`, markup(axis.String()), `</svg><span></span><span></span></div>
  `, plain("What each difference costs", join(heads("difference", "benchmark → workload"), numberHead("time per GB"),
		heads("95 % interval", "how sure", "of the recorded time")), "\n  ", each(pg.Bars, func(b gapBar) markup {
		return join(`<tr>`, cell(b.Name), cell(b.Detail), numberCell(b.Value), cell(b.Interval), cell(b.Verdict), cell(b.Recorded), `</tr>`)
	})), each(pg.Together, func(s string) markup { return join(`<p class="note">`, text(s), `.</p>`) }), `
</section>`)
}

// writeBounds writes the speeds at best, with what was measured beside them.
func writeBounds(w *writer, pg *gapPage) {
	w.add(`
<section class="bench"><h2>Theoretical limits</h2><p class="note">From simple models: a value near 100 % is the bottleneck.`)
	if pg.Limits != nil {
		w.add(` A line is the interval of a bound.</p><div class="plots">`, figure("", pg.Limits), `</div>`)
	} else {
		w.add(`</p>`)
	}
	w.add("\n", plain("Theoretical limits", join(heads("model", "formula"), numberHead("at best"), numberHead("measured"),
		numberHead("reached")), "\n", each(pg.Bounds, func(b explain.Bound) markup {
		reached := unit.Share(b.Reached)
		if b.Explains {
			reached += " (explains it)"
		}
		return join(`<tr>`, cell(b.Text), cell(b.Formula), numberCell(unit.Rate(b.Rate)), numberCell(unit.Rate(b.Measured)), numberCell(reached), `</tr>`)
	})), `</section>`)
}

// plain is a table that is not sorted; between parts its head from its rows.
func plain(title string, head, between, rows markup) markup {
	return join(`<div class="scroll" tabindex="0" role="group" aria-label="`, text(title), `"><table class="list"><thead><tr>`,
		head, `</tr></thead>`, between, `<tbody>`, rows, `</tbody></table></div>`)
}

// heads are above columns of words, numberHead above one of numbers.
func heads(titles ...string) markup {
	return each(titles, func(s string) markup { return join(`<th scope="col">`, text(s), `</th>`) })
}

func numberHead(title string) markup { return join(`<th scope="col" class="n">`, text(title), `</th>`) }
func cell(s string) markup           { return join(`<td>`, text(s), `</td>`) }
func numberCell(s string) markup     { return join(`<td class="n">`, text(s), `</td>`) }
