package page

import "github.com/iotrace/iotrace/report/page/plot"

// reviewPage is what the template is filled with.
type reviewPage struct {
	Title, Source, Legend string
	Heads                 []string
	Rows                  []reviewRow
	Tasks                 []reviewTask
	Curves                []reviewCurve
	Conditions            []string
	Interrupted           bool
}

// reviewRow is a volume with its cell of each task.
type reviewRow struct {
	benchPlace
	Cells []reviewCell
}

type reviewCell struct{ Median, Interval string }

type reviewTask struct {
	Name, Said string
	Plot       *plot.Plot
}
