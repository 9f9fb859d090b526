package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// A Sheet is everything that is drawn of a profile, and where on the page it stands.
type Sheet struct {
	Data    Data
	Picture *Picture // of the first screen; nil if there is nothing to draw
	Lanes   []LaneGroup
	Classes []Class   // the colours of the lanes
	Linked  []Section // over the time that the lanes have
	Dists   []*Chart
	Besides []*Chart // distributions of a benchmark laid over those of the workload
	Uniform []string // distributions of one value, in words
	Phases  []*Chart
	// Pictured: what is beside its picture is folded.
	Pictured bool
	OfCopy   bool
	Detail   string // what a point of each chart stands for
}

// sections are the charts over time in the order of the page: a chart is added here.
var sections = []func(*profile.Profile) Section{wholeSection, placeSection, offsetSection, heatSection}

// Draw draws what the profile has to draw; without analyzer.Options.Charts that is nothing.
func Draw(p *profile.Profile) *Sheet {
	s := &Sheet{Data: noData()}
	if p.Charts != nil && p.Charts.Bins > 0 {
		s.draw(p)
	}
	return s
}

func (s *Sheet) draw(p *profile.Profile) {
	c := p.Charts
	d := &s.Data
	d.EndNS, d.BinNS = max(c.Timeline.EndNS, 1), c.BinNS
	var join int
	d.Lanes, d.Kinds, d.Names, join = lanes(p)
	d.TileNS = c.Timeline.TileNS * int64(join)
	for _, w := range c.Timeline.Detail {
		d.Detail = append(d.Detail, [2]int64{w.FromNS, w.ToNS})
	}
	for _, m := range c.Timeline.Marks {
		if m.Kind == "lost" { // there are bands for them
			continue
		}
		if m.Kind != "copy" && (m.Kind != "durable" || p.Written() > 0) && len(d.Marks) < maxMarks {
			d.Marks = append(d.Marks, mark{m.FromNS, m.ToNS, visible.Text(m.Kind), markText(p, &m)})
		}
	}
	bands := lossBands(p)
	d.Marks = append(d.Marks, bands[:min(len(bands), maxMarks)]...)
	for i := range p.Verdict.Causes {
		d.Lit = append(d.Lit, lit(p, &p.Verdict.Causes[i]))
	}
	s.OfCopy, s.Pictured = OfCopy(p), Pictured(p)
	s.picture(p)
	s.laneGroups()
	s.Classes = classes(p.Charts.Timeline.Lanes, d.Kinds)
	for _, section := range sections {
		if x := section(p); len(x.Groups) > 0 {
			s.Linked = append(s.Linked, x)
			for _, g := range x.Groups {
				s.addAll(g.Charts)
			}
		}
	}
	s.Dists, s.Uniform = s.addAll(distCharts(p)), uniform(p)
	s.Phases = s.addAll(rateCharts(p))
	settlePoints(s.Data.Charts, s.Data.Lanes)
	d.Grains = fineCurves(c.Zooms, d.Charts, timeBands(p))
	heatBin := fineHeats(c.Zooms, d.Charts)
	s.Detail = detailText(p, d, joinFor(c.Heatmaps), heatBin)
}

// markText is what stands beside a mark: how long it took to return, and until the data was durable.
func markText(p *profile.Profile, m *profile.Marker) string {
	switch m.Kind {
	case "exit":
		return "returned " + unit.Nanoseconds(m.FromNS-p.StartNS)
	case "durable":
		return "durable " + unit.Nanoseconds(m.FromNS-p.StartNS)
	}
	return visible.Shorten(visible.Text(m.Text), 120)
}

// maxMarks bounds the marks drawn across the charts.
const maxMarks = 500

func (s *Sheet) add(c *Chart) *Chart {
	if c != nil {
		s.Data.Charts = append(s.Data.Charts, c)
	}
	return c
}

