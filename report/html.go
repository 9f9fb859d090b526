package report

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer"
)

//go:embed assets
var assets embed.FS

// HTMLOptions direct HTML. There are none yet.
type HTMLOptions struct{}

// HTML writes the profile as one page that needs nothing else: no network, no
// server, no further file. Charts need a profile with analyzer.Options.Charts;
// without them the page has its text and tables. The same profile always gives
// the same bytes.
func HTML(w io.Writer, p *analyzer.Profile, o HTMLOptions) error {
	pg := newPage(p)
	data, err := json.Marshal(pg.Data) // escapes <, > and &: nothing in it can end the script element
	if err != nil {
		return fmt.Errorf("encoding the charts: %w", err)
	}
	pg.JSON = template.JS(data)
	t, err := template.New("page.html").Funcs(template.FuncMap{"asset": asset, "css": css, "script": script}).ParseFS(assets, "assets/*.html")
	if err != nil {
		return fmt.Errorf("parsing the page template: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, pg); err != nil {
		return fmt.Errorf("filling the page template: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// scripts are the parts of report.js in the order in which they stand.
var scripts = []string{"format.js", "theme.js", "data.js", "view.js", "draw.js", "lanes.js", "heat.js", "tables.js", "main.js"}

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
	if name != "report.js" {
		s, err := asset(name)
		return template.JS(s), err
	}
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, part := range scripts {
		s, err := asset(part)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	b.WriteString("})();\n")
	return template.JS(b.String()), nil
}

// page is what the template is filled with.
type page struct {
	notes
	Title     string
	Source    string
	Lead      []string
	Facts     []fact
	Sentences []sentence
	Warnings  []warning
	Stack     []stackRow
	StackMark string
	Tables    map[string]*tableView
	Phases    []*chart
	Steps     []stepView
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
	Limits    []analyzer.Limit
	Licence   string
	Data      pageData
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
	Text, Link, Mark string
	Evidence         []string
}

type warning struct {
	Number int
	Text   string
}

type stackRow struct {
	Color, Text, Time, Share string
	Width                    string // percent of the bar
}

type stepView struct {
	Text   string
	Causes []analyzer.Cause
}

// laneGroup is the lanes of one kind, drawn in one chart.
type laneGroup struct {
	Title string
	Names []string
	Chart *chart
}

// placeView is the charts of one layer or device.
type placeView struct {
	Name   string
	Charts []*chart
}

func newPage(p *analyzer.Profile) *page {
	pg := &page{
		notes: notes{p.Warnings}, Title: shorten(title(p), 600), Source: recordedBy(p), Lead: lead(p), Facts: facts(p),
		Data:      pageData{Charts: []*chart{}, Lanes: []lane{}, Marks: []mark{}, Detail: [][2]int64{}, Kinds: []kindOf{}, Names: []string{}},
		Recording: recording(p), Limits: printableLimits(p.Trace.Limits), Tables: map[string]*tableView{},
	}
	pg.Licence, _ = asset("echarts.NOTICE")
	pg.sentences(p)
	for i, w := range p.Warnings {
		pg.Warnings = append(pg.Warnings, warning{i + 1, shorten(printable(w.Text), longest)})
	}
	pg.stack(p)
	for _, t := range pg.tables(p) {
		if t.rows() > 0 {
			pg.Tables[t.id] = view(t, pg.mark(pg.touching(touches[t.id]...)))
		}
	}
	for _, s := range p.ChangePoints {
		pg.Steps = append(pg.Steps, stepView{step(s), printableCauses(s.Causes)})
	}
	if p.Charts != nil && p.Charts.Bins > 0 {
		pg.charts(p)
	}
	return pg
}

// tables are all tables of the page.
func (n notes) tables(p *analyzer.Profile) []*table {
	return []*table{
		n.copyTable(p), n.groupTable(p), n.launchTable(p), n.scrubTable(p), n.callTable(p), n.deviceTable(p), n.fileTable(p), n.processTable(p), n.phaseTable(p),
	}
}

// touches are the parts of the profile that a table shows.
var touches = map[string][]string{
	"copies": {"/copies"}, "groups": {"/copy_groups"}, "launches": {"/launches"}, "scrubs": {"/scrubs"}, "calls": {"/calls"},
	"devices": {"/devices"}, "files": {"/files"}, "processes": {"/processes"}, "phases": {"/phases", "/change_points"},
}

func (pg *page) sentences(p *analyzer.Profile) {
	for _, s := range p.Observations {
		v := sentence{Text: shorten(printable(s.Text), longest), Link: anchor(s.Subject), Mark: pg.mark(s.Marks)}
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
	case "copies", "launches", "scrubs", "calls", "devices", "files", "processes", "phases":
		return "#" + part
	case "copy_groups":
		return "#groups"
	case "time_stack":
		return "#time"
	case "change_points", "size_time":
		return "#phases"
	case "recorder", "lost", "trace":
		return "#recording"
	}
	return "#timeline"
}

func (pg *page) stack(p *analyzer.Profile) {
	pg.StackMark = pg.mark(p.TimeStack.Marks)
	for _, s := range stackRows(p) {
		pg.Stack = append(pg.Stack, stackRow{stackColor(s.Label), printable(s.Text), duration(s.NS), percent(s.Share), strconv.FormatFloat(s.Share*100, 'f', 3, 64)})
	}
}

// charts fills in everything that is drawn.
func (pg *page) charts(p *analyzer.Profile) {
	c := p.Charts
	d := &pg.Data
	d.EndNS, d.BinNS = max(c.Timeline.EndNS, 1), c.BinNS
	join := 1
	d.Lanes, d.Kinds, d.Names, join = lanes(p)
	d.TileNS = c.Timeline.TileNS * int64(join)
	for _, w := range c.Timeline.Detail {
		d.Detail = append(d.Detail, [2]int64{w.FromNS, w.ToNS})
	}
	for _, m := range c.Timeline.Marks {
		if m.Kind != "copy" && len(d.Marks) < maxMarks {
			d.Marks = append(d.Marks, mark{m.FromNS, m.ToNS, printable(m.Kind), shorten(printable(m.Text), 120)})
		}
	}
	pg.laneGroups()
	pg.Classes = classes(p.Charts.Timeline.Lanes, d.Kinds)
	names := map[string]string{}
	for _, s := range p.TimeStack.Slices {
		names[s.Label] = s.Text
	}
	pg.StackTime = pg.add(stackChart(c, names))
	heatJoin := joinFor(c.Heatmaps)
	for i, pl := range places(c) {
		if i > maxPlaces {
			break
		}
		id := "place" + strconv.Itoa(i)
		if len(pl.directions()) > 0 {
			pg.Places = append(pg.Places, placeView{pl.name, pg.addAll(chartsOf(pl, id, c.BinNS))})
		}
		if hs := heatCharts(pl, id, c.BinNS, heatJoin); len(hs) > 0 {
			pg.Heats = append(pg.Heats, placeView{pl.name, pg.addAll(hs)})
		}
	}
	pg.Dists, pg.Uniform = pg.addAll(distCharts(p)), uniform(p)
	pg.Phases = pg.addAll(rateCharts(p))
	pg.ChartMark = pg.mark(pg.touching("/charts"))
	pg.Detail = detailText(p, d, heatJoin)
}

// maxMarks bounds the marks drawn across the charts.
const maxMarks = 500

func (pg *page) add(c *chart) *chart {
	if c != nil {
		pg.Data.Charts = append(pg.Data.Charts, c)
	}
	return c
}

func (pg *page) addAll(cs []*chart) []*chart {
	for _, c := range cs {
		pg.add(c)
	}
	return cs
}

// laneHeight is the height of a lane in pixels: devices have many operations in
// flight at once.
func laneHeight(kind string) int {
	if kind == "device" {
		return 46
	}
	return 26
}

func (pg *page) laneGroups() {
	titles := map[string]string{"copy": "Copies", "thread": "Threads", "device": "Devices", "file": "Files"}
	for i, l := range pg.Data.Lanes {
		if n := len(pg.Lanes); n == 0 || pg.Data.Lanes[pg.Lanes[n-1].Chart.Lanes[0]].Kind != l.Kind {
			name := titles[l.Kind]
			if name == "" {
				name = l.Kind
			}
			c := &chart{ID: "lanes" + strconv.Itoa(n), Kind: "lanes", Title: name, Option: newPlot("none", drawn(name, "lanes")), Lane: laneHeight(l.Kind)}
			pg.Lanes = append(pg.Lanes, laneGroup{Title: name, Chart: pg.add(c)})
		}
		g := &pg.Lanes[len(pg.Lanes)-1]
		g.Names = append(g.Names, l.Name)
		g.Chart.Lanes = append(g.Chart.Lanes, i)
		g.Chart.Height = len(g.Names) * g.Chart.Lane
	}
	for _, g := range pg.Lanes {
		g.Chart.Summary = "Timeline of " + strings.ToLower(g.Title) + ": " + shorten(strings.Join(g.Names, ", "), 400) + "."
	}
}

// detailText says where the timeline shows single events and where sums.
func detailText(p *analyzer.Profile, d *pageData, heatJoin int) string {
	var n int
	for _, l := range p.Charts.Timeline.Lanes {
		n += len(l.Items.Start)
	}
	s := "Curves have one point per " + duration(d.BinNS) + "."
	if heatJoin > 1 {
		s += " Heat maps have one column per " + duration(d.BinNS*int64(heatJoin)) + "."
	}
	if len(d.Detail) > 0 && n > 0 {
		s += " Single events (" + grouped(int64(n)) + ") are shown within the stretches marked under the time axis once they are wide enough to be seen"
		if len(d.Detail) == 1 && d.Detail[0][0] <= 0 && d.Detail[0][1] >= d.EndNS {
			s = strings.Replace(s, "within the stretches marked under the time axis once", "as soon as", 1)
		}
		s += "; everywhere else a bar is a sum over at least " + duration(d.TileNS) + "."
	} else {
		s += " Bars are sums over at least " + duration(d.TileNS) + "."
	}
	if h := p.Charts.Timeline.Hidden; h > 0 {
		s += " " + some(int64(h), "less busy lane") + " left out."
	}
	return s
}

func printableLimits(limits []analyzer.Limit) []analyzer.Limit {
	out := make([]analyzer.Limit, len(limits))
	for i, l := range limits {
		out[i] = analyzer.Limit{Code: printable(l.Code), Text: printable(l.Text)}
	}
	return out
}

func printableCauses(causes []analyzer.Cause) []analyzer.Cause {
	all := func(ss []string) []string {
		out := make([]string, len(ss))
		for i, s := range ss {
			out[i] = printable(s)
		}
		return out
	}
	out := make([]analyzer.Cause, len(causes))
	for i, c := range causes {
		out[i] = analyzer.Cause{Code: printable(c.Code), Text: printable(c.Text), For: all(c.For), Against: all(c.Against), Experiment: printable(c.Experiment)}
	}
	return out
}
