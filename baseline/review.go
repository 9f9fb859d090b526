package baseline

import (
	"fmt"
	"time"
)

// Review is what everyday work took on several volumes. Its JSON form is described in docs/baselines.md; runs are added
// to it one by one, so that an interrupted review can go on.
type Review struct {
	Type        string    `json:"type"`    // "review"
	Version     int       `json:"version"` // of this form: 1
	Tool        string    `json:"tool"`
	OS          string    `json:"os"`
	Kernel      string    `json:"kernel"`
	Host        string    `json:"host"`
	CPUs        int       `json:"cpus"`
	Started     time.Time `json:"started"`
	Seed        int64     `json:"seed"`
	Runs        int       `json:"runs"`                // of each task on each volume
	PlannedNS   int64     `json:"planned_ns"`          // announced
	WallNS      int64     `json:"wall_ns"`             // spent so far
	RestNS      int64     `json:"rest_ns,omitempty"`   // after each run
	Shortened   string    `json:"shortened,omitempty"` // by a budget: how
	Interrupted bool      `json:"interrupted"`
	Volumes     []Volume  `json:"volumes"`
	Tasks       []Task    `json:"tasks"`
}

// check reports what would make a review from a file impossible to print.
func (r *Review) check(file string) error {
	if r.Version != 1 {
		return fmt.Errorf("reading %s: a review of version %d, which this iotrace does not know", file, r.Version)
	}
	for _, t := range r.Tasks {
		if len(t.Results) != len(r.Volumes) {
			return fmt.Errorf("reading %s: task %q has results of %d volumes, not of %d", file, t.Name, len(t.Results),
				len(r.Volumes))
		}
		if p := t.Point; p != nil && (p.Value < 0 || p.Value == 0 && p.Over != OverReads) {
			return fmt.Errorf("reading %s: task %q lies at %d of its curve, where nothing can be", file, t.Name, p.Value)
		}
	}
	return nil
}

// RunsOf is how often a task is done on each volume.
func (r *Review) RunsOf(t Task) int {
	if t.Runs > 0 {
		return min(t.Runs, r.Runs)
	}
	return r.Runs
}

// Volume is a place under the name it has in the tables.
type Volume struct {
	Label string `json:"label"`
	Place
}

// Task is one kind of work, with what it took on each volume.
type Task struct {
	Name  string `json:"name"`
	About string `json:"about"` // what is done and measured, in a sentence
	Work  string `json:"work"`  // "cp", "tree", "clone", "launch", "scrub", or the curve that it is a part of
	Cold  bool   `json:"cold"`  // what is read was dropped from the page cache before
	Bytes int64  `json:"bytes"` // moved by one run; of a point, the size of the file
	Files int    `json:"files,omitempty"`
	Op    Op     `json:"op,omitempty"`    // of a part of a curve
	Point *Point `json:"point,omitempty"` // of a curve that is measured point by point
	// Access and Block are those of the points of a curve that is measured in two ways; none is random 4 KiB.
	Access  Access       `json:"access,omitempty"`
	Block   int64        `json:"block,omitempty"`
	Runs    int          `json:"runs,omitempty"` // on each volume, where they are fewer than the review's
	Measure Quantity     `json:"measure"`
	Results []TaskResult `json:"results"` // one for each volume
}

// Curve reports whether the task is a part of a curve.
func (t Task) Curve() bool {
	return t.Point != nil || t.Op != "" && (t.Work == "files" || t.Work == "sustained")
}

// Value is what a run of the task is judged by.
func (t Task) Value(r TaskRun) float64 {
	switch {
	case t.Measure == ByRate && r.Bytes > 0:
		return float64(PerSecond(r.Bytes, r.NS))
	case t.Measure == ByRate:
		return float64(PerSecond(t.Bytes, r.NS))
	case r.Jumps > 0:
		return float64(r.NS) / float64(r.Jumps)
	}
	return float64(r.NS)
}

// Point is where on its curve a task lies.
type Point struct {
	Over  Axis  `json:"over"`
	Value int64 `json:"value"`
}

// Axis is what the points of a curve differ in.
type Axis string

// The axes.
const (
	OverBlock   Axis = "block_size"  // in bytes
	OverDepth   Axis = "queue_depth" // operations at once
	OverReads   Axis = "read_share"  // in percent of the operations
	OverSize    Axis = "file_size"   // in bytes
	OverWritten Axis = "written"     // bytes so far
)

// Quantity is what a task is judged by.
type Quantity string

// The quantities.
const (
	ByRate Quantity = "rate" // bytes per second until the program returned
	ByTime Quantity = "time" // ns until it returned; of a scrub, of one jump
)

// TaskResult is a task on one volume.
type TaskResult struct {
	Skipped string    `json:"skipped,omitempty"` // why it could not be done here
	Runs    []TaskRun `json:"runs"`
	// Value is in the quantity of the task, over the runs; Safe is the time until the data was on the device, in ns.
	Value Summary  `json:"value"`
	Safe  *Summary `json:"safe_ns,omitempty"`
	// Against is the comparison with the first volume.
	Against *Comparison `json:"against,omitempty"`
	// Line is fitted to the files of all runs, Levels and Onset are those of a run in parts.
	Line   *SizeTime `json:"size_time,omitempty"`
	Levels []Level   `json:"levels,omitempty"`
	Onset  *Onset    `json:"onset,omitempty"`
}

// Invalid is why a run was no measurement of the device; "" if all were.
func (to TaskResult) Invalid() string {
	for _, r := range to.Runs {
		if r.Invalid != "" {
			return r.Invalid
		}
	}
	return ""
}

// TaskRun is one run.
type TaskRun struct {
	NS     int64 `json:"ns"`                // until the program returned
	SafeNS int64 `json:"safe_ns,omitempty"` // until what it wrote was on the device
	Jumps  int   `json:"jumps,omitempty"`   // of a scrub
	Bytes  int64 `json:"bytes,omitempty"`   // moved, where that is not the same in all runs
	// Invalid is why it was no measurement of the device: direct I/O that did not reach it.
	Invalid string `json:"invalid,omitempty"`
	// Parts are the files of a run over files, or what was written one after the other.
	Parts []FileTime `json:"parts,omitempty"`
}
