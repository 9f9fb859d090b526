package baseline

import (
	"math"
	"time"
)

// Report is the outcome of a bench run. Its JSON form is a stable interface,
// described in docs/baselines.md: integers in ns, bytes and bytes per second.
type Report struct {
	Type         string          `json:"type"`    // "bench"
	Version      int             `json:"version"` // of this form: 1
	Tool         string          `json:"tool"`
	OS           string          `json:"os"`
	Kernel       string          `json:"kernel"`
	Arch         string          `json:"arch"`
	Host         string          `json:"host"`
	CPUs         int             `json:"cpus"`
	Started      time.Time       `json:"started"`
	WallNS       int64           `json:"wall_ns"`
	Seed         int64           `json:"seed"` // of orders, offsets and data
	ReadBytes    int64           `json:"read_bytes"`
	WrittenBytes int64           `json:"written_bytes"`
	Places       []Place         `json:"places"`
	Patterns     []PatternResult `json:"patterns"`
	// Preconditioned is empty where the drive was taken as it was.
	Preconditioned []Preconditioned `json:"preconditioned,omitempty"`
	Trace          string           `json:"trace,omitempty"` // file with the recording of the runs
	Interrupted    bool             `json:"interrupted"`     // what was measured until then is kept
	Warnings       []Warning        `json:"warnings"`
}

// Preconditioned is what was written to a place before anything was measured, and stayed there.
type Preconditioned struct {
	Place        string `json:"place"`
	Bytes        int64  `json:"bytes"`         // of the file
	OrderedBytes int64  `json:"ordered_bytes"` // written in order, 128 KiB at a time
	RandomBytes  int64  `json:"random_bytes"`  // written over it after that, 4 KiB at a time
	NS           int64  `json:"ns"`
}

// Warning says what was seen, why it matters and what to do.
type Warning struct {
	Code string `json:"code"` // stable
	Text string `json:"text"`
}

// NotRecorded is the code of the warning that no run was recorded. It costs numbers, and says nothing against others.
const NotRecorded = "not_recorded"

// PatternResult is one pattern in all places.
type PatternResult struct {
	Pattern     Pattern       `json:"pattern"` // as it was run
	Places      []PlaceResult `json:"places"`
	Comparisons []Comparison  `json:"comparisons,omitempty"` // each place with the first
}

// PlaceResult is one pattern in one place.
type PlaceResult struct {
	Place string       `json:"place"`
	Steps []StepResult `json:"steps"`
	// Shown is what the original shows, if that is one number for all steps.
	Shown  *Shown  `json:"shown,omitempty"`
	Steady *Steady `json:"steady,omitempty"`
}

// StepResult is one step in one place, over all runs.
type StepResult struct {
	Step string  `json:"step"`
	Rate Summary `json:"bytes_per_second"`
	Ops  Summary `json:"ops_per_second"`
	// with the time until the data was on the device
	Durable *Summary           `json:"durable_bytes_per_second,omitempty"`
	Latency map[string]Latency `json:"latency_ns"` // "read", "write": of all counted runs together
	Depth   Depth              `json:"depth"`
	CPUPer  int64              `json:"cpu_ns_per_op"` // of this process, kernel and user
	Shown   *Shown             `json:"shown,omitempty"`
	Line    *SizeTime          `json:"size_time,omitempty"` // of file sets
	Runs    []RunResult        `json:"runs"`
	Skipped string             `json:"skipped,omitempty"` // why it could not be done here
	// Invalid is why the rate is no measurement of the device: direct I/O that did not reach it.
	Invalid string `json:"invalid,omitempty"`

	Warnings []Warning `json:"warnings,omitempty"`
}

// Summary describes one number over the counted runs.
type Summary struct {
	N      int     `json:"n"`
	Min    int64   `json:"min"`
	Median int64   `json:"median"`
	Max    int64   `json:"max"`
	Mean   *int64  `json:"mean"`            // null if the runs have several modes: a mean would describe none of them
	Low    *int64  `json:"low"`             // interval of the median; null with fewer than six runs
	High   *int64  `json:"high"`            //
	Level  float64 `json:"level,omitempty"` // coverage of the interval, at least 0.95
	Modes  []Mode  `json:"modes,omitempty"` // if there are several
}

// Mode is a value around which runs gather, with its share of the runs.
type Mode struct {
	Median int64   `json:"median"`
	Weight float64 `json:"weight"`
}

// Latency is the distribution of the time from submission to completion as the
// program sees it, in ns. Quantiles come from a histogram with buckets 1.6 %
// wide.
type Latency struct {
	N    uint64 `json:"n"`
	Min  int64  `json:"min"`
	P50  int64  `json:"p50"`
	P90  int64  `json:"p90"`
	P99  int64  `json:"p99"`
	P999 int64  `json:"p999"`
	Max  int64  `json:"max"`
	Mean int64  `json:"mean"`
}

