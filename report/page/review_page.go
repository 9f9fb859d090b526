package page

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
	Plot       *Plot
}
