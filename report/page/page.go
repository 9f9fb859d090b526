package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/table"
)

// titleLength is what a command may take of the first screen: a line, or three of a telephone.
const titleLength = 80

func newPage(p *profile.Profile, b *gap.Reference) *page {
	pg := &page{
		Notes: content.NotesOf(p), Title: visible.Shorten(content.Title(p), 600),
		Words:  strings.Fields(visible.Shorten(content.Title(p), titleLength)),
		Source: content.RecordedBy(p), Incident: content.Incident(p), Facts: facts(p),
		Sheet:     chart.Draw(p),
		Recording: recording(p), Limits: printableLimits(p.Trace.Limits), Tables: map[string]*tableView{},
	}
	if len(content.Title(p)) > titleLength {
		pg.Whole = pg.Title
	}
	pg.Sheet.Beside(p, b)
	pg.answers = answersOf(p, &pg.gloss)
	pg.Reasons = reasonsOf(p, pg.Lit)
	pg.sentences(p)
	for i, w := range p.Warnings {
		pg.Warnings = append(pg.Warnings, warning{i + 1, visible.Shorten(visible.Text(w.Text), content.Longest)})
	}
	pg.stack(p)
	for _, t := range tables(p, b) {
		if t.Rows() > 0 {
			if t.ID == "copies" && len(p.CopyGroups) > 0 {
				t.Few = true
			}
			v := view(t, pg.Mark(append(pg.Touching(touches[t.ID]...), t.Marks...)))
			v.Found = slices.Contains(found, t.ID)
			v.Folded, v.Desk, v.Inside = folded(p, t.ID), t.ID == "whatif", inside(t)
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

// tables are all tables of the page, with one of a benchmark if there is one.
func tables(p *profile.Profile, b *gap.Reference) []*table.Table {
	beside := &table.Table{}
	if b != nil {
		beside = content.Beside(p, b)
	}
	return []*table.Table{
		beside,
		content.IncidentChain(p), content.Differences(p),
		content.WhatIf(p).Lead(func(i int) bool { return changes(p, &p.WhatIf[i]) }), content.Bounds(p),
		content.Copies(p), content.Groups(p), content.SizeTime(p), content.Launches(p),
		content.Scrubs(p), content.Samples(p),
		content.Operations(p), content.LongestOperations(p), content.Path(p),
		content.Calls(p).Lead(weighty(p)), content.Devices(p), content.Servers(p),
		content.Amounts(p), content.Files(p).Lead(func(i int) bool { return worked(&p.Files[i]) }),
		content.Hosts(p), content.Processes(p), content.Phases(p),
	}
}

// changes reports whether a prospect differs from what was recorded by more than a fiftieth.
func changes(p *profile.Profile, x *profile.Prospect) bool {
	differs := func(now, was int64) bool { return was > 0 && 50*max(now-was, was-now) > was }
	return differs(x.Wall.NS, p.WallNS) || p.DurableNS > 0 && differs(x.Durable.NS, p.DurableNS)
}

// weighty tells the calls that moved data, or took a hundredth of the time of all.
func weighty(p *profile.Profile) func(call int) bool {
	var all int64
	for i := range p.Calls {
		all += p.Calls[i].TimeNS
	}
	return func(i int) bool { return p.Calls[i].Bytes > 0 || 100*p.Calls[i].TimeNS >= all }
}

// worked reports whether data of a file was moved that is not there for programs to run.
func worked(f *profile.File) bool {
	var bytes int64
	for _, x := range []*profile.Flow{f.Read, f.Write, f.DeviceRead, f.DeviceWrite} {
		if x != nil {
			bytes += x.Bytes
		}
	}
	return bytes > 0 && !content.SystemFile(f.Path)
}

// folded reports whether a table says little beyond what stands above it: what was possible, and which processes
// there were. Where the picture says most, so do starts, calls and layers. Trees sum their files up.
func folded(p *profile.Profile, id string) bool {
	switch id {
	case "bounds", "amounts", "phases", "processes", "path", "sizes":
		return true
	case "launches", "devices", "calls", "servers":
		return chart.Pictured(p)
	case "copies", "files":
		return len(p.CopyGroups) > 0
	}
	return false
}

// inside says what is in a table that is folded: how much, and what its first rows are about.
func inside(t *table.Table) string {
	named := func(c table.Column) bool { return c.Elastic && !c.Prose }
	i := slices.IndexFunc(t.Columns, named)
	if i < 0 {
		i = slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Left && !c.Marks })
	}
	if i < 0 {
		return unit.Things(int64(t.Rows()), "row")
	}
	var names []string
	for _, name := range t.Columns[i].Cells {
		if !slices.Contains(names, name) && name != "" {
			names = append(names, visible.Shorten(name, 40))
		}
		if len(names) == 3 {
			break
		}
	}
	return unit.Things(int64(t.Rows()), "row") + ": " + strings.Join(names, ", ")
}

// found are the tables that a search looks into: of files, processes and devices.
var found = []string{"copies", "groups", "launches", "scrubs", "devices", "files", "processes"}

// touches are the parts of the profile that a table shows.
var touches = map[string][]string{
	"whatif": {"/what_if"}, "bounds": {"/bounds"}, "sizes": {"/size_time"}, "copies": {"/copies"},
	"groups": {"/copy_groups"}, "operations": {"/operations"}, "longest-operations": {"/operations"},
	"incident": {"/incident"}, "differences": {"/incident"},
	"launches": {"/launches"}, "scrubs": {"/scrubs"}, "calls": {"/calls"},
	"devices": {"/devices"}, "servers": {"/server_requests"}, "amounts": {"/amounts"},
	"files": {"/files"}, "hosts": {"/files"},
	"processes": {"/processes"},
	"phases":    {"/phases", "/change_points"},
}

func (pg *page) sentences(p *profile.Profile) {
	for _, s := range p.Observations {
		v := sentence{Text: pg.gloss.pieces(visible.Shorten(visible.Text(s.Text), content.Longest)), Link: anchor(s.Subject),
			Mark: pg.Mark(s.Marks)}
		for i := range s.Evidence {
			v.Evidence = append(v.Evidence, proof(p, &s.Evidence[i]))
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
	case "server_requests":
		return "#servers"
	case "recorder", "lost", "trace":
		return "#recording"
	}
	return "#timeline"
}

// stack is the time by causes, and what the program and its devices were doing; the latter stands in for the former
// where no cause is known.
func (pg *page) stack(p *profile.Profile) {
	pg.StackMark = pg.Mark(p.TimeStack.Marks)
	for _, s := range content.StackRows(p) {
		pg.States.add(pg, chart.StackColor(s.Label), s.Text, s.NS, s.Share)
	}
	for _, x := range content.Parts(p) {
		color := "rest"
		if x.Cause != nil {
			color = chart.BarColor(p, x.Cause)
		}
		pg.Stack.add(pg, color, x.Text, x.NS, x.Share)
	}
	if len(pg.Stack.Rows) == 0 {
		pg.Stack, pg.States = pg.States, stackTable{}
	}
}

// add adds a part of the time.
func (t *stackTable) add(pg *page, color, text string, ns int64, share float64) {
	r := stackRow{Color: color, Text: visible.Shorten(visible.Text(text), content.Longest), Time: unit.Nanoseconds(ns),
		Share: unit.Share(share), Width: strconv.FormatFloat(share*100, 'f', 3, 64)}
	r.Small = len(t.Rows) > 2 && share < 0.05 || len(t.Rows) > 0 && share < 0.01
	r.Pieces = pg.gloss.pieces(unparted(r.Text))
	if r.Small {
		t.Small++
		t.small += share
		t.Smaller = unit.Things(int64(t.Small), "smaller part") + ", " + unit.Share(t.small)
	}
	t.Rows = append(t.Rows, r)
}

func printableLimits(limits []profile.Limit) []profile.Limit {
	out := make([]profile.Limit, len(limits))
	for i, l := range limits {
		out[i] = profile.Limit{Code: visible.Text(l.Code), Text: visible.Text(l.Text)}
	}
	return out
}
