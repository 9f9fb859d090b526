package page

import (
	"slices"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/report/benchmarks"
)

// sizeCharts are those of a set of files: the speed over the size, with the axis of the sizes logarithmic so that small
// files are seen beside large ones, and the time over the size with the line whose slope is the speed. Every file of
// every counted run is a dot.
func sizeCharts(results []benchResult) (all []*Course) {
	var rows []benchPlace
	var lines []benchmarks.Line
	for i, x := range results {
		rows = append(rows, x.place)
		var files []baseline.FileTime
		for _, r := range x.Runs {
			if r.Counted {
				files = append(files, r.Files...)
			}
		}
		if len(files) > 0 {
			lines = append(lines, benchmarks.LineOfFiles(i, baseline.Op(""), files, x.Line))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	c := benchmarks.Curve{Title: "Speed over the file size", Over: baseline.OverSize}
	return slices.DeleteFunc([]*Course{speeds(rows, c, lines), times(rows, lines)},
		func(c *Course) bool { return c == nil })
}
