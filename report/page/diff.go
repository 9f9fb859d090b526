package page

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
)

// Diff writes a comparison as one page that needs nothing else: what
// differs in words, the distributions laid over one another, and every
// dimension with its numbers.
func Diff(w io.Writer, d *content.Diff) error {
	pg := newDiffPage(d)
	if err := pg.pack(pg.Data); err != nil {
		return err
	}
	return writePage(w, func(out *writer) { writeDiff(out, pg) })
}

// diffPage is what the page is made of.
type diffPage struct {
	*chart.Overlay
	Title   string
	Lead    []string
	Summary *tableView
	Ranking *tableView
	Pairs   []diffPair
	Only    *diffPair // if there is one: its words stand in the summary
	chartData
}

// diffPair is one comparison on the page.
type diffPair struct {
	ID, Title, Nav     string
	Subject, Reference string
	Answer             piece // what took longer, and why
	About              []string
	Warnings           []string
	Facts              []fact
	Causes             []causeBar
	Effects            []effectList
	Shares             []shareBars
	Charts             []*chart.Chart
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

func newDiffPage(d *content.Diff) *diffPage {
	runs, without := timedSides(d)
	pg := &diffPage{Title: "Comparison", Overlay: chart.Overlaid(runs)}
	switch {
	case d.Ranking != nil:
		pg.Title = content.SideName(d.Comparisons[0].Subject) + " against every pattern"
		pg.Lead = []string{fmt.Sprintf("Closest: %s (%s).", d.Ranking[0].Patterns[0],
			content.Similarity(d.Ranking[0].Similarity))}
		pg.Ranking = view(content.Ranking(d.Ranking), "")
	case len(d.Comparisons) > 1:
		pg.Title = fmt.Sprintf("Comparison of %d recordings", len(d.Comparisons)+1)
		rows := compare.Summarize(d.Comparisons)
		pg.Summary = view(content.Summary(rows), "")
		for _, r := range rows {
			if r.Observation != "" {
				pg.Lead = append(pg.Lead, visible.Shorten(visible.Text(r.Name), 160)+": "+
					visible.Shorten(visible.Text(r.Observation), content.Longest))
			}
		}
	default:
		pg.Title = content.SideName(d.Comparisons[0].Subject) + " against " + content.SideName(d.Comparisons[0].Reference)
	}
	if len(pg.Places) > 0 && len(without) > 0 {
		pg.Detail += " No timeline: " + unit.List(without) + "."
	}
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
		Nav: content.SideName(other),
		ID:  "pair" + strconv.Itoa(i), Title: content.SideName(c.Subject) + " against " + content.SideName(c.Reference),
		Subject: content.SideName(c.Subject), Reference: content.SideName(c.Reference),
		Facts: []fact{{"Similarity", content.Similarity(c.Similarity), fmt.Sprintf("from %d of %d dimensions", c.Compared,
			c.Comparable)}},
	}
	for _, s := range []*compare.Side{c.Subject, c.Reference} {
		if s.About != "" {
			pair.About = append(pair.About, content.SideName(s)+": "+visible.Shorten(visible.Text(s.About), content.Longest)+
				content.RunsOf(s))
		}
		for _, w := range s.Warnings {
			pair.Warnings = append(pair.Warnings, content.SideName(s)+": "+visible.Text(w)+".")
		}
	}
	pair.Causes = causeBars(c)
	for _, e := range []struct {
		title string
		which func(*compare.Dimension) bool
	}{
		{"Results", content.Outcome},
		{"What differs", func(d *compare.Dimension) bool { return d.Verdict == "differs" && !d.Outcome }},
		{"Not compared", func(d *compare.Dimension) bool { return d.Verdict == "?" }},
	} {
		sorted := c // outcomes begin with how long it took
		if e.title == "What differs" {
			sorted = strongestFirst(c)
		}
		if lines := content.EffectLines(sorted, e.which); len(lines) > 0 {
			pair.Effects = append(pair.Effects, effectList{e.title, lines})
		}
	}
	if lines := content.CopyLines(c); len(lines) > 0 {
		pair.Effects = append(pair.Effects, effectList{"Copies", lines})
	}
	if c.Account != nil {
		pair.Answer = piece{Text: unparted(visible.Shorten(visible.Text(c.Account.Text), content.Longest))}
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
	t := content.Dimensions(c)
	t.ID = pair.ID + "-dimensions"
	pair.Table = view(t, "")
	pair.Table.More = dimensionsLegend
	return pair
}

// dimensionsLegend says what the columns of all dimensions are.
const dimensionsLegend = "Distance: 0 is the same, 1 is nothing in common. JS: Jensen–Shannon divergence of the two " +
	"distributions, 0 to 1. Shift: by how much values would have to move to be alike. Part: the factor of the " +
	"similarity, which is the product of all. p: how well the scatter of repeated runs explains the difference."

// overlayChart lays the distributions of both sides over one another.
func overlayChart(id string, c *compare.Comparison, d *compare.Dimension) *chart.Chart {
	format := map[string]string{"bytes": "size", "ns": "time", "operations": "number"}[d.Unit]
	if format == "" {
		return nil
	}
	var samples []chart.Sample
	for _, s := range []chart.Sample{
		{Name: content.SideName(c.Subject), Color: "read", Dist: binned(&d.Subject)},
		{Name: content.SideName(c.Reference), Color: "write", Dist: binned(&d.Reference)},
	} {
		if s.Dist.Count > 0 {
			samples = append(samples, s)
		}
	}
	ch := chart.Distribution(id, d.Name, format, samples)
	if ch == nil {
		return nil
	}
	ch.Tell(visible.Text(d.Effect))
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
	}{{content.SideName(c.Subject), &d.Subject}, {content.SideName(c.Reference), &d.Reference}} {
		b := shareBar{Name: side.name, Text: visible.Text(compare.Tell(side.value, d.Code))}
		for i, s := range side.value.Shares {
			if s.Share > 0 {
				b.Parts = append(b.Parts, sharePart{shareColors[i%len(shareColors)], strconv.FormatFloat(s.Share*100, 'f', 3, 64),
					s.Kind})
			}
		}
		bars.Bars = append(bars.Bars, b)
	}
	return bars
}

// timedSides are the different sides of a comparison, and those of them that
// have a timeline.
func timedSides(d *content.Diff) (with []chart.Run, without []string) {
	var seen []*compare.Side
	for _, c := range d.Comparisons {
		for _, s := range []*compare.Side{c.Subject, c.Reference} {
			if slices.Contains(seen, s) {
				continue
			}
			seen = append(seen, s)
			if s.Profile == nil || s.Profile.Charts == nil || s.Profile.Charts.Bins == 0 || len(with) == len(chart.Colors) {
				without = append(without, content.SideName(s))
				continue
			}
			with = append(with, chart.Run{Name: content.SideName(s), Profile: s.Profile})
		}
	}
	// On charts there is little room: the names of files do, if they differ.
	short := map[string]bool{}
	for i := range with {
		short[baseName(with[i].Name)] = true
	}
	for i := range with {
		if len(short) == len(with) {
			with[i].Name = baseName(with[i].Name)
		}
	}
	return with, without
}

// baseName is the name of a trace without its directories and its ending.
func baseName(name string) string {
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".iotrace")
}