// Depth is the queue depth asked for and reached.
type Depth struct {
	Nominal  int     `json:"nominal"`
	Achieved float64 `json:"achieved"`         // mean number of operations between submission and completion
	Device   float64 `json:"device,omitempty"` // mean number of requests in flight at the device, all its users together
	Valid    bool    `json:"valid"`            // false: less than 0.8 of nominal was reached
	Reason   string  `json:"reason,omitempty"`
}

// Shown is the number that the original tool would show.
type Shown struct {
	Rule           Pick    `json:"rule"`
	Runs           int     `json:"runs"` // it would have made; the first of ours are taken
	BytesPerSecond int64   `json:"bytes_per_second"`
	Value          float64 `json:"value"` // as it prints it, in what it calls MB/s
}

// SizeTime is the regression of time over size of a file set.
type SizeTime struct {
	Files       int   `json:"files"`
	TheilSen    int64 `json:"theil_sen_bytes_per_second"`
	Low         int64 `json:"low"` // 95 % interval of Theil-Sen
	High        int64 `json:"high"`
	OLS         int64 `json:"ols_bytes_per_second"`
	PerFileNS   int64 `json:"per_file_ns"` // intercept of Theil-Sen
	TrimmedMean int64 `json:"trimmed_mean_bytes_per_second"`
	Median      int64 `json:"median_bytes_per_second"`
}

// Steady says how a search for steady state ended.
type Steady struct {
	Reached bool  `json:"reached"`
	Rounds  int   `json:"rounds"`
	Window  int   `json:"window"`
	Rate    int64 `json:"bytes_per_second"` // mean of the tracked step over the window
}

// RunResult is one execution of a step.
type RunResult struct {
	Run          int                `json:"run"`     // from 0, discarded runs first
	Counted      bool               `json:"counted"` // false for those that the pattern discards
	Order        int                `json:"order"`   // over all executions of the report
	MonotonicNS  int64              `json:"monotonic_ns"`
	ActiveNS     int64              `json:"active_ns"` // measured time, pauses left out
	WallNS       int64              `json:"wall_ns"`
	DurableNS    int64              `json:"durable_ns,omitempty"`
	ReadOps      int64              `json:"read_ops"`
	ReadBytes    int64              `json:"read_bytes"`
	WriteOps     int64              `json:"write_ops"`
	WriteBytes   int64              `json:"write_bytes"`
	Rate         int64              `json:"bytes_per_second"`
	OpsPerSecond int64              `json:"ops_per_second"`
	Latency      map[string]Latency `json:"latency_ns"`
	Achieved     float64            `json:"achieved_depth"`
	CPUNS        int64              `json:"cpu_ns"`
	ReadyNS      int64              `json:"ready_ns,omitempty"` // its threads were ready, and others had the processors
	Syncs        int64              `json:"syncs,omitempty"`
	SyncNS       int64              `json:"sync_ns,omitempty"`
	Engine       string             `json:"engine"`
	Device       *DeviceUse         `json:"device,omitempty"`
	Requests     *Requests          `json:"requests,omitempty"` // of a recorded run
	Bursts       []BurstRate        `json:"bursts,omitempty"`
	Files        []FileTime         `json:"files,omitempty"`
	Course       Series             `json:"course"`
	Changes      []Change           `json:"changes,omitempty"`
}

// Change is a lasting change of the rate within a run.
type Change struct {
	Bytes  int64 `json:"bytes"` // moved before it
	NS     int64 `json:"ns"`    // active time before it
	Before int64 `json:"before_bytes_per_second"`
	After  int64 `json:"after_bytes_per_second"`
}

// Comparison sets the rate of a step in one place against that in the first.
type Comparison struct {
	Step    string  `json:"step"`
	Place   string  `json:"place"`
	With    string  `json:"with"`
	Ratio   float64 `json:"ratio"` // of the medians
	Low     float64 `json:"low,omitempty"`
	High    float64 `json:"high,omitempty"`
	P       float64 `json:"p"`       // two-sided Mann-Whitney test; 1 if it cannot be made
	Verdict string  `json:"verdict"` // "faster", "slower", "~": no difference can be seen, "?": too few runs
}

// BurstRate is one burst.
type BurstRate struct {
	Bytes          int64 `json:"bytes"`
	NS             int64 `json:"ns"`
	BytesPerSecond int64 `json:"bytes_per_second"`
}

// FileTime is one whole file, from open to close.
type FileTime struct {
	Bytes int64 `json:"bytes"`
	NS    int64 `json:"ns"`
}

// Series is the course of a run: bytes moved in slices of equal time, of the
// active time only (pauses of a duty cycle are left out).
type Series struct {
	SliceNS int64   `json:"slice_ns"`
	Bytes   []int64 `json:"bytes"`
}

// PerSecond is a rate in bytes per second, 0 if no time passed.
func PerSecond(bytes, ns int64) int64 {
	if ns <= 0 {
		return 0
	}
	return int64(math.Round(float64(bytes) / float64(ns) * 1e9))
}
