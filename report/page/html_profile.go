package page

import (
	"io"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// Profile writes the profile as one page that needs nothing else: no network, no
// server, no further file. Charts need a profile with analyzer.Options.Charts;
// without them the page has its text and tables. The same profile always gives
// the same bytes.
func Profile(w io.Writer, p *profile.Profile) error { return Beside(w, p, nil) }

// Beside writes the page of a profile with its block sizes and queue depths beside those of a benchmark, if that is not
// nil.
func Beside(w io.Writer, p *profile.Profile, b *gap.Reference) error {
	pg := newPage(p, b)
	if err := pg.pack(pg.Data); err != nil {
		return err
	}
	return writePage(w, func(out *writer) { writeProfile(out, pg) })
}

// writeProfile writes the page of a recording.
func writeProfile(w *writer, pg *page) {
	writeNavigation(w, pg)
	writeSummary(w, pg)
	writeSections(w, pg, "incident", "differences")
	writeTimeline(w, pg)
	writeDistributions(w, pg)
	writeBeside(w, pg)
	writeSections(w, pg, "benchmark")
	writeTimes(w, pg)
	writeSections(w, pg, "whatif", "bounds", "groups", "copies", "sizes", "samples", "launches", "scrubs")
	writePhases(w, pg)
	writeSections(w, pg, "calls", "devices", "servers", "amounts", "files", "processes")
	writeExplained(w, pg)
	writeRecording(w, pg)
	writeCharted(w, &pg.chartData)
}

// writeSections writes the tables with these names, each in a section, where there is one.
func writeSections(w *writer, pg *page, names ...string) {
	for _, name := range names {
		if t := pg.Tables[name]; t != nil {
			writeSection(w, t)
		}
	}
}

// writeNavigation writes the bar, with a link to each section that is there.
func writeNavigation(w *writer, pg *page) {
	writeBar(w, pg.Title)
	w.add(`
  `, when(pg.timed(), `<a class="skip" href="#linked">Skip to the timeline</a>`), `
  <nav aria-label="Sections">`)
	for _, l := range links(pg) {
		if l.there {
			w.add(`<a href="#`, text(l.id), `">`, text(l.title), `</a>`)
		}
	}
	w.add(`
    <a href="#recording">Recording</a>
  </nav>
  <div class="find" role="search">
    <input type="search" id="find" placeholder="File, process, device" aria-label="Search for files, processes and devices" autocomplete="off" spellcheck="false">
    <div id="found" role="status" hidden></div>
  </div>`, themeButton)
}

// timed reports whether anything is drawn over time.
func (pg *page) timed() bool { return len(pg.Lanes) > 0 || len(pg.Linked) > 0 }

// link leads to a section, if that is there.
type link struct {
	there     bool
	id, title string
}

// links lead to the sections of a page but for the last, by what these are called where there is little room.
func links(pg *page) []link {
	list := []link{{pg.timed(), "timeline", "Timeline"}}
	for _, s := range pg.Linked {
		list = append(list, link{s.Title != "", s.ID, s.Title})
	}
	benchmark := "benchmark"
	if len(pg.Besides) > 0 {
		benchmark = "beside"
	}
	table := func(id, title string) link { return link{pg.Tables[id] != nil, id, title} }
	return append(list,
		link{len(pg.Dists) > 0, "distributions", "Distributions"},
		link{pg.Tables["benchmark"] != nil, benchmark, "Benchmark"},
		link{len(pg.Stack.Rows) > 0, "time", "Time"},
		table("whatif", "What if"), table("bounds", "Limits"), table("groups", "Trees"), table("copies", "Copies"),
		table("sizes", "Sizes"), table("samples", "Functions"), table("launches", "Starts"), table("scrubs", "Jumps"),
		link{pg.Tables["phases"] != nil || len(pg.Phases) > 0, "phases", "Phases"},
		table("calls", "Calls"), table("devices", "Layers"), table("servers", "Servers"), table("amounts", "Amplification"),
		table("files", "Files"), table("processes", "Processes"),
		link{len(pg.Explained) > 0, "words", "Glossary"},
	)
}

// writeExplained writes the words of storage that the page uses.
func writeExplained(w *writer, pg *page) {
	if len(pg.Explained) > 0 {
		w.add(`
<section id="words" class="folded"><details class="fold"><summary><h2>Glossary</h2> <span class="said">`)
		for i, x := range pg.Explained[:min(len(pg.Explained), 12)] {
			w.add(when(i > 0, ", "), text(x.Term))
		}
		w.add(`</span></summary>
  <dl class="words">`, each(pg.Explained, func(x word) markup {
			return join(`
    <div id="word-`, text(x.ID), `"><dt>`, text(x.Term), `</dt><dd>`, text(x.Meaning), `.</dd></div>`)
		}), `
  </dl></details>
</section>`)
	}
}

// writeRecording says how the numbers came about.
func writeRecording(w *writer, pg *page) {
	w.add(`
<section id="recording" class="folded"><details class="fold"><summary><h2>Recording</h2> <span class="said">`,
		each(pg.Recording[:min(len(pg.Recording), 1)], text), `</span></summary>`, each(pg.Recording, paragraph))
	if len(pg.Limits) > 0 {
		w.add(`<p>Not visible in this recording:</p><ul>`,
			each(pg.Limits, func(l profile.Limit) markup { return item(l.Text) }), `</ul>`)
	}
	w.add(`
  <p class="note">Times since the recording began. 1 MB is 10<sup>6</sup> bytes, 1 MiB is 2<sup>20</sup>. Percentiles are exact to 1.6 %.</p>`,
		given(`<p class="note">`, pg.Detail, `</p>`), `</details>
</section>
`)
}
