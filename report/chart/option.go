package chart

// The options of ECharts that the charts need, each in the order in which a page has them.

// series is a line, bars, or what the page draws itself. What it draws is beside the options.
type series struct {
	Name           string `json:"name,omitempty"`
	Type           string `json:"type"`
	BarGap         string `json:"barGap,omitempty"`
	BarCategoryGap string `json:"barCategoryGap,omitempty"`
	Step           string `json:"step,omitempty"`
	ConnectNulls   *bool  `json:"connectNulls,omitempty"`
	Symbol         string `json:"symbol,omitempty"`
	RenderItem     string `json:"renderItem,omitempty"`
	Animation      bool   `json:"animation"`
	ItemStyle      *style `json:"itemStyle,omitempty"`
	LineStyle      *style `json:"lineStyle,omitempty"`
	AreaStyle      *style `json:"areaStyle,omitempty"`
}

type style struct {
	Color   string  `json:"color"`
	Width   float32 `json:"width,omitempty"`
	Type    string  `json:"type,omitempty"`
	Opacity float32 `json:"opacity,omitempty"`
}

// xAxis and yAxis have nil where ECharts finds the end itself.
type xAxis struct {
	Type      string   `json:"type"`
	Data      []string `json:"data,omitempty"`
	Min       any      `json:"min,omitempty"`
	Max       any      `json:"max,omitempty"`
	SplitLine *rule    `json:"splitLine,omitempty"`
	AxisLine  rule     `json:"axisLine"`
	AxisLabel label    `json:"axisLabel"`
	AxisTick  rule     `json:"axisTick"`
}

type yAxis struct {
	Type        string `json:"type"`
	SplitNumber int    `json:"splitNumber"`
	Min         any    `json:"min,omitempty"`
	Max         any    `json:"max,omitempty"`
	SplitLine   rule   `json:"splitLine"`
	AxisLabel   label  `json:"axisLabel"`
	AxisLine    rule   `json:"axisLine"`
}

// rule is a line of an axis or of the grid behind the chart.
type rule struct {
	Show      bool   `json:"show"`
	LineStyle *style `json:"lineStyle,omitempty"`
}

// label is how an axis is labelled. Its ends are, where ECharts finds room, unless said otherwise.
type label struct {
	Show         bool   `json:"show"`
	Interval     string `json:"interval,omitempty"`
	Formatter    string `json:"formatter,omitempty"`
	ShowMinLabel *bool  `json:"showMinLabel"`
	ShowMaxLabel *bool  `json:"showMaxLabel"`
	HideOverlap  bool   `json:"hideOverlap,omitempty"`
	Color        string `json:"color,omitempty"`
	FontSize     int    `json:"fontSize,omitempty"`
}

// grid is what the labels leave of a chart's place, in pixels.
type grid struct {
	Left   string `json:"left"`
	Top    string `json:"top"`
	Right  string `json:"right"`
	Bottom string `json:"bottom"`
}

var (
	no        = new(bool)
	gridLines = rule{Show: true, LineStyle: &style{Color: "$grid"}}
)

// newPlot starts the options of a chart in which the value axis is formatted by
// the given function of report.js.
func newPlot(format string, lines ...series) map[string]any {
	return map[string]any{
		"animation": false, "title": struct{}{}, "toolbox": struct{}{}, "legend": rule{}, "tooltip": rule{},
		"color": []string{"#5470c6", "#91cc75", "#fac858", "#ee6666", "#73c0de", "#3ba272", "#fc8452", "#9a60b4", "#ea7ccc"},
		"grid":  []grid{{Left: "62", Right: "12", Top: "8", Bottom: "8"}},
		"xAxis": []xAxis{timeAxis()}, "yAxis": []yAxis{valueAxis(format)}, "series": lines,
	}
}

// timeAxis is the same for all charts over time; report.js sets its ends.
func timeAxis() xAxis { return xAxis{Type: "value", Min: 0, SplitLine: &gridLines} }

func valueAxis(format string) yAxis {
	return yAxis{Type: "value", SplitNumber: 3, SplitLine: gridLines,
		AxisLabel: label{Show: true, Formatter: "fn:" + format, Color: "$muted", FontSize: 11}}
}

func axisOf(option map[string]any) *yAxis { return &option["yAxis"].([]yAxis)[0] }

// stepLine is a line that holds each value until the next; report.js lays its
// corners out, so that a gap stays a gap.
func stepLine(name, color string, area float32, dashed bool) series {
	s := series{Name: name, Type: "line", Symbol: "none", ConnectNulls: no, ItemStyle: &style{Color: "$" + color},
		LineStyle: &style{Color: "$" + color, Width: 1.5}}
	if dashed {
		s.LineStyle.Type = "dotted"
	}
	if area > 0 {
		s.AreaStyle = &style{Color: "$" + color, Opacity: area}
	}
	return s
}

// drawn is a series that report.js draws itself.
func drawn(name, how string) series {
	return series{Name: name, Type: "custom", RenderItem: "fn:" + how}
}
