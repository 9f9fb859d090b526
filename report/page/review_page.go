package page

// reviewPage is what the page is made of.
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
