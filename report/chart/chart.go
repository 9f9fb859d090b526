package chart

import (
	"math"
	"strings"
)

// A Chart is one plot of the page: ECharts options without data, the data as
// arrays beside it, and what a person who cannot see it is told. report.js
// puts the two together.
//
// Names of colours in the options ("$read") stand for the colours of the theme
// and names of formatters ("fn:rate") for functions of report.js.
type Chart struct {
	ID      string         `json:"id"`
	Kind    string         `json:"kind"` // how report.js fills it: "series", "stack", "heat", "lanes", "bars", "curve"
	Title   string         `json:"title"`
	Unit    string         `json:"unit,omitempty"` // formatter of its values
	Option  map[string]any `json:"option"`
	Series  []plot         `json:"series,omitempty"` // in the order of the option's series
	Heat    *heat          `json:"heat,omitempty"`
	Offsets *offsets       `json:"offsets,omitempty"`
	Lanes   []int          `json:"lanes,omitempty"` // indices into the page's lanes
	Lane    int            `json:"lane,omitempty"`  // height of one, in pixels
	First   int            `json:"first,omitempty"` // lanes shown until more are asked for

	Summary string `json:"-"` // aria-label
	Marks   string `json:"-"`
	Height  int    `json:"-"` // pixels
	Folded  bool   `json:"-"` // shown once somebody asks for it
	Note    string `json:"-"`

	lines []series
	said  []string
	lane  string // the name of the lane whose events are drawn
}

// A plot is one series of a chart.
type plot struct {
	Name  string  `json:"name"`
	Color string  `json:"color"`         // token
	Y     array   `json:"y"`             // NaN: nothing to draw
	X     *array  `json:"x,omitempty"`   // without it: one value per time bin
	Log   float64 `json:"log,omitempty"` // base, if Y holds logarithms

	At   int     `json:"at,omitempty"`   // whose bins of each of the page's grains its finer levels have
	Per  float64 `json:"per,omitempty"`  // what one of their units is worth
	Fine []array `json:"fine,omitempty"` // one for each grain

	column string // of the finer levels
}

// axisFormats are the labels of the axis of a unit; those of sizes and times are
// logarithmic.
var axisFormats = map[string]string{"rate": "rate", "number": "number", "size": "size2", "time": "time10"}

// add adds one direction of a place, and which column of the finer levels
// refines it; said is what there is to say about it.
func (c *Chart) add(d direction, what, column string, values []float64, log float64, area float32, said string) {
	c.lines = append(c.lines, stepLine(d.name+what, d.color, area, what == " p90" || what == " p99"))
	per := 1.0
	if column == "depth" {
		per = 1e-6
	}
	c.Series = append(c.Series, plot{Name: d.name + what, Color: d.color, Y: float32s(values), Log: log, At: d.at,
		Per: per, column: column})
	if said != "" {
		c.said = append(c.said, d.name+" "+said)
	}
}

// logs are logarithms of the values; where there was no operation, nothing.
func logs(values []int64, log func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = math.NaN(); v > 0 {
			out[i] = log(float64(v))
		}
	}
	return out
}

// Words is the summary without the title, for the eye.
func (c *Chart) Words() string { return strings.Join(c.said, "; ") }

// Tell replaces what is said of the chart.
func (c *Chart) Tell(text string) {
	c.said = []string{text}
	c.Summary = c.Title + ". " + text + "."
}
