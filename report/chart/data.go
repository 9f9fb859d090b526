package chart

// Data is what report.js works on.
type Data struct {
	EndNS  int64      `json:"end"`
	BinNS  int64      `json:"bin"`
	TileNS int64      `json:"tile"`
	Marks  []mark     `json:"marks"`
	Detail [][2]int64 `json:"detail"`
	Kinds  []kindOf   `json:"kinds"`
	Names  []string   `json:"names"`
	Lanes  []lane     `json:"lanes"`
	Charts []*Chart   `json:"charts"`
	Grains []grain    `json:"grains"` // finer levels of the curves, coarse to fine

	Lit [][][2]int64 `json:"lit,omitempty"` // of each cause of the verdict: when it took most of the time

	Overlaid bool `json:"overlaid,omitempty"` // the curves of a chart are different runs of time
}

// A mark is an instant or a stretch drawn across all charts over time.
type mark struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// LaneGroup is the lanes of one kind, drawn in one chart.
type LaneGroup struct {
	Title string
	Names []string
	Chart *Chart
}

// More is the number of lanes that are not shown at first.
func (g LaneGroup) More() int { return len(g.Names) - g.Chart.First }

// noData is what a page without charts has.
func noData() Data {
	return Data{Charts: []*Chart{}, Lanes: []lane{}, Marks: []mark{}, Detail: [][2]int64{}, Kinds: []kindOf{},
		Names: []string{}, Grains: []grain{}}
}
