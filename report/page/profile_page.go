package page

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
)

// page is what the page is made of.
type page struct {
	content.Notes
	*chart.Sheet
	Title  string
	Words  []string // of the title, or of what there is room for
	Whole  string   // the title, if it is longer than that
	Source string
	// Incident is what a flight recorder has written the trace for.
	Incident []string
	answers
	Facts     []fact
	Reasons   []reason // for the verdict
	Sentences []sentence
	Warnings  []warning
	Stack     stackTable // by causes
	States    stackTable // by what the program and its devices did
	StackMark string
	Tables    map[string]*tableView
	Steps     []stepView
	ChartMark string
	Recording []string
	Limits    []profile.Limit
	Explained []word // at its first place and at the end
	gloss     glossary
	chartData
}

// A fact is one of the large numbers at the top.
type fact struct{ Name, Value, More string }

type sentence struct {
	Text       []piece
	Link, Mark string
	Evidence   []number
}

type warning struct {
	Number int
	Text   string
}

// stackTable is a time in parts; so many of them are small.
type stackTable struct {
	Rows    []stackRow
	Small   int
	Smaller string // how many they are, and their share
	small   float64
}

type stackRow struct {
	Color, Text string
	Pieces      []piece // of the text
	Time, Share string
	Width       string // percent of the bar
	Small       bool   // shown once somebody asks for it
}

type stepView struct {
	Text  string
	Facts []string
}
