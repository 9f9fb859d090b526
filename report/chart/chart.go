package chart

import (
	"math"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/table"
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
	Note    string `json:"-"`

	lines []charts.SingleSeries
	said  []string
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

// placeSection is the curves of every layer and device.
func placeSection(p *profile.Profile) (s Section) {
	for i, pl := range shownPlaces(p.Charts) {
		if len(pl.directions()) > 0 {
			s.Groups = append(s.Groups, Group{Name: pl.name, Charts: chartsOf(pl, placeID(i), p.Charts.BinNS, &p.Trace)})
		}
	}
	return s
}

// chartsOf are the charts over time of one place: four, or fewer where the recording does not tell all.
func chartsOf(p *place, id string, binNS int64, told *profile.Trace) []*Chart {
	throughput := &Chart{ID: id + "-rate", Title: "Throughput", Unit: "rate", Height: 92}
	depth := &Chart{ID: id + "-depth", Title: "Queue depth", Unit: "number", Height: 76, Note: "mean number in flight"}
	size := &Chart{ID: id + "-size", Title: "Block size", Unit: "size", Height: 84,
		Note: "median; dotted: 90th percentile"}
	latency := &Chart{ID: id + "-latency", Title: "Latency", Unit: "time", Height: 92,
		Note: "median; dotted: 99th percentile"}
	for _, d := range p.directions() {
		rates := make([]float64, len(d.Bytes))
		for i, b := range d.Bytes {
			rates[i] = float64(b) / float64(binNS) * 1e9
		}
		throughput.add(d, "", "rate", rates, 0, 0.13, "at most "+unit.Rate(table.Largest(rates)))
		depth.add(d, "", "depth", d.Depth, 0, 0.10, "at most "+table.Number(table.Largest(d.Depth)))
		size.add(d, " p50", "size p50", logs(d.SizeP50, math.Log2), 2, 0, "median at most "+
			unit.BlockSize(table.Largest(d.SizeP50)))
		size.add(d, " p90", "size p90", logs(d.SizeP90, math.Log2), 2, 0, "")
		latency.add(d, " p50", "latency p50", logs(d.LatP50, math.Log10), 10, 0,
			"slowest "+unit.Nanoseconds(table.Largest(d.LatMax)))
		latency.add(d, " p99", "latency p99", logs(d.LatP99, math.Log10), 10, 0, "")
	}
	all := []*Chart{throughput}
	if told.TellsDepth(p.counts(func(s *profile.Series) bool { return table.Largest(s.Depth) > 0 })) {
		all = append(all, depth)
	}
	all = append(all, size)
	if told.TellsLatency(p.took()) {
		all = append(all, latency)
	}
	for _, c := range all {
		c.Kind = "series"
		c.Option = newPlot(axisFormats[c.Unit], c.lines...)
		if c.Height < 80 {
			axisOf(c.Option).SplitNumber = 2
		}
		c.Summary = c.Title + " over time: " + p.name + ". " + strings.Join(c.said, "; ") + "."
	}
	return all
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
