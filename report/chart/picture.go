package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// A Picture is what the first screen of a page draws: a copy stage by stage, or else what the time went to above those
// whom it went through.
type Picture struct {
	Title, Note string
	Charts      []*Chart
	Lanes       []laneGroup
}

// picture draws the first screen.
func (s *Sheet) picture(p *profile.Profile) {
	if c := pipelineChart(p); c != nil {
		s.Picture = &Picture{Title: "Copy pipeline", Charts: s.addAll([]*Chart{c}),
			Note: "Bytes that have reached each stage. The height between two lines is data waiting, the width its delay."}
		return
	}
	c := stackChart(p.Charts, stackNames(p))
	if c == nil {
		return
	}
	c.ID, c.Kind, c.Title, c.Note, c.Height = "path-time", "stack", "Time by cause", "", 64
	s.Picture = &Picture{Title: "Where the time went", Note: "Every moment by what it was spent on, above those that it " +
		"went through."}
	if p.Path != nil {
		c.Title, s.Picture.Title = "Critical path", "Critical path"
	}
	s.Picture.Charts = s.addAll([]*Chart{c})
	for _, kind := range []string{"thread", "device"} {
		s.Picture.Lanes = append(s.Picture.Lanes, s.laneGroup("first-"+kind, s.busiest(p, kind)...)...)
	}
}

// mostBusy is how many lanes of a kind stand on the first screen.
const mostBusy = 3

// busiest are the lanes of a kind that the critical path goes through most; without one, those that were busy longest.
func (s *Sheet) busiest(p *profile.Profile, kind string) (list []int) {
	weight := map[int]float64{}
	for i, l := range s.Data.Lanes {
		if l.Kind == kind {
			list, weight[i] = append(list, i), l.busy
			for _, part := range pathParts(p) {
				if onPath(&part.Place, kind, l.Name) {
					weight[i] += 1e12 * part.Share // before all that it does not go through
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	return list[:min(len(list), mostBusy)]
}

func pathParts(p *profile.Profile) []profile.PathPart {
	if p.Path == nil {
		return nil
	}
	return p.Path.Parts
}

func onPath(at *profile.PathPlace, kind, lane string) bool {
	if kind == "device" {
		return at.Device != "" && visible.Text(at.Device) == lane
	}
	name, _, _ := strings.Cut(lane, " ")
	return at.Process != "" && visible.Text(at.Process) == name
}

// pipelineChart draws how many bytes of copied files had reached each stage by when; nil if no call moved any.
func pipelineChart(p *profile.Profile) *Chart {
	x := p.Charts.Pipeline
	if x == nil || !copying(p) {
		return nil
	}
	c := &Chart{ID: "pipeline", Kind: "path", Title: "Bytes so far", Unit: "amount", Height: 190}
	var lines []charts.SingleSeries
	for _, stage := range []struct {
		name, color string
		bytes       []int64
		devices     []string
	}{{"read from ", "read", x.Read, x.ReadFrom}, {"copied", "stack-page_cache", x.Copied, nil},
		{"written to ", "write", x.Written, x.WrittenTo}} {
		name := stage.name + visible.Shorten(visible.Text(strings.Join(stage.devices, ", ")), 32)
		at, sums := growth(stage.bytes, x.BinNS, p.StartNS, p.Charts.Timeline.EndNS)
		if len(at) == 0 {
			continue
		}
		total := sums[len(sums)-1]
		xs := deltas(at)
		c.Series = append(c.Series, plot{Name: name, Color: stage.color, X: &xs, Y: float32s(sums)})
		lines = append(lines, stepLine(name, stage.color, 0, false))
		c.said = append(c.said, name+": "+unit.Bytes(int64(total))+" by "+unit.Nanoseconds(lastGrowth(at, sums)-p.StartNS))
	}
	c.Option = newPlot("amount", lines...)
	c.Summary = "Bytes of the copies over time. " + strings.Join(c.said, "; ") + "."
	return c
}

// copying reports whether the copies were most of what calls wrote.
func copying(p *profile.Profile) bool {
	var copied, written int64
	for _, n := range p.Charts.Pipeline.Copied {
		copied += n
	}
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Name == "calls" && l.Write != nil {
			written = l.Write.Bytes
		}
	}
	return 2*copied >= written
}

// growth is the sum of bytes so far at the ends of the bins in which it grows, and where that begins.
func growth(bytes []int64, bin, start, end int64) (at []int64, sums []float64) {
	var sum int64
	grew := false
	for i, n := range bytes {
		if n == 0 {
			grew = false
			continue
		}
		if from := int64(i) * bin; !grew {
			at, sums = append(at, min(from, end)), append(sums, float64(sum))
		}
		sum, grew = sum+n, true
		at, sums = append(at, min(int64(i+1)*bin, end)), append(sums, float64(sum))
	}
	if len(at) > 0 {
		at, sums = slices.Insert(at, 0, min(start, at[0])), slices.Insert(sums, 0, 0)
		at, sums = append(at, max(end, at[len(at)-1])), append(sums, float64(sum))
	}
	return at, sums
}

func lastGrowth(at []int64, sums []float64) int64 {
	i := slices.Index(sums, sums[len(sums)-1])
	return at[i]
}

// laneGroup is some of the lanes as a chart of their own.
func (s *Sheet) laneGroup(id string, list ...int) []laneGroup {
	if len(list) == 0 {
		return nil
	}
	kind := s.Data.Lanes[list[0]].Kind
	c := &Chart{ID: id, Kind: "lanes", Title: laneTitle(kind), Option: newPlot("none", drawn(kind, "lanes")),
		Lane: laneHeight(kind), Lanes: list, First: len(list), Height: len(list) * laneHeight(kind)}
	g := laneGroup{Title: c.Title, Chart: s.add(c)}
	for _, i := range list {
		g.Names = append(g.Names, s.Data.Lanes[i].Name)
	}
	c.Summary = strconv.Itoa(len(list)) + " " + strings.ToLower(c.Title) + " over time: " +
		visible.Shorten(strings.Join(g.Names, ", "), 400) + "."
	return []laneGroup{g}
}
