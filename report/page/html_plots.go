package page

import "fmt"

// Plots of dots and lines: SVG that needs no script.

const dotsLegend markup = `Speed: a dot for each run, a diamond for the median, a line for its 95 % interval. Latency: a diamond for the median, dots for 90 %, 99 %, 99.9 % and the longest. “~”: no difference can be seen.`

func plotMarkup(p *Plot) markup {
	var grid, axis writer
	for i, t := range p.Ticks {
		x := text(across(t.X))
		grid.add(`<line class="grid" x1="`, x, `" x2="`, x, `" y1="0" y2="24"/>`)
		axis.add(tick(p.Spare(i), x), `" y="14" text-anchor="middle">`, text(t.Text), `</text>`)
	}
	return join(`
  <div class="dots`, when(p.Labelled(), ` labelled`), when(p.Valued(), ` valued`), `" role="`,
		either(p.Linked(), `group`, `img`), `" aria-label="`, text(p.Summary), `">`,
		each(p.Lines(), func(line []Dots) markup {
			return join(when(p.Labelled(), dotsLabel(line[0])), `<svg height="24">`, markup(grid.String()), each(line, dotsMarkup),
				`</svg>`, when(p.Valued(), values(line)))
		}), when(p.Labelled(), `<span class="label"></span>`), `<svg height="20">`, markup(axis.String()), `</svg></div>`)
}

// tick begins a label of an axis, up to its place across.
func tick(spare bool, x markup) markup {
	return join(`<text class="tick`, when(spare, ` spare`), `" x="`, x)
}

func dotsLabel(d Dots) markup {
	name := text(d.Label)
	if d.Link != "" {
		name = join(`<a href="#`, text(d.Link), `">`, name, `</a>`)
	}
	return join(`<span class="label">`, name, `</span>`)
}

func dotsMarkup(d Dots) markup {
	return join(`<g class="f-`, text(d.Color), `"><title>`, text(d.Title), `</title>`,
		when(d.Low != d.High, whisker(across(d.Low), across(d.High), 12)), each(d.Dots, func(t Tick) markup {
			return join(`<circle cx="`, text(across(t.X)), `" cy="12" r="3.5"><title>`, text(t.Text), `</title></circle>`)
		}), `<svg x="`, text(across(d.Median)), `" y="12"><rect x="-5" y="-5" width="10" height="10" transform="rotate(45)"/></svg></g>`)
}

// whisker is an interval.
func whisker(low, high string, y int) markup {
	return join(`<line class="whisker" x1="`, text(low), `" x2="`, text(high), `" y1="`, digits(y), `" y2="`, digits(y), `"/>`)
}

// values are the numbers of a line, each with its colour if there are several.
func values(line []Dots) markup {
	return join(`<span class="values">`, each(line, func(d Dots) markup {
		color := join(`<i class="swatch c-`, text(d.Color), `"></i>`)
		return join(`<span>`, when(len(line) > 1, color), text(d.Value), `</span> `)
	}), `</span>`)
}

func courseMarkup(c *Course) markup {
	var labels, grid, axis writer
	for _, t := range c.YTicks {
		y := text(fmt.Sprintf("%.1f", t.X))
		labels.add(`<text class="tick" x="100%" y="`, y, `" dy="4" text-anchor="end">`, text(t.Text), `</text>`)
		grid.add(`<line class="grid" x1="0" x2="100%" y1="`, y, `" y2="`, y, `"/>`)
	}
	for i, t := range c.XTicks {
		axis.add(tick(c.Spare(i), text(along(t.X))), `" y="`, digits(c.Bottom), `" dy="16" text-anchor="middle">`, text(t.Text), `</text>`)
	}
	height := digits(c.Height)
	return join(`<figure><figcaption>`, text(c.Title), `</figcaption>
  <div class="course" role="img" aria-label="`, text(c.Summary), `"><svg height="`, height, `">`, markup(labels.String()),
		`</svg><svg height="`, height, `">`, markup(grid.String()), markup(axis.String()), `
  <svg width="100%" height="`, height, `" viewBox="`, text(c.Box()), `" preserveAspectRatio="none">`,
		each(c.Lines, lineMarkup), each(c.Dots, dotMarkup), `</svg></svg></div></figure>`)
}

func lineMarkup(l Line) markup {
	return join(`<polyline class="s-`, text(l.Color), when(l.Dashed, ` dashed`), `" points="`, text(l.Points), `"><title>`, text(l.Title), `</title></polyline>`)
}

func dotMarkup(d Dot) markup {
	return join(`<path class="s-`, text(d.Color), `" d="M`, text(fmt.Sprintf("%.1f %.1f", d.X, d.Y)), `h0"><title>`, text(d.Title), `</title></path>`)
}

// figure is a plot with its caption, if there is one; nothing without a plot.
func figure(caption markup, p *Plot) markup {
	if p == nil {
		return ""
	}
	return join(`<figure>`, caption, plotMarkup(p), `</figure>`)
}
