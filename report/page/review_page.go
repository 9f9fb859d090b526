package page

import "github.com/iotrace/iotrace/report/page/plot"

// reviewPage is what the template is filled with.
type reviewPage struct {
	Title, Source, Legend string
	Table                 placesTable
	Places                []benchPlace
	Tasks                 []reviewTask
	Curves                []reviewCurve
	Conditions            []string
	Interrupted           bool
}

type reviewTask struct {
	Name, Said string
	Plot       *plot.Plot
}
