package report

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// page is what the template is filled with.
type page struct {
	notes
	Title     string
	Words     []string // of the title
	Source    string
	Lead      [][]piece
	Facts     []fact
	Sentences []sentence
	Warnings  []warning
	Stack     []stackRow
	StackMark string
	Tables    map[string]*tableView
	Phases    []*chart
	Steps     []stepView
	Causes    []profile.Cause // of all steps, each once
	Lanes     []laneGroup
	Classes   []class
	StackTime *chart
	Places    []placeView
	Heats     []placeView
	Dists     []*chart
	Uniform   []string
	Detail    string
	ChartMark string
	Recording []string
	Limits    []profile.Limit
	Licence   string
	Data      pageData
	Explained []word // at its first place and at the end
	gloss     glossary
	heatBin   int64 // finest of the heat maps, 0 if they have one level
	JSON      template.JS
}

// pageData is what report.js works on.
type pageData struct {
	EndNS  int64      `json:"end"`
	BinNS  int64      `json:"bin"`
	TileNS int64      `json:"tile"`
	Marks  []mark     `json:"marks"`
	Detail [][2]int64 `json:"detail"`
	Kinds  []kindOf   `json:"kinds"`
	Names  []string   `json:"names"`
	Lanes  []lane     `json:"lanes"`
	Charts []*chart   `json:"charts"`
	Grains []grain    `json:"grains"` // finer levels of the curves, coarse to fine

	Overlaid bool `json:"overlaid,omitempty"` // the curves of a chart are different runs of time
}

// A mark is an instant or a stretch drawn across all charts over time.
type mark struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// A fact is one of the large numbers at the top.
type fact struct{ Name, Value, More string }

type sentence struct {
	Text       []piece
	Link, Mark string
	Evidence   []string
}

type warning struct {
	Number int
	Text   string
}

type stackRow struct {
	Color, Text string
	Pieces      []piece // of the text
	Time, Share string
	Width       string // percent of the bar
}

type stepView struct {
	Text   string
	Causes []profile.Cause
}

// Against is the number of findings that speak against a cause.
func (s stepView) Against() (n int) {
	for _, c := range s.Causes {
		n += len(c.Against)
	}
	return n
}

// laneGroup is the lanes of one kind, drawn in one chart.
type laneGroup struct {
	Title string
	Names []string
	Chart *chart
}

// More is the number of lanes that are not shown at first.
func (g laneGroup) More() int { return len(g.Names) - g.Chart.First }

// placeView is the charts of one layer or device.
type placeView struct {
	Name   string
	Charts []*chart
}

func newPage(p *profile.Profile) *page {
	pg := &page{
		notes: notes{p.Warnings}, Title: shorten(title(p), 600), Words: strings.Fields(shorten(title(p), 600)), Source: recordedBy(p), Facts: facts(p),
		Data:      pageData{Charts: []*chart{}, Lanes: []lane{}, Marks: []mark{}, Detail: [][2]int64{}, Kinds: []kindOf{}, Names: []string{}, Grains: []grain{}},
		Recording: recording(p), Limits: printableLimits(p.Trace.Limits), Tables: map[string]*tableView{},
	}
	for _, s := range lead(p) {
		pg.Lead = append(pg.Lead, pg.gloss.pieces(s))
	}
	pg.Licence, _ = asset("echarts.NOTICE")
	pg.sentences(p)
	for i, w := range p.Warnings {
		pg.Warnings = append(pg.Warnings, warning{i + 1, shorten(printable(w.Text), longest)})
	}
	pg.stack(p)
	for _, t := range pg.tables(p) {
		if t.rows() > 0 {
			if t.id == "copies" && len(p.CopyGroups) > 0 {
				t.few = true
			}
			v := view(t, pg.mark(pg.touching(touches[t.id]...)))
			pg.Tables[t.id] = v
			pg.gloss.mentions(v.Title, v.Note)
			for _, h := range v.Head {
				pg.gloss.mentions(h.Title, h.Help)
			}
		}
	}
	for _, s := range p.ChangePoints {
		pg.Steps = append(pg.Steps, stepView{step(s), printableCauses(s.Causes)})
	}
	pg.Causes = printableCauses(experiments(p.ChangePoints))
	if p.Charts != nil && p.Charts.Bins > 0 {
		pg.charts(p)
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
func (n notes) tables(p *profile.Profile) []*table {
	return []*table{
		n.boundTable(p), n.copyTable(p), n.groupTable(p), n.sizeTable(p), n.launchTable(p), n.scrubTable(p), n.callTable(p), n.deviceTable(p), n.fileTable(p), n.processTable(p), n.phaseTable(p),
	}
}

// touches are the parts of the profile that a table shows.
var touches = map[string][]string{
	"bounds": {"/bounds"}, "sizes": {"/size_time"}, "copies": {"/copies"}, "groups": {"/copy_groups"}, "launches": {"/launches"}, "scrubs": {"/scrubs"}, "calls": {"/calls"},
	"devices": {"/devices"}, "files": {"/files"}, "processes": {"/processes"}, "phases": {"/phases", "/change_points"},
}

func (pg *page) sentences(p *profile.Profile) {
	for _, s := range p.Observations {
		v := sentence{Text: pg.gloss.pieces(shorten(printable(s.Text), longest)), Link: anchor(s.Subject), Mark: pg.mark(s.Marks)}
		for _, e := range s.Evidence {
			v.Evidence = append(v.Evidence, printable(e.Pointer)+" = "+strconv.FormatFloat(e.Value, 'g', -1, 64))
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
	pg.StackMark = pg.mark(p.TimeStack.Marks)
	for _, s := range stackRows(p) {
		pg.Stack = append(pg.Stack, stackRow{stackColor(s.Label), printable(s.Text), pg.gloss.pieces(printable(s.Text)), duration(s.NS), percent(s.Share), strconv.FormatFloat(s.Share*100, 'f', 3, 64)})
	}
}

func printableLimits(limits []profile.Limit) []profile.Limit {
	out := make([]profile.Limit, len(limits))
	for i, l := range limits {
		out[i] = profile.Limit{Code: printable(l.Code), Text: printable(l.Text)}
	}
	return out
}

func printableCauses(causes []profile.Cause) []profile.Cause {
	all := func(ss []string) []string {
		out := make([]string, len(ss))
		for i, s := range ss {
			out[i] = printable(s)
		}
		return out
	}
	out := make([]profile.Cause, len(causes))
	for i, c := range causes {
		out[i] = profile.Cause{Code: printable(c.Code), Text: printable(c.Text), For: all(c.For), Against: all(c.Against), Experiment: printable(c.Experiment)}
	}
	return out
}
