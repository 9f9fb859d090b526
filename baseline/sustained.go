package baseline

import "time"

// SustainedReport is the outcome of a sustained run. Its JSON form is described
// in docs/baselines.md.
type SustainedReport struct {
	Type        string    `json:"type"`    // "sustained"
	Version     int       `json:"version"` // of this form: 1
	Tool        string    `json:"tool"`
	Place       Place     `json:"place"`
	Started     time.Time `json:"started"`
	TotalBytes  int64     `json:"total_bytes"` // of each pass
	FileBytes   int64     `json:"file_bytes"`
	Block       int64     `json:"block"`
	Depth       int       `json:"depth"`
	Seed        int64     `json:"seed"`
	Passes      []Pass    `json:"passes"`
	Verdict     Verdict   `json:"verdict"`
	Shortened   string    `json:"shortened,omitempty"` // by a budget: how
	Interrupted bool      `json:"interrupted"`
	// Preconditioned is nil where the drive was taken as it was.
	Preconditioned *Preconditioned `json:"preconditioned,omitempty"`
}

// Pass is one go through the files.
type Pass struct {
	Name   string          `json:"name"` // "full", "half"
	Duty   float64         `json:"duty"` // busy share of the time
	Files  []SustainedFile `json:"files"`
	Levels []Level         `json:"levels"`
	Onset  *Onset          `json:"onset"` // of throttling; null if there was none
	Before *Thermal        `json:"thermal_before,omitempty"`
	After  *Thermal        `json:"thermal_after,omitempty"`
}

// SustainedFile is one file of a pass.
type SustainedFile struct {
	StartNS      int64  `json:"start_ns"` // since the pass began
	ActiveNS     int64  `json:"active_ns"`
	Bytes        int64  `json:"bytes"`
	Rate         int64  `json:"bytes_per_second"` // while busy
	MilliCelsius *int64 `json:"milli_celsius,omitempty"`
}

// Level is a stretch of a pass during which the rate stayed about the same.
type Level struct {
	FromBytes int64 `json:"from_bytes"`
	ToBytes   int64 `json:"to_bytes"`
	FromNS    int64 `json:"from_ns"`
	Rate      int64 `json:"bytes_per_second"` // median over its files
}

// Onset is where the rate fell for good.
type Onset struct {
	Bytes        int64  `json:"bytes"` // written before
	NS           int64  `json:"ns"`    // since the pass began
	Before       int64  `json:"before_bytes_per_second"`
	After        int64  `json:"after_bytes_per_second"`
	MilliCelsius *int64 `json:"milli_celsius,omitempty"`
}

// Verdict is what can be said about the cause.
type Verdict struct {
	Throttled bool `json:"throttled"`
	// Cause is "cache", "heat", or "" where the evidence does not decide.
	Cause    string   `json:"cause"`
	Evidence []string `json:"evidence"`
	// Candidates are the causes still possible, and Experiment what would decide.
	Candidates []string `json:"candidates,omitempty"`
	Experiment string   `json:"experiment,omitempty"`
}

// Thermal is what a drive says of its heat. Fields that it does not tell are
// nil.
type Thermal struct {
	MilliCelsius *int64 `json:"milli_celsius,omitempty"`
	Source       string `json:"source"` // "nvme_smart", "hwmon"
	// Counters of the NVMe SMART log, since the drive was made.
	WarningMinutes  *int64 `json:"warning_minutes,omitempty"`
	CriticalMinutes *int64 `json:"critical_minutes,omitempty"`
	Transitions     *int64 `json:"thermal_transitions,omitempty"` // times it slowed down because of heat, both stages
	ThrottleSeconds *int64 `json:"thermal_seconds,omitempty"`     // time spent slowed down
}
