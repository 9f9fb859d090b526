package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// DiffHTML writes a comparison as one page that needs nothing else: what
// differs in words, the distributions laid over one another, and every
// dimension with its numbers.
func DiffHTML(w io.Writer, d *Diff) error {
	pg := newDiffPage(d)
	data, err := json.Marshal(pg.Data)
	if err != nil {
		return fmt.Errorf("encoding the charts: %w", err)
	}
	pg.JSON = template.JS(data)
	return writePage(w, "diff.html", pg)
}

// diffPage is what the template is filled with.
type diffPage struct {
	Title   string
	Lead    []string
	Summary *tableView
	Ranking *tableView
	Pairs   []diffPair
	Only    *diffPair // if there is one: its words stand in the summary
	Sides   []class   // on the timelines
	Places  []placeView
	Detail  string
	Licence string
	Data    pageData
	JSON    template.JS
}

// diffPair is one comparison on the page.
type diffPair struct {
	ID, Title, Nav     string
	Subject, Reference string
	About              []string
	Warnings           []string
	Facts              []fact
	Effects            []effectList
	Shares             []shareBars
	Charts             []*chart
	Table              *tableView
}

type effectList struct {
	Title string
	Lines []string
}

// shareBars are the shares of both sides, one bar each.
type shareBars struct {
	Title string
	Bars  []shareBar
}

type shareBar struct {
	Name, Text string
	Parts      []sharePart
}

type sharePart struct{ Color, Width, Text string }

func newDiffPage(d *Diff) *diffPage {
	pg := &diffPage{
		Title: "Comparison",
		Data:  pageData{Charts: []*chart{}, Lanes: []lane{}, Marks: []mark{}, Detail: [][2]int64{}, Kinds: []kindOf{}, Names: []string{}, Grains: []grain{}},
	}
	pg.Licence, _ = asset("echarts.NOTICE")
	switch {
	case d.Ranking != nil:
		pg.Title = nameOf(d.Comparisons[0].Subject) + " against every pattern"
		pg.Lead = []string{fmt.Sprintf("Closest: %s (%s).", d.Ranking[0].Patterns[0], similarity(d.Ranking[0].Similarity))}
		pg.Ranking = view(rankTable(d.Ranking), "")
	case len(d.Comparisons) > 1:
		pg.Title = fmt.Sprintf("%d side by side", len(d.Comparisons)+1)
		rows := compare.Summarize(d.Comparisons)
		pg.Summary = view(summaryTable(rows), "")
		for _, r := range rows {
			if r.Observation != "" {
				pg.Lead = append(pg.Lead, shorten(printable(r.Name), 160)+": "+shorten(printable(r.Observation), longest))
			}
		}
	default:
		pg.Title = nameOf(d.Comparisons[0].Subject) + " against " + nameOf(d.Comparisons[0].Reference)
	}
	pg.timelines(d)
	for i, c := range d.Comparisons {
		pair := newDiffPair(c, i)
		pg.Pairs = append(pg.Pairs, pair)
		pg.Data.Charts = append(pg.Data.Charts, pair.Charts...)
	}
	if len(pg.Pairs) == 1 {
		pg.Only = &pg.Pairs[0]
	}
	return pg
}

func newDiffPair(c *compare.Comparison, i int) diffPair {
	other := c.Reference // than the one that all are compared with
	if c.Swapped {
		other = c.Subject
	}
	pair := diffPair{
		Nav: nameOf(other),
		ID:  "pair" + strconv.Itoa(i), Title: nameOf(c.Subject) + " against " + nameOf(c.Reference),
		Subject: nameOf(c.Subject), Reference: nameOf(c.Reference),
		Facts: []fact{{"Similarity", similarity(c.Similarity), fmt.Sprintf("from %d of %d dimensions", c.Compared, c.Comparable)}},
	}
	for _, s := range []*compare.Side{c.Subject, c.Reference} {
		if s.About != "" {
			pair.About = append(pair.About, nameOf(s)+": "+shorten(printable(s.About), longest)+runsOf(s))
		}
		for _, w := range s.Warnings {
			pair.Warnings = append(pair.Warnings, nameOf(s)+": "+printable(w)+".")
		}
	}
	for _, e := range []struct {
		title string
		which func(*compare.Dimension) bool
	}{
		{"What differs", func(d *compare.Dimension) bool { return d.Verdict == "differs" && !d.Outcome }},
		{"What came of it", outcome},
		{"Not compared", func(d *compare.Dimension) bool { return d.Verdict == "?" }},
	} {
		if lines := effectLines(c, e.which); len(lines) > 0 {
			pair.Effects = append(pair.Effects, effectList{e.title, lines})
		}
	}
	if power := c.Power(); power != "" {
		pair.Facts = append(pair.Facts, fact{"Runs", fmt.Sprintf("%d : %d", c.Subject.Runs, c.Reference.Runs), power})
	}
	for k := range c.Dimensions {
		d := &c.Dimensions[k]
		if ch := overlayChart(pair.ID+"-"+d.Code, c, d); ch != nil {
			pair.Charts = append(pair.Charts, ch)
		}
		if len(d.Subject.Shares) > 0 || len(d.Reference.Shares) > 0 {
			pair.Shares = append(pair.Shares, sharesOf(c, d))
		}
	}
	t := dimensionTable(c)
	t.id = pair.ID + "-dimensions"
	pair.Table = view(t, "")
	return pair
}

// overlayChart lays the distributions of both sides over one another.
func overlayChart(id string, c *compare.Comparison, d *compare.Dimension) *chart {
	format := map[string]string{"bytes": "size", "ns": "time", "operations": "number"}[d.Unit]
	if format == "" {
		return nil
	}
	var samples []sample
	for _, s := range []sample{{nameOf(c.Subject), "read", binned(&d.Subject)}, {nameOf(c.Reference), "write", binned(&d.Reference)}} {
		if s.dist.Count > 0 {
			samples = append(samples, s)
		}
	}
	ch := distChart(id, d.Name, format, samples)
	if ch == nil {
		return nil
	}
	ch.said = []string{printable(d.Effect)}
	ch.Summary = d.Name + ". " + printable(d.Effect) + "."
	return ch
}

// parts is what the weights of a distribution add up to when they are drawn.
const parts = 1e6

// binned puts the points of a value into bins of a quarter of a doubling.
func binned(v *compare.Value) profile.Dist {
	d := profile.Dist{}
	for _, p := range v.Points {
		n := int64(math.Round(p.Weight * parts))
		at := int64(math.Round(p.Value))
		if n == 0 {
			continue
		}
		d.Count += n
		d.Bins = append(d.Bins, profile.Bin{From: at, To: at + 1, Count: n})
	}
	return d
}

// shareColors are those of the kinds of a share, in order.
var shareColors = []string{"read", "write", "sync", "meta", "wait"}

func sharesOf(c *compare.Comparison, d *compare.Dimension) shareBars {
	bars := shareBars{Title: d.Name}
	for _, side := range []struct {
		name  string
		value *compare.Value
	}{{nameOf(c.Subject), &d.Subject}, {nameOf(c.Reference), &d.Reference}} {
		b := shareBar{Name: side.name, Text: printable(compare.Tell(side.value, d.Code))}
		for i, s := range side.value.Shares {
			if s.Share > 0 {
				b.Parts = append(b.Parts, sharePart{shareColors[i%len(shareColors)], strconv.FormatFloat(s.Share*100, 'f', 3, 64), s.Kind})
			}
		}
		bars.Bars = append(bars.Bars, b)
	}
	return bars
}