func (s *Sheet) addAll(cs []*Chart) []*Chart {
	for _, c := range cs {
		s.add(c)
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

// firstLanes of a kind are shown at once; the others are a click away. A single one more takes the place of the button.
const firstLanes = 3

func laneTitle(kind string) string {
	titles := map[string]string{"copy": "Copies", "process": "Processes", "thread": "Threads", "device": "Devices",
		"file": "Files"}
	return cmp.Or(titles[kind], kind)
}

func (s *Sheet) laneGroups() {
	for i, l := range s.Data.Lanes {
		if n := len(s.Lanes); n == 0 || s.Data.Lanes[s.Lanes[n-1].Chart.Lanes[0]].Kind != l.Kind {
			name := laneTitle(l.Kind)
			c := &Chart{ID: "lanes" + strconv.Itoa(n), Kind: "lanes", Title: name, Option: newPlot("none", drawn(name, "lanes")),
				Lane: laneHeight(l.Kind)}
			s.Lanes = append(s.Lanes, LaneGroup{Title: name, Chart: s.add(c)})
		}
		g := &s.Lanes[len(s.Lanes)-1]
		g.Names = append(g.Names, l.Name)
		g.Chart.Lanes = append(g.Chart.Lanes, i)
		if own := s.own(g.Chart.Lanes); own > firstLanes+1 {
			g.Chart.First = firstLanes
		} else {
			g.Chart.First = own
		}
		g.Chart.Height = g.Chart.First * g.Chart.Lane
	}
	for _, g := range s.Lanes {
		g.Chart.Summary = "Timeline of " + strings.ToLower(g.Title) + ": " + visible.Shorten(strings.Join(g.Names, ", "),
			400) + "."
	}
}

// own is how many lanes are not of files that programs need to run: those stand last. All, if there are no others.
func (s *Sheet) own(lanes []int) int {
	n := slices.IndexFunc(lanes, func(i int) bool {
		return s.Data.Lanes[i].Kind == "file" && content.SystemFile(s.Data.Lanes[i].Name)
	})
	if n <= 0 {
		return len(lanes)
	}
	return n
}

// detailText says where the timeline shows single events and where sums.
func detailText(p *profile.Profile, d *Data, heatJoin int, heatBin int64) string {
	var n int
	for _, l := range p.Charts.Timeline.Lanes {
		n += len(l.Items.Start)
	}
	s := "Curves have one point per " + unit.Nanoseconds(d.BinNS)
	if n := len(d.Grains); n > 0 {
		s += ", zoomed in down to one per " + unit.Nanoseconds(d.Grains[n-1].BinNS)
		if whole := slices.IndexFunc(d.Grains, func(g grain) bool { return !g.Whole }); whole == 0 {
			s += " in the stretches underlined in the overview"
		} else if whole > 0 {
			s += " (per " + unit.Nanoseconds(d.Grains[whole-1].BinNS) + " outside of the stretches underlined in the overview)"
		}
	}
	s += "."
	switch {
	case heatBin > 0:
		s += " Heat maps have one column per " + unit.Nanoseconds(d.BinNS*int64(heatJoin)) + ", zoomed in down to " +
			unit.Nanoseconds(heatBin) + "."
	case heatJoin > 1:
		s += " Heat maps have one column per " + unit.Nanoseconds(d.BinNS*int64(heatJoin)) + "."
	}
	s += " A bar of the timeline is a sum over at least " + unit.Nanoseconds(d.TileNS)
	switch {
	case len(d.Detail) == 0 || n == 0:
		s += "."
	case len(d.Detail) == 1 && d.Detail[0][0] <= 0 && d.Detail[0][1] >= d.EndNS:
		s += ", or one of " + unit.Count(int64(n)) + " single events once there is room for them."
	default:
		s += "; zoom into a stretch that is underlined in the overview to see " + unit.Count(int64(n)) + " events singly."
	}
	if h := p.Charts.Timeline.Hidden; h > 0 {
		s += " " + unit.Things(int64(h), "less busy lane") + " left out."
	}
	return s
}

// Lit says whether there is something to show of a cause of the verdict.
func (s *Sheet) Lit(cause int) bool { return cause < len(s.Data.Lit) && len(s.Data.Lit[cause]) > 0 }
