package baseline

import "time"

// Pattern is a benchmark as its tool runs it: steps in order, repeated. Sizes
// are bytes, times nanoseconds.
type Pattern struct {
	// Name is suite[@version][/profile]/test[/direction], for instance
	// cdm@9/default/seq1m-q8t1/read.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Source says where the values come from.
	Source string `json:"source"`
	// Inferred lists the values that no source states, with the reason for each.
	Inferred []Inference `json:"inferred,omitempty"`
	// Target is what is written to: a file of our own, or a whole device whose
	// content is destroyed.
	Target Target `json:"target"`
	Before []Step `json:"before,omitempty"` // once, before the first run; not measured
	Steps  []Step `json:"steps"`            // one run
	// Original is how the tool itself repeats the steps and what it shows.
	Original Original `json:"original"`
	// Runs and Discard are how often iotrace repeats the steps by default: at
	// least six counted runs where they are short, because an interval of the
	// median needs six.
	Runs    int `json:"runs"`
	Discard int `json:"discard"` // first runs that are kept but not counted
	// Pause is the idle time between two patterns of the same suite.
	Pause time.Duration `json:"pause_ns,omitempty"`
	// DropCaches empties the page cache of the system before each step, where
	// that is permitted.
	DropCaches bool `json:"drop_caches,omitempty"`
	// NoCOW keeps file systems that copy on write from doing so.
	NoCOW bool `json:"no_cow,omitempty"`
	// Until replaces a fixed number of runs by a rule.
	Until *SteadyState `json:"until,omitempty"`
}

// Rounds is the number of executions of each step, those that do not count
// included.
func (p Pattern) Rounds() int {
	if p.Until != nil {
		return p.Until.Max
	}
	return p.Discard + p.Runs
}

// Prepared is the file that the steps of a pattern work on: laid out before the
// first of them.
type Prepared struct {
	Size  int64
	Data  Data
	NoCOW bool // blocks are overwritten in place
}

// Prepared is that file, if the pattern needs one.
func (p Pattern) Prepared() (want Prepared, ok bool) {
	if p.Target != TargetFile {
		return Prepared{}, false
	}
	for _, s := range p.Steps {
		if s.Files != nil || s.Fresh && s.Op != Copy {
			continue
		}
		if s.FileSize > want.Size {
			want = Prepared{Size: s.FileSize, Data: s.Data, NoCOW: p.NoCOW}
		}
	}
	return want, want.Size > 0
}

// Step is one measured piece of a pattern.
type Step struct {
	Name      string `json:"name"` // unique within the pattern
	Op        Op     `json:"op"`
	ReadShare int    `json:"read_share,omitempty"` // percent of the operations of a mixed step
	// SplitMix gives reads and writes of a mixed sequential step a position of
	// their own each (as fio does); without it they share one.
	SplitMix bool   `json:"split_mix,omitempty"`
	Access   Access `json:"access"`
	Streams  int    `json:"streams,omitempty"` // of interleaved access
	Stride   int64  `json:"stride,omitempty"`  // of strided access: from block start to block start
	Block    int64  `json:"block"`
	// Depth is the nominal queue depth of each thread; Depth × Threads operations
	// are outstanding in all.
	Depth   int `json:"depth"`
	Threads int `json:"threads"`
	// Blocking makes a step of depth 1 use plain read and write calls at the
	// file position, as dd and cp do, instead of the asynchronous engine.
	Blocking bool  `json:"blocking,omitempty"`
	Cache    Cache `json:"cache"`
	FileSize int64 `json:"file_size,omitempty"`
	// Files makes the step write or read whole files instead of one.
	Files  *FileSet `json:"files,omitempty"`
	Limit  Limit    `json:"limit"`
	Burst  *Burst   `json:"burst,omitempty"`
	Data   Data     `json:"data"`
	Fresh  bool     `json:"fresh,omitempty"` // write a new file; otherwise the file exists and is filled before
	Sync   Sync     `json:"sync,omitempty"`
	Every  int      `json:"sync_every,omitempty"` // operations between two fdatasync calls of SyncEvery
	Method Method   `json:"method,omitempty"`     // of a copy
	// Idle is the pause after the step.
	Idle time.Duration `json:"idle_ns,omitempty"`
}

// Nominal is the number of operations the step should keep outstanding.
func (s Step) Nominal() int { return max(s.Depth, 1) * max(s.Threads, 1) }

// Reads and Writes report whether the step moves data in that direction.
func (s Step) Reads() bool { return s.Op != Write }

// Writes reports whether the step writes data.
func (s Step) Writes() bool { return s.Op != Read }

// Span is the size of what a step works on.
func (s Step) Span(device int64) int64 {
	if s.FileSize > 0 {
		return s.FileSize
	}
	return device
}

// Inference is a value of a pattern that no source states.
type Inference struct {
	Value string `json:"value"` // "depth 4"
	Why   string `json:"why"`
}

// Op is what a step does.
type Op string

