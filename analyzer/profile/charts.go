package profile

// Charts is what the charts of a report are drawn from. Its size is bounded,
// whatever the length of the trace.
type Charts struct {
	BinNS    int64    `json:"bin_ns"`   // width of a time bin; bin i begins at i*`bin_ns`
	Bins     int      `json:"bins"`     // how many
	Series   []Series `json:"series"`   // curves
	Heatmaps []Heat   `json:"heatmaps"` // heat maps
	Stack    []Labels `json:"stack"`    // the time stack per bin
	Zooms    []Zoom   `json:"zooms"`    // finer levels of `series` and `stack`, coarse to fine
	Timeline Timeline `json:"timeline"` // the zoomable picture
	Rates    []Rates  `json:"rates"`    // the curves behind phases

	Offsets []Offsets `json:"offsets"` // where in the heaviest files, at most 8, over time

	// copies, stage by stage; absent if no call moved the data of a copy
	Pipeline *Pipeline `json:"pipeline,omitempty"`
}

// Series is one direction of one layer or device over time. Arrays have one
// element per time bin.
type Series struct {
	Layer     string    `json:"layer"`            // "calls" or "requests"
	Device    string    `json:"device,omitempty"` // for requests
	Level     int       `json:"level"`            // as in [Layer](#layer)
	Direction string    `json:"direction"`        // "read", "write"
	Bytes     []int64   `json:"bytes"`            // long operations are spread over their duration
	Ops       []int64   `json:"ops"`              // that ended in the bin
	Depth     []float64 `json:"depth"`            // mean number in flight during the bin
	SizeP50   []int64   `json:"size_p50"`         // 0 where no operation ended
	SizeP90   []int64   `json:"size_p90"`         // likewise
	LatP50    []int64   `json:"latency_p50"`      // likewise, ns
	LatP99    []int64   `json:"latency_p99"`      // likewise
	LatMax    []int64   `json:"latency_max"`      // likewise
}

// Zoom is a finer level of the curves: bins five times finer than those of the level before. Its arrays hold a value
// for each bin in which something changes; it holds until the next. A level is kept for the whole recording if its
// curves change at most 40,000 times, otherwise for the windows of [Timeline](#timeline) `detail` or not at all. Bins
// are at least 1 µs wide.
type Zoom struct {
	BinNS   int64   `json:"bin_ns"`   // width of a bin
	Whole   bool    `json:"whole"`    // it covers the whole recording; otherwise only the windows
	Series  []Steps `json:"series"`   // as in [Charts](#charts)
	StackAt []int64 `json:"stack_at"` // bins at which the time stack changes
	// one element per change; -1 of `device_both`: not known, outside of the windows
	Stack []Labels `json:"stack"`

	// its heat maps cover the whole recording; otherwise only the windows
	HeatWhole bool `json:"heat_whole"`
	// as in [Charts](#charts), with the same rows; empty if they had more than 60,000 cells even in the windows
	Heatmaps []Heat `json:"heatmaps"`
}

// Steps is one direction of one layer or device at a finer level.
type Steps struct {
	Layer     string    `json:"layer"`            // `calls` or `requests`
	Device    string    `json:"device,omitempty"` // name of the device; missing for calls
	Direction string    `json:"direction"`        // `read` or `write`
	At        []int64   `json:"at"`               // bins
	Bytes     []int64   `json:"bytes"`            // per bin; -1: nothing is known, outside of the windows
	Depth     []float64 `json:"depth"`            // mean number in flight during the bin
	SizeP50   []int64   `json:"size_p50"`         // 0 where no operation ended
	SizeP90   []int64   `json:"size_p90"`         // likewise
	LatP50    []int64   `json:"latency_p50"`      // likewise, ns
	LatP99    []int64   `json:"latency_p99"`      // likewise
}

// Heat is a heat map: how many operations ended in a time bin with a value in
// a row.
type Heat struct {
	Quantity  string  `json:"quantity"`         // "latency_ns", "size_bytes"
	Layer     string  `json:"layer"`            // `calls` or `requests`
	Device    string  `json:"device,omitempty"` // name of the device; missing for calls
	Direction string  `json:"direction"`        // `read` or `write`
	Rows      []int64 `json:"rows"`             // lower edges; the last row is open
	Cells     []Cell  `json:"cells"`            // those that are not empty
}

// Cell is [time bin, row, count].
type Cell [3]int64

// Labels is the time under one label of the time stack, per bin.
type Labels struct {
	Label string `json:"label"` // as in [StackSlice](#stackslice)
	// what kind of call waited, as in [StackPart](#stackpart); no other element has that time
	Within string  `json:"within,omitempty"`
	NS     []int64 `json:"ns"` // time per bin
}

