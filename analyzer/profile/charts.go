package profile

// Charts is what the charts of a report are drawn from. Its size is bounded,
// whatever the length of the trace.
type Charts struct {
	BinNS    int64    `json:"bin_ns"` // width of a time bin; bin i begins at i*BinNS
	Bins     int      `json:"bins"`
	Series   []Series `json:"series"`
	Heatmaps []Heat   `json:"heatmaps"`
	Stack    []Labels `json:"stack"` // the time stack per bin
	Zooms    []Zoom   `json:"zooms"` // finer levels of Series and Stack, coarse to fine
	Timeline Timeline `json:"timeline"`
	Rates    []Rates  `json:"rates"` // the curves behind phases

	Offsets []Offsets `json:"offsets"` // where in the heaviest files, over time

	Pipeline *Pipeline `json:"pipeline,omitempty"` // if calls moved the data of copies
}

// Series is one direction of one layer or device over time. Arrays have one
// element per time bin.
type Series struct {
	Layer     string    `json:"layer"`            // "calls" or "requests"
	Device    string    `json:"device,omitempty"` // for requests
	Level     int       `json:"level"`
	Direction string    `json:"direction"` // "read", "write"
	Bytes     []int64   `json:"bytes"`     // long operations are spread over their duration
	Ops       []int64   `json:"ops"`       // that ended in the bin
	Depth     []float64 `json:"depth"`     // mean number in flight during the bin
	SizeP50   []int64   `json:"size_p50"`  // 0 where no operation ended
	SizeP90   []int64   `json:"size_p90"`
	LatP50    []int64   `json:"latency_p50"`
	LatP99    []int64   `json:"latency_p99"`
	LatMax    []int64   `json:"latency_max"`
}

// Zoom is a finer level of the curves. Its arrays hold a value for each bin in
// which something changes; it holds until the next.
type Zoom struct {
	BinNS   int64    `json:"bin_ns"`
	Whole   bool     `json:"whole"`    // it covers the recording; if not, the Detail windows of the timeline
	Series  []Steps  `json:"series"`   // as Charts.Series
	StackAt []int64  `json:"stack_at"` // bins of Stack
	Stack   []Labels `json:"stack"`    // -1 of the first label: not known, outside of the windows

	HeatWhole bool   `json:"heat_whole"` // Heatmaps cover the recording; if not, the windows
	Heatmaps  []Heat `json:"heatmaps"`   // as Charts.Heatmaps, with the same rows; none if they had too many cells
}

// Steps is one direction of one layer or device at a finer level.
type Steps struct {
	Layer     string    `json:"layer"`
	Device    string    `json:"device,omitempty"`
	Direction string    `json:"direction"`
	At        []int64   `json:"at"`    // bins
	Bytes     []int64   `json:"bytes"` // per bin; -1: nothing is known, outside of the windows
	Depth     []float64 `json:"depth"`
	SizeP50   []int64   `json:"size_p50"` // 0 where no operation ended
	SizeP90   []int64   `json:"size_p90"`
	LatP50    []int64   `json:"latency_p50"`
	LatP99    []int64   `json:"latency_p99"`
}

// Heat is a heat map: how many operations ended in a time bin with a value in
// a row.
type Heat struct {
	Quantity  string  `json:"quantity"` // "latency_ns", "size_bytes"
	Layer     string  `json:"layer"`
	Device    string  `json:"device,omitempty"`
	Direction string  `json:"direction"`
	Rows      []int64 `json:"rows"`  // lower edges; the last row is open
	Cells     []Cell  `json:"cells"` // those that are not empty
}

// Cell is [time bin, row, count].
type Cell [3]int64

// Labels is the time under one label of the time stack, per bin.
type Labels struct {
	Label string  `json:"label"`
	NS    []int64 `json:"ns"`
}

