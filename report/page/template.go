package page

import (
	"embed"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/chart"
)

//go:embed assets
var assets embed.FS

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
	return writePage(w, "page.html", pg)
}

// firstMark is the anchor of the first warning of a mark: "#w3" for "!3,5".
func firstMark(mark string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(mark, "!"), ",")
	return "#w" + number
}

// pageFuncs are what the templates of pages may call.
var pageFuncs = template.FuncMap{
	"asset": asset, "css": css, "script": script, "first": firstMark, "percent": unit.Share,
	"rate": unit.Rate, "count": func(n int) string { return unit.Count(int64(n)) },
	"across": across, "along": along, "inside": chart.Inside, "percents": percents,
}

// scripts are the parts of report.js in the order in which they stand; what draws a kind
// of chart comes before the last four, in any order.
var scripts = []string{
	"save.js", "format.js", "theme.js", "data.js", "view.js", "curves.js", "raster.js", "draw.js", "kinds/*.js",
	"tables.js", "export.js", "selection.js", "gestures.js", "state.js", "find.js", "main.js",
}

func asset(name string) (string, error) {
	b, err := assets.ReadFile("assets/" + name)
	return string(b), err
}

func css(name string) (template.CSS, error) {
	s, err := asset(name)
	return template.CSS(s), err
}

// script is trusted: it is ours, or the chart library.
func script(name string) (template.JS, error) {
	list := map[string][]string{"report.js": scripts, "plain.js": {"save.js", "plain.js"}}[name]
	if list == nil {
		s, err := asset(name)
		return template.JS(s), err
	}
	var b strings.Builder
	b.WriteString("(async () => {\n'use strict';\n")
	for _, pattern := range list {
		parts, err := fs.Glob(assets, "assets/"+pattern)
		if err != nil {
			return "", err
		}
		for _, part := range parts {
			s, err := assets.ReadFile(part)
			if err != nil {
				return "", err
			}
			b.Write(s)
		}
	}
	b.WriteString("})();\n")
	return template.JS(b.String()), nil
}
