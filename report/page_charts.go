package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// charts fills in everything that is drawn.
func (pg *page) charts(p *profile.Profile) {
	c := p.Charts
	d := &pg.Data
	d.EndNS, d.BinNS = max(c.Timeline.EndNS, 1), c.BinNS
	var join int
	d.Lanes, d.Kinds, d.Names, join = lanes(p)
	d.TileNS = c.Timeline.TileNS * int64(join)
	for _, w := range c.Timeline.Detail {
		d.Detail = append(d.Detail, [2]int64{w.FromNS, w.ToNS})
	}
	for _, m := range c.Timeline.Marks {
		if m.Kind != "copy" && (m.Kind != "durable" || written(p) > 0) && len(d.Marks) < maxMarks {
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
	pg.fineCurves(c)
	pg.fineHeats(c)
	pg.ChartMark = pg.mark(pg.touching("/charts"))
	pg.Detail = detailText(p, d, heatJoin, pg.heatBin)
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

// firstLanes of a kind are shown at once; the others are a click away.
const firstLanes = 8

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
		if g.Chart.First = len(g.Names); len(g.Names) > firstLanes+2 {
			g.Chart.First = firstLanes
		}
		g.Chart.Height = g.Chart.First * g.Chart.Lane
	}
	for _, g := range pg.Lanes {
		g.Chart.Summary = "Timeline of " + strings.ToLower(g.Title) + ": " + shorten(strings.Join(g.Names, ", "), 400) + "."
	}
}

// detailText says where the timeline shows single events and where sums.
func detailText(p *profile.Profile, d *pageData, heatJoin int, heatBin int64) string {
	var n int
	for _, l := range p.Charts.Timeline.Lanes {
		n += len(l.Items.Start)
	}
	s := "Curves have one point per " + duration(d.BinNS)
	if n := len(d.Grains); n > 0 {
		s += ", zoomed in down to one per " + duration(d.Grains[n-1].BinNS)
		if whole := slices.IndexFunc(d.Grains, func(g grain) bool { return !g.Whole }); whole == 0 {
			s += " in the stretches underlined in the overview"
		} else if whole > 0 {
			s += " (per " + duration(d.Grains[whole-1].BinNS) + " outside of the stretches underlined in the overview)"
		}
	}
	s += "."
	switch {
	case heatBin > 0:
		s += " Heat maps have one column per " + duration(d.BinNS*int64(heatJoin)) + ", zoomed in down to " + duration(heatBin) + "."
	case heatJoin > 1:
		s += " Heat maps have one column per " + duration(d.BinNS*int64(heatJoin)) + "."
	}
	s += " A bar of the timeline is a sum over at least " + duration(d.TileNS)
	switch {
	case len(d.Detail) == 0 || n == 0:
		s += "."
	case len(d.Detail) == 1 && d.Detail[0][0] <= 0 && d.Detail[0][1] >= d.EndNS:
		s += ", or one of " + grouped(int64(n)) + " single events once there is room for them."
	default:
		s += "; zoom into a stretch that is underlined in the overview to see " + grouped(int64(n)) + " events singly."
	}
	if h := p.Charts.Timeline.Hidden; h > 0 {
		s += " " + some(int64(h), "less busy lane") + " left out."
	}
	return s
}
