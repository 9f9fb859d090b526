package chart

import (
	"math"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/table"
)

// firstPlaces are the busiest devices, of which the curves are shown at once.
const firstPlaces = 2

// placeSection is the curves of every layer and device.
func placeSection(p *profile.Profile) (s Section) {
	s.Less = "devices"
	for i, pl := range shownPlaces(p.Charts) {
		if len(pl.directions()) > 0 {
			charts := chartsOf(pl, placeID(i), p.Charts.BinNS, &p.Trace)
			if c := pointsOf(p, pl, placeID(i)); c != nil && p.Trace.TellsLatency(pl.took()) {
				charts = append(charts, c)
			}
			if Pictured(p) || pl.layer != "requests" {
				for _, c := range charts {
					c.Folded = c.Unit != "rate"
				}
			}
			s.Groups = append(s.Groups, Group{Name: pl.name, Charts: charts, Later: len(s.Groups) > firstPlaces, Desk: true})
		}
	}
	return s
}

// chartsOf are the charts over time of one place: four, or fewer where the recording does not tell all.
func chartsOf(p *place, id string, binNS int64, told *profile.Trace) []*Chart {
	throughput := &Chart{ID: id + "-rate", Title: "Throughput", Unit: "rate", Height: 92}
	iops := &Chart{ID: id + "-iops", Title: "IOPS", Unit: "number", Height: 76, Note: "operations ended per second"}
	depth := &Chart{ID: id + "-depth", Title: "Queue depth", Unit: "number", Height: 76, Note: "mean number in flight",
		Folded: true}
	size := &Chart{ID: id + "-size", Title: "Block size", Unit: "size", Height: 84,
		Note: "median; dotted: 90th percentile", Folded: true}
	latency := &Chart{ID: id + "-latency", Title: "Latency", Unit: "time", Height: 92,
		Note: "median; dotted: 99th percentile"}
	for _, d := range p.directions() {
		rates := make([]float64, len(d.Bytes))
		for i, b := range d.Bytes {
			rates[i] = float64(b) / float64(binNS) * 1e9
		}
		throughput.add(d, "", "rate", rates, 0, 0.13, "at most "+unit.Rate(table.Largest(rates)))
		ops := make([]float64, len(d.Ops))
		for i, n := range d.Ops {
			ops[i] = float64(n) / float64(binNS) * 1e9
		}
		iops.add(d, "", "", ops, 0, 0.13, "at most "+table.Number(table.Largest(ops)))
		if table.Largest(d.SizeP50) == 0 { // nothing of it ended: there is neither a size nor a latency
			depth.add(d, "", "depth", d.Depth, 0, 0.10, "")
			continue
		}
		depth.add(d, "", "depth", d.Depth, 0, 0.10, "at most "+table.Number(table.Largest(d.Depth)))
		size.add(d, " p50", "size p50", logs(d.SizeP50, math.Log2), 2, 0, "median at most "+
			unit.BlockSize(table.Largest(d.SizeP50)))
		size.add(d, " p90", "size p90", logs(d.SizeP90, math.Log2), 2, 0, "")
		latency.add(d, " p50", "latency p50", logs(d.LatP50, math.Log10), 10, 0,
			"slowest "+unit.Nanoseconds(table.Largest(d.LatMax)))
		latency.add(d, " p99", "latency p99", logs(d.LatP99, math.Log10), 10, 0, "")
	}
	all := []*Chart{throughput, iops}
	if told.TellsDepth(p.counts(func(s *profile.Series) bool { return table.Largest(s.Depth) > 0 })) {
		all = append(all, depth)
	}
	all = append(all, size)
	if told.TellsLatency(p.took()) {
		all = append(all, latency)
	}
	for _, c := range all {
		c.Kind = "series"
		c.Option = newPlot(axisFormats[c.Unit], c.lines...)
		if c.Height < 80 {
			axisOf(c.Option).SplitNumber = 2
		}
		c.Summary = c.Title + " over time: " + p.name + ". " + strings.Join(c.said, "; ") + "."
	}
	return all
}
