package chart

import (
	"strconv"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/content"
)

// Beside adds the distributions of a benchmark laid over those of the workload.
func (s *Sheet) Beside(p *profile.Profile, b *gap.Reference) {
	if b == nil || p.Charts == nil || p.Charts.Bins == 0 {
		return
	}
	for i, x := range content.Spreads(p, b) {
		c := distribution("beside"+strconv.Itoa(i), x.Title, x.Format,
			[]Sample{{"this workload", Colors[0], x.Workload}, {x.Name, Colors[1], x.Benchmark}})
		c.Tell("this workload: " + most(x.Workload, x.Format) + "; " + x.Name + ": " + most(x.Benchmark, x.Format))
		s.Besides = append(s.Besides, c)
	}
	s.addAll(s.Besides)
}

// most words the middle and the end of a distribution.
func most(d profile.Dist, format string) string {
	print := unit.Count
	if format == "size" {
		print = unit.BlockSize
	}
	if d.Min == d.Max {
		return "always " + print(d.Max)
	}
	return "median " + print(d.P50) + ", at most " + print(d.Max)
}
