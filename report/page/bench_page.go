package page

import (
	"github.com/iotrace/iotrace/baseline"

	"github.com/iotrace/iotrace/report/table"
)

// benchPage is what the page is made of.
type benchPage struct {
	Title, Source string
	Suite         string // what all patterns are of, if that is one
	Places        []benchPlace
	Warnings      []string
	Tips          []string
	Overview      *Plot
	Curves        []*Course
	Patterns      []benchPattern

	common string // what the names of all patterns begin with
}

// benchPlace is a directory and its colour.
type benchPlace struct{ Name, About, Color string }

// benchResult is what a step gave in a place.
type benchResult struct {
	*baseline.StepResult
	place benchPlace
}

type benchPattern struct {
	ID, Name, Title, About string
	Scores                 []string // what the original sums all steps up to, in each place
	Steps                  []benchStep

	results []overviewStep
}

type benchStep struct {
	Name     string
	Speed    *Plot
	Latency  *Plot
	Course   *Course
	Sizes    []*Course // of a set of files
	Table    placesTable
	Warnings []string
}

// placesTable is a table with a row for each place, in the colours of the plots. Its first column are their names.
type placesTable struct {
	Title   string
	Places  []benchPlace
	Columns []table.Column
}
