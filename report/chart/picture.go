package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
)

// A Picture is what the first screen of a page draws: a copy stage by stage, or else what the time went to above those
// whom it went through.
type Picture struct {
	Title, Note string
	Charts      []*Chart
	Lanes       []LaneGroup
}

// picture draws the first screen.
func (s *Sheet) picture(p *profile.Profile) {
	if c := pipelineChart(p); c != nil {
		s.Picture = &Picture{Title: "Copy pipeline", Charts: s.addAll([]*Chart{c}),
			Note: "Bytes that have reached each stage. The height between two lines is data waiting, the width its delay."}
		return
	}
	c := stackChart(p)
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

// laneGroup is some of the lanes as a chart of their own.
func (s *Sheet) laneGroup(id string, list ...int) []LaneGroup {
	if len(list) == 0 {
		return nil
	}
	kind := s.Data.Lanes[list[0]].Kind
	c := &Chart{ID: id, Kind: "lanes", Title: laneTitle(kind), Option: newPlot("none", drawn(kind, "lanes")),
		Lane: laneHeight(kind), Lanes: list, First: len(list), Height: len(list) * laneHeight(kind)}
	g := LaneGroup{Title: c.Title, Chart: s.add(c)}
	for _, i := range list {
		g.Names = append(g.Names, s.Data.Lanes[i].Name)
	}
	c.Summary = strconv.Itoa(len(list)) + " " + strings.ToLower(c.Title) + " over time: " +
		visible.Shorten(strings.Join(g.Names, ", "), 400) + "."
	return []LaneGroup{g}
}
