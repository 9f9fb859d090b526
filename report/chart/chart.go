package chart

import (
	"math"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
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

	lines []charts.SingleSeries
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

// newPlot starts the options of a chart in which the value axis is formatted by
// the given function of report.js.
func newPlot(format string, series ...charts.SingleSeries) map[string]any {
	c := charts.NewCustom()
	c.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{ChartID: "fixed"}), // ids are random otherwise
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Left: "62", Right: "12", Top: "8", Bottom: "8"}),
		charts.WithXAxisOpts(timeAxis()),
		charts.WithYAxisOpts(valueAxis(format)),
	)
	c.MultiSeries = append(c.MultiSeries, series...)
	c.Validate()
	return c.JSON()
}

// timeAxis is the same for all charts over time; report.js sets its ends.
func timeAxis() opts.XAxis {
	return opts.XAxis{
		Type: "value", Min: 0,
		AxisLine:  &opts.AxisLine{Show: opts.Bool(false)},
		AxisTick:  &opts.AxisTick{Show: opts.Bool(false)},
		AxisLabel: &opts.AxisLabel{Show: opts.Bool(false)},
		SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$grid"}},
	}
}

func axisOf(option map[string]any) *opts.YAxis { return &option["yAxis"].([]opts.YAxis)[0] }

func valueAxis(format string) opts.YAxis {
	return opts.YAxis{
		Type: "value", SplitNumber: 3,
		AxisLine: &opts.AxisLine{Show: opts.Bool(false)},
		AxisLabel: &opts.AxisLabel{Show: opts.Bool(true), Formatter: types.FuncStr("fn:" + format), Color: "$muted",
			FontSize: 11},
		SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$grid"}},
	}
}

// stepLine is a line that holds each value until the next; report.js lays its
// corners out, so that a gap stays a gap.
func stepLine(name, color string, area float32, dashed bool) charts.SingleSeries {
	s := charts.SingleSeries{Name: name, Type: types.ChartLine, Symbol: "none", ConnectNulls: opts.Bool(false),
		Animation: opts.Bool(false)}
	s.LineStyle = &opts.LineStyle{Color: "$" + color, Width: 1.5}
	if dashed {
		s.LineStyle.Type = "dotted"
	}
	s.ItemStyle = &opts.ItemStyle{Color: "$" + color}
	if area > 0 {
		s.AreaStyle = &opts.AreaStyle{Color: "$" + color, Opacity: opts.Float(area)}
	}
	return s
}

// drawn is a series that report.js draws itself.
func drawn(name, how string) charts.SingleSeries {
	return charts.SingleSeries{Name: name, Type: types.ChartCustom, RenderItem: types.FuncStr("fn:" + how),
		Animation: opts.Bool(false)}
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