// Timeline is the zoomable picture: lanes on one time axis. A lane shows single events within the `detail` windows and
// aggregates elsewhere.
type Timeline struct {
	EndNS  int64    `json:"end_ns"`  // end of the time axis
	TileNS int64    `json:"tile_ns"` // width of an aggregate; tile i begins at i*`tile_ns`
	Tiles  int      `json:"tiles"`   // how many
	Detail []Window `json:"detail"`  // where every event of every lane is shown singly
	// what `what` of [Items](#items) and [Tiles](#tiles) is an index into: operations, requests, faults, waits
	What   []string `json:"what"`
	Lanes  []Lane   `json:"lanes"`  // rows
	Hidden int      `json:"hidden"` // lanes left out, the least busy ones
	Marks  []Marker `json:"marks"`  // instants and stretches worth a line
}

// Window is a stretch of time.
type Window struct {
	FromNS int64 `json:"from_ns"` // beginning
	ToNS   int64 `json:"to_ns"`   // end
}

// Lane is one row of the timeline. Tiles hold everything, single events too,
// so that a coarse picture needs nothing else.
type Lane struct {
	Kind  string `json:"kind"`          // "thread", "device", "file"
	Name  string `json:"name"`          // of the device, file or process
	PID   uint32 `json:"pid,omitempty"` // of a thread
	TID   uint32 `json:"tid,omitempty"` // of a thread
	Tiles Tiles  `json:"tiles"`         // aggregates
	Items Items  `json:"items"`         // single events
}

// Tiles are the aggregates of a lane as parallel arrays; empty tiles are left
// out.
type Tiles struct {
	At    []int64 `json:"at"`      // index of the tile
	Count []int64 `json:"count"`   // events that began in it
	Busy  []int64 `json:"busy_ns"` // time in flight within it, added over events
	Wait  []int64 `json:"wait_ns"` // the part of `busy_ns` that is waits
	// of the event, not a wait, that fills most of it: index into `what` of [Timeline](#timeline), -1 if none
	What  []int   `json:"what"`
	Lead  []int64 `json:"lead_ns"` // time of that event within it
	Read  []int64 `json:"read"`    // bytes read
	Write []int64 `json:"write"`   // bytes written
	Max   []int64 `json:"max_ns"`  // longest event that began in it
}

// Items are single events as parallel arrays, by start.
type Items struct {
	Start  []int64 `json:"start"`  // ns
	Dur    []int64 `json:"dur"`    // ns
	What   []int   `json:"what"`   // index into `what` of [Timeline](#timeline)
	Bytes  []int64 `json:"bytes"`  // moved
	Offset []int64 `json:"offset"` // in the file or on the device; -1 if none
	// index into `files` of the [Profile](#profile), -1 if none is listed
	File []int `json:"file"`
}

// Marker is an instant or a stretch on the time axis.
type Marker struct {
	FromNS int64  `json:"from_ns"` // beginning
	ToNS   int64  `json:"to_ns"`   // end
	Kind   string `json:"kind"`    // "lost", "copy", "step", "exit", "durable", "exec", "trigger"
	Text   string `json:"text"`    // for people
}

// Pipeline is how many bytes of copied files reached each stage of the copying. Arrays have one element per time bin.
type Pipeline struct {
	BinNS     int64    `json:"bin_ns"`     // width of a time bin
	Read      []int64  `json:"read"`       // of the sources, by devices
	Copied    []int64  `json:"copied"`     // to the destinations, by calls; long ones are spread over their duration
	Written   []int64  `json:"written"`    // of the destinations, by devices
	ReadFrom  []string `json:"read_from"`  // devices, most bytes first
	WrittenTo []string `json:"written_to"` // likewise
}

// Rates is a curve of speed over cumulative bytes.
type Rates struct {
	Series string  `json:"series"`           // as in [Phase](#phase)
	Device string  `json:"device,omitempty"` // name of the device; missing for calls
	Chunk  int64   `json:"chunk_bytes"`      // size of a chunk
	AtNS   []int64 `json:"at_ns"`            // end of each chunk
	Rate   []int64 `json:"bytes_per_s"`      // of each chunk
	Busy   []int64 `json:"busy_ns"`          // in each chunk, with an operation in flight
}

// Offsets is where in a file the workload read, wrote and waited for mapped pages, over time.
type Offsets struct {
	File     string  `json:"file"`      // its name
	BinNS    int64   `json:"bin_ns"`    // width of a bin of time
	RowBytes int64   `json:"row_bytes"` // how much of the file a row stands for
	Rows     int64   `json:"rows"`      // up to the last that was touched, at most 96
	Cells    []Touch `json:"cells"`     // those that are not empty, by time, then by row
}

// Touch is an array of four integers: the bin of time, the row, the way (0 read, 1 written, 2 waited for as a mapped
// page) and the bytes. A call that moved many rows passes through them in the time it took.
type Touch [4]int64

// The ways of a Touch.
const (
	TouchRead  = 0
	TouchWrite = 1
	TouchFault = 2 // waited for mapped pages
)