// The operations.
const (
	Read  Op = "read"
	Write Op = "write"
	Mixed Op = "mixed"
	Copy  Op = "copy"
)

// Access is the order of the blocks.
type Access string

// The orders. Sequential and shared differ only with several threads: each goes
// its own way through the whole file, or all draw from one.
const (
	Sequential  Access = "sequential"
	Shared      Access = "shared"
	Random      Access = "random"      // uniform, with replacement
	Shuffled    Access = "shuffled"    // random, each block once before any comes again
	Strided     Access = "strided"     // a fixed distance apart; the next pass fills the gaps
	Interleaved Access = "interleaved" // sequential streams in equal parts of the file, in turn
)

// Cache is how a step treats the page cache.
type Cache string

// The cache modes. macOS has no O_DIRECT: direct and uncached both are F_NOCACHE
// there.
const (
	Direct Cache = "direct" // O_DIRECT
	// through the cache, but not kept in it: RWF_DONTCACHE (Linux 6.14), else POSIX_FADV_DONTNEED
	Uncached Cache = "uncached"
	Buffered Cache = "buffered"
)

// Data is what is written.
type Data string

// The kinds of data.
const (
	RandomData Data = "random"      // differs in every 4 KiB and from run to run
	Repeat1MiB Data = "repeat-1MiB" // one random MiB over and over: incompressible, but can be deduplicated
	Zero       Data = "zero"
	ByteA      Data = "0x41"
)

// Sync is when data is forced to the device, within the measured time.
type Sync string

// The policies.
const (
	SyncNone  Sync = ""
	SyncEnd   Sync = "end"   // fsync after the last block (of each file)
	SyncData  Sync = "data"  // fdatasync after the last block
	SyncWrite Sync = "write" // O_DSYNC
	SyncEvery Sync = "every" // fdatasync after each Step.Every operations
)

// Method is how a copy moves the data.
type Method string

// The methods.
const (
	CopyLoop      Method = "read_write"
	CopyFileRange Method = "copy_file_range"
	CopySendfile  Method = "sendfile"
	CopyClone     Method = "clone" // FICLONE, clonefile
)

// Target is what a pattern writes to.
type Target string

// The targets.
const (
	TargetFile   Target = "file"
	TargetDevice Target = "device"
)

// Limit ends a step: whichever comes first. A zero Limit means one pass over
// the file.
type Limit struct {
	Time  time.Duration `json:"time_ns,omitempty"`
	Bytes int64         `json:"bytes,omitempty"` // of each thread
}

// Burst splits a step into bursts with idle time between them.
type Burst struct {
	Bytes int64   `json:"bytes"`
	Count int     `json:"count"` // 0: until the limit of the step
	Duty  float64 `json:"duty"`  // busy share of the time, 0 < Duty ≤ 1
}

// FileSet is a number of whole files.
type FileSet struct {
	Sizes   []int64 `json:"sizes"` // of one round
	Rounds  int     `json:"rounds"`
	Shuffle bool    `json:"shuffle,omitempty"` // the sizes within each round
}

// Count is the number of files.
func (f FileSet) Count() int { return len(f.Sizes) * f.Rounds }

// Bytes is the size of all files.
func (f FileSet) Bytes() int64 {
	var n int64
	for _, s := range f.Sizes {
		n += s
	}
	return n * int64(f.Rounds)
}

// Original is how the tool of a pattern repeats it and what it shows.
type Original struct {
	Runs    int  `json:"runs"`
	Discard int  `json:"discard,omitempty"`
	Pick    Pick `json:"pick"`
	// Steps are those a pick over steps takes; all if empty.
	Steps []string `json:"steps,omitempty"`
	// Factor turns bytes per second / 10^6 into the number the tool shows. 1 for
	// a tool whose MB is 10^6 bytes.
	Factor float64 `json:"factor"`
}

// Pick is the rule by which a tool chooses what it shows.
type Pick string

// The rules.
const (
	PickMax        Pick = "max"
	PickMean       Pick = "mean"
	PickMedian     Pick = "median"
	PickLast       Pick = "last"
	PickSingle     Pick = "single"      // the only run
	PickStepMean   Pick = "step_mean"   // mean of several steps of one run
	PickBurstMean  Pick = "burst_mean"  // mean of the bursts of one run
	PickRegression Pick = "regression"  // slope of time over size, several files
	PickWindowMean Pick = "window_mean" // mean of the rounds in steady state
	PickPerStep    Pick = "per_step"    // each step by itself, one run
)

// SteadyState is the rule of the SNIA Solid State Storage Performance Test
// Specification: over the last Window rounds, maximum minus minimum is at most
// Range of the mean, and the least-squares line changes by at most Slope of the
// mean.
type SteadyState struct {
	Track  string  `json:"track"` // step that decides
	Window int     `json:"window"`
	Range  float64 `json:"range"`
	Slope  float64 `json:"slope"`
	Max    int     `json:"max"` // rounds after which it is given up
}