// Timeline is the zoomable picture: lanes on one time axis. A lane shows
// single events within the Detail windows and aggregates elsewhere.
type Timeline struct {
	EndNS  int64    `json:"end_ns"`
	TileNS int64    `json:"tile_ns"` // width of an aggregate; tile i begins at i*TileNS
	Tiles  int      `json:"tiles"`
	Detail []Window `json:"detail"` // where every event of every lane is shown singly
	What   []string `json:"what"`   // names of Items.What: operations, requests, faults, waits
	Lanes  []Lane   `json:"lanes"`
	Hidden int      `json:"hidden"` // lanes left out, the least busy ones
	Marks  []Marker `json:"marks"`  // instants and stretches worth a line
}

// Window is a stretch of time.
type Window struct {
	FromNS int64 `json:"from_ns"`
	ToNS   int64 `json:"to_ns"`
}

// Lane is one row of the timeline. Tiles hold everything, single events too,
// so that a coarse picture needs nothing else.
type Lane struct {
	Kind  string `json:"kind"` // "thread", "device", "file"
	Name  string `json:"name"`
	PID   uint32 `json:"pid,omitempty"`
	TID   uint32 `json:"tid,omitempty"`
	Tiles Tiles  `json:"tiles"`
	Items Items  `json:"items"`
}

// Tiles are the aggregates of a lane as parallel arrays; empty tiles are left
// out.
type Tiles struct {
	At    []int64 `json:"at"`      // index of the tile
	Count []int64 `json:"count"`   // events that began in it
	Busy  []int64 `json:"busy_ns"` // time in flight within it, added over events
	Wait  []int64 `json:"wait_ns"` // the part of Busy that is waits
	What  []int   `json:"what"`    // of the event, not a wait, that fills most of it: index into Timeline.What, -1 if none
	Lead  []int64 `json:"lead_ns"` // time of that event within it
	Read  []int64 `json:"read"`    // bytes
	Write []int64 `json:"write"`
	Max   []int64 `json:"max_ns"` // longest event that began in it
}

// Items are single events as parallel arrays, by start.
type Items struct {
	Start  []int64 `json:"start"`
	Dur    []int64 `json:"dur"`
	What   []int   `json:"what"`   // index into Timeline.What
	Bytes  []int64 `json:"bytes"`  // moved
	Offset []int64 `json:"offset"` // in the file or on the device; -1 if none
	File   []int   `json:"file"`   // index into Profile.Files, -1 if none is listed
}

// Marker is an instant or a stretch on the time axis.
type Marker struct {
	FromNS int64  `json:"from_ns"`
	ToNS   int64  `json:"to_ns"`
	Kind   string `json:"kind"` // "lost", "copy", "step", "exit", "durable", "exec"
	Text   string `json:"text"`
}

// Pipeline is how many bytes of copied files reached each stage of the copying, per time bin.
type Pipeline struct {
	BinNS     int64    `json:"bin_ns"`
	Read      []int64  `json:"read"`       // of the sources, by devices
	Copied    []int64  `json:"copied"`     // to the destinations, by calls; long ones are spread over their duration
	Written   []int64  `json:"written"`    // of the destinations, by devices
	ReadFrom  []string `json:"read_from"`  // devices, most bytes first
	WrittenTo []string `json:"written_to"` // likewise
}

// Rates is a curve of speed over cumulative bytes.
type Rates struct {
	Series string  `json:"series"`
	Device string  `json:"device,omitempty"`
	Chunk  int64   `json:"chunk_bytes"`
	AtNS   []int64 `json:"at_ns"`       // end of each chunk
	Rate   []int64 `json:"bytes_per_s"` // of each chunk
	Busy   []int64 `json:"busy_ns"`     // in each chunk, with an operation in flight
}

// Offsets is where in a file the workload read, wrote and faulted, over time. A call that
// moved many rows passes through them in the time it took.
type Offsets struct {
	File     string  `json:"file"`
	BinNS    int64   `json:"bin_ns"`    // width of a bin of time
	RowBytes int64   `json:"row_bytes"` // of the file
	Rows     int64   `json:"rows"`      // up to the last that was touched
	Cells    []Touch `json:"cells"`     // by time, then by row
}

// Touch is [time bin, row, way, bytes].
type Touch [4]int64

// The ways of a Touch.
const (
	TouchRead  = 0
	TouchWrite = 1
	TouchFault = 2 // waited for mapped pages
)
