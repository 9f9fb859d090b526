package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/table"
)

func newPage(p *profile.Profile) *page {
	pg := &page{
		Notes: content.NotesOf(p), Title: visible.Shorten(content.Title(p), 600),
		Words: strings.Fields(visible.Shorten(content.Title(p), 600)), Source: content.RecordedBy(p), Facts: facts(p),
		Sheet:     chart.Draw(p),
		Recording: recording(p), Limits: printableLimits(p.Trace.Limits), Tables: map[string]*tableView{},
	}
	pg.answer(p)
	pg.Licence, _ = asset("echarts.NOTICE")
	pg.reasons(p)
	pg.sentences(p)
	for i, w := range p.Warnings {
		pg.Warnings = append(pg.Warnings, warning{i + 1, visible.Shorten(visible.Text(w.Text), content.Longest)})
	}
	pg.stack(p)
	for _, t := range tables(p) {
		if t.Rows() > 0 {
			if t.ID == "copies" && len(p.CopyGroups) > 0 {
				t.Few = true
			}
			v := view(t, pg.Mark(append(pg.Touching(touches[t.ID]...), t.Marks...)))
			v.Found = slices.Contains(found, t.ID)
			pg.Tables[t.ID] = v
			pg.gloss.mentions(v.Title, v.Note)
			for _, h := range v.Head {
				pg.gloss.mentions(h.Title, h.Help)
			}
		}
	}
	for i := range p.ChangePoints {
		change, facts := content.Step(&p.ChangePoints[i])
		pg.Steps = append(pg.Steps, stepView{change, facts})
	}
	if len(pg.Data.Charts) > 0 {
		pg.ChartMark = pg.Mark(pg.Touching("/charts"))
	}
	for _, c := range pg.Data.Charts {
		pg.gloss.mentions(c.Title, c.Note)
	}
	for _, f := range pg.Facts {
		pg.gloss.mentions(f.Name, f.More)
	}
	pg.Explained = pg.gloss.list()
	return pg
}

// tables are all tables of the page.
func tables(p *profile.Profile) []*table.Table {
	return []*table.Table{
		content.WhatIf(p), content.Bounds(p), content.Copies(p), content.Groups(p), content.SizeTime(p), content.Launches(p),
		content.Scrubs(p),
		content.Operations(p), content.LongestOperations(p), content.Path(p), content.Calls(p), content.Devices(p),
		content.Amounts(p), content.Files(p), content.Processes(p), content.Phases(p),
	}
}

// found are the tables that a search looks into: of files, processes and devices.
var found = []string{"copies", "groups", "launches", "scrubs", "devices", "files", "processes"}

// touches are the parts of the profile that a table shows.
var touches = map[string][]string{
	"whatif": {"/what_if"}, "bounds": {"/bounds"}, "sizes": {"/size_time"}, "copies": {"/copies"},
	"groups": {"/copy_groups"}, "operations": {"/operations"}, "longest-operations": {"/operations"},
	"launches": {"/launches"}, "scrubs": {"/scrubs"}, "calls": {"/calls"},
	"devices": {"/devices"}, "amounts": {"/amounts"}, "files": {"/files"}, "processes": {"/processes"},
	"phases": {"/phases", "/change_points"},
}

func (pg *page) sentences(p *profile.Profile) {
	for _, s := range p.Observations {
		v := sentence{Text: pg.gloss.pieces(visible.Shorten(visible.Text(s.Text), content.Longest)), Link: anchor(s.Subject),
			Mark: pg.Mark(s.Marks)}
		for _, e := range s.Evidence {
			v.Evidence = append(v.Evidence, visible.Text(e.Pointer)+" = "+strconv.FormatFloat(e.Value, 'g', -1, 64))
		}
		pg.Sentences = append(pg.Sentences, v)
	}
}

// anchor is the section of the page that shows a part of the profile.
func anchor(pointer string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch part {
	case "bounds", "copies", "launches", "scrubs", "calls", "devices", "files", "processes", "phases":
		return "#" + part
	case "copy_groups":
		return "#groups"
	case "time_stack":
		return "#time"
	case "change_points":
		return "#phases"
	case "size_time":
		return "#sizes"
	case "recorder", "lost", "trace":
		return "#recording"
	}
	return "#timeline"
}

func (pg *page) stack(p *profile.Profile) {
	pg.StackMark = pg.Mark(p.TimeStack.Marks)
	for _, s := range content.StackRows(p) {
		pg.Stack = append(pg.Stack, stackRow{chart.StackColor(s.Label), visible.Text(s.Text),
			pg.gloss.pieces(visible.Text(s.Text)), unit.Nanoseconds(s.NS), unit.Share(s.Share), strconv.FormatFloat(s.Share*100,
				'f', 3, 64)})
	}
}

func printableLimits(limits []profile.Limit) []profile.Limit {
	out := make([]profile.Limit, len(limits))
	for i, l := range limits {
		out[i] = profile.Limit{Code: visible.Text(l.Code), Text: visible.Text(l.Text)}
	}
	return out
}
