package gap

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Workload is the level of every factor in a recording. It counts regular
// files only, and leaves out those of the system (programs, libraries), unless
// nothing else was used.
type Workload struct {
	Bytes      int64   `json:"payload_bytes"` // written, or read if nothing was written
	ReadBytes  int64   `json:"read_bytes"`    // by calls
	WriteBytes int64   `json:"write_bytes"`
	CallBytes  int64   `json:"call_bytes"` // once for each call that moved them
	Seconds    float64 `json:"seconds"`    // first call on these files to the end of the last, less RecorderSeconds

	Block     int64   `json:"block_bytes"`      // half of the bytes moved in calls of at most this size
	MeanBlock float64 `json:"mean_block_bytes"` // bytes per call
	InKernel  bool    `json:"in_kernel"`        // copied by copy_file_range and the like: calls have no block size
	Depth     float64 `json:"depth"`            // mean data calls in flight while there was one
	Latency   float64 `json:"latency_seconds"`  // mean of a data call
	Random    bool    `json:"random"`           // under 20 % of accesses began where the one before ended
	Buffered  bool    `json:"buffered"`         // through the page cache
	Warm      bool    `json:"warm"`             // the source was in the page cache
	Mapped    bool    `json:"mapped"`           // most of what was read came by page faults of mapped files
	Fresh     bool    `json:"fresh"`            // files were created or extended

	Files       int64   `json:"files"` // that hold the payload
	MetaCalls   int64   `json:"metadata_calls"`
	Looks       float64 `json:"looks_per_file"`   // calls that read names and attributes, besides open and close
	Changes     float64 `json:"changes_per_file"` // calls that change them
	MetaSeconds float64 `json:"metadata_seconds"`

	Syncs        int64   `json:"syncs"`         // fsync and the like; synchronous writes count as one each
	FullSync     bool    `json:"full_sync"`     // fsync, not fdatasync
	ThinkSeconds float64 `json:"think_seconds"` // without a call for 100 µs and more
	// outside of calls for less, per data call, on the thread that moved most
	CallGap    float64 `json:"call_gap_seconds"`
	GapSeconds float64 `json:"gap_seconds"` // the same, without a call of any thread, in all

	// RecorderSeconds is what the probes took on the thread that moved most. It
	// is no part of the workload, and left out of Seconds and CallGap.
	RecorderSeconds float64 `json:"recorder_seconds"`

	Compressible float64  `json:"compressible"` // share of the data that is as good as zeros, as far as known
	Covered      Coverage `json:"coverage"`

	Paths []string `json:"-"` // of files that hold the payload, the largest first, at most 16

	calls, dataCalls int64 // of the thread that moved most: of any kind, and those that moved data
}

// Coverage is how much of the recording the workload stands for.
type Coverage struct {
	Bytes   float64 `json:"bytes"`   // of what calls moved from and to files
	Seconds float64 `json:"seconds"` // of the time until the command ended; 0 if not known
}

// WithoutRecorder takes the cost of the probes off the times: perCall seconds
// for each call.
func (w *Workload) WithoutRecorder(perCall float64) {
	took := min(perCall*float64(w.calls), w.Seconds/2)
	w.RecorderSeconds += took
	w.Seconds -= took
	w.GapSeconds = max(w.GapSeconds-took, 0)
	w.CallGap = max(w.CallGap-perCall*float64(w.calls)/float64(max(w.dataCalls, 1)), 0)
}

// ProbeSeconds is what the probes cost each system call: all they took, over the
// calls, as most of it goes there; more than a microsecond went elsewhere.
func ProbeSeconds(p *profile.Profile) float64 {
	calls := p.Trace.Events[trace.KindSyscall.String()]
	if calls == 0 || p.Recorder.ProbeCPUNS <= 0 {
		return 0
	}
	return min(float64(p.Recorder.ProbeCPUNS)/float64(calls), 1000) / 1e9
}

// CoverFrom sets the share of the time from the length of the command in seconds.
func (w *Workload) CoverFrom(command float64) {
	if command > 0 {
		w.Covered.Seconds = min((w.Seconds+w.RecorderSeconds)/command, 1)
	}
}

// Rate is the payload over the time, in bytes per second.
func (w *Workload) Rate() float64 { return float64(w.Bytes) / w.Seconds }

// Copies reports whether about every written byte was read before.
func (w *Workload) Copies() bool {
	return w.WriteBytes > 0 && 2*w.ReadBytes >= w.WriteBytes && w.ReadBytes <= 2*w.WriteBytes
}

// Reading reports whether the payload is what was read.
func (w *Workload) Reading() bool { return !w.Copies() && w.ReadBytes > w.WriteBytes }

// FileSize is the mean size of the files.
func (w *Workload) FileSize() int64 { return w.Bytes / max(w.Files, 1) }

// SyncEvery is the number of bytes written between two syncs, 0 without any.
func (w *Workload) SyncEvery() int64 {
	if w.Syncs == 0 {
		return 0
	}
	return max(w.WriteBytes/w.Syncs, 1)
}

// SecondsPerGB is the measured time per 10^9 bytes of payload.
func (w *Workload) SecondsPerGB() float64 { return perGB(w.Seconds, w.Bytes) }

func perGB(s float64, bytes int64) float64 { return s / float64(bytes) * 1e9 }

func (w *Workload) String() string {
	verb := "writes"
	switch {
	case w.Copies():
		verb = "copies"
	case w.Reading():
		verb = "reads"
	}
	files := "1 file"
	if w.Files > 1 {
		files = fmt.Sprintf("%d files", w.Files)
	}
	return fmt.Sprintf("%s %s in %s, %s in %s", verb, unit.Bytes(w.Bytes), files, unit.Rate(w.Rate()), seconds(w.Seconds))
}

func seconds(s float64) string { return unit.Duration(time.Duration(s * 1e9)) }
