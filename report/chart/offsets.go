package chart

import (
	"strconv"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// offsets is where in a file the workload was, as the page gets it: parallel arrays of
// cells.
type offsets struct {
	BinNS int64    `json:"bin"`
	Row   int64    `json:"row"`  // bytes
	Ways  []string `json:"ways"` // colours, in the order of their numbers
	At    array    `json:"at"`
	Rows  array    `json:"rows"`
	Way   array    `json:"way"`
	Bytes array    `json:"bytes"`
}

// offsetSection is where in the heaviest files the workload was: one after the other is a
// line, jumping about a cloud.
func offsetSection(p *profile.Profile) Section {
	s := Section{ID: "offsets", Title: "Access pattern (offset over time)",
		Note: "Each file from its beginning, below, to its end. One piece after the other is a rising line, jumping about " +
			"a cloud.", Less: "files"}
	for i, o := range ownOffsets(p.Charts.Offsets) {
		s.Groups = append(s.Groups, Group{
			Name: visible.Shorten(visible.Text(o.File), 120), Charts: []*Chart{offsetChart(o, "offsets"+strconv.Itoa(i))},
			Later: i >= firstOffsets,
		})
	}
	s.Folded = Pictured(p)
	return s
}

// firstOffsets are the files of which the pattern is shown at once.
const firstOffsets = 2

// ownOffsets leaves out the files that programs need to run, if there are others.
func ownOffsets(all []profile.Offsets) (own []*profile.Offsets) {
	var system []*profile.Offsets
	for i := range all {
		if content.SystemFile(all[i].File) {
			system = append(system, &all[i])
		} else {
			own = append(own, &all[i])
		}
	}
	if len(own) == 0 {
		return system
	}
	return own
}

func offsetChart(o *profile.Offsets, id string) *Chart {
	c := &Chart{ID: id, Kind: "offsets", Title: "Offset", Unit: "amount", Height: 116}
	c.Option = newPlot("amount", drawn("offset", "offsets"))
	axis := axisOf(c.Option)
	axis.Min, axis.Max = 0, float64(o.Rows*o.RowBytes)
	axis.AxisLabel.ShowMaxLabel = no // the end of a row is a round number of nothing
	var at, row, way, bytes []int64
	moved := [3]int64{}
	for _, t := range o.Cells {
		at, row, way, bytes = append(at, t[0]), append(row, t[1]), append(way, t[2]), append(bytes, t[3])
		moved[t[2]] += t[3]
	}
	c.Offsets = &offsets{BinNS: o.BinNS, Row: o.RowBytes, Ways: []string{"read", "write", "fault"},
		At: deltas(at), Rows: uint8s(row), Way: uint8s(way), Bytes: integers(bytes)}
	c.Summary = "Where in " + visible.Shorten(visible.Text(o.File), 120) + " over time: " +
		unit.Bytes(moved[profile.TouchRead]) + " read, " +
		unit.Bytes(moved[profile.TouchWrite]) + " written, " + unit.Bytes(moved[profile.TouchFault]) + " faulted in."
	return c
}
