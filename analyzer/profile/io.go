package profile

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// Dist is the distribution of a quantity, in the unit its field is named by.
// Percentiles are exact to 1/64 of the value (1.6 %); Min, Max, Sum and Count
// are exact.
type Dist struct {
	Count int64 `json:"count"`
	Sum   int64 `json:"sum"`
	Min   int64 `json:"min"`
	P10   int64 `json:"p10"`
	P50   int64 `json:"p50"`
	P90   int64 `json:"p90"`
	P99   int64 `json:"p99"`
	P999  int64 `json:"p999"`
	Max   int64 `json:"max"`
	// half of the bytes are in operations of at most this size (sizes only): what moved the data, where P50 is that of
	// most
	ByBytes int64 `json:"p50_by_bytes,omitempty"`
	// Modes replaces the mean where the sample has more than one: dip test,
	// mixture and separation all say so.
	Modes []Mode  `json:"modes,omitempty"`
	Top   []Value `json:"top,omitempty"`  // the most frequent exact values (sizes only)
	Bins  []Bin   `json:"bins,omitempty"` // four per octave, empty ones left out
}

// Mean is the arithmetic mean; 0 if there is no value.
func (d *Dist) Mean() float64 {
	if d == nil || d.Count == 0 {
		return 0
	}
	return float64(d.Sum) / float64(d.Count)
}

// Mode is one cluster of a distribution with several.
type Mode struct {
	Median int64   `json:"median"`
	Weight float64 `json:"weight"` // share of the sample
}

// Value is an exact value and how often it occurred.
type Value struct {
	Value int64 `json:"value"`
	Count int64 `json:"count"`
}

// Bin counts the values v with From <= v < To.
type Bin struct {
	From  int64 `json:"from"`
	To    int64 `json:"to"`
	Count int64 `json:"count"`
}

// Flow is the I/O in one direction at one layer.
type Flow struct {
	Count   int64 `json:"count"`  // operations
	Bytes   int64 `json:"bytes"`  // moved
	Errors  int64 `json:"errors"` // operations that failed
	FirstNS int64 `json:"first_ns"`
	LastNS  int64 `json:"last_ns"`
	Size    Dist  `json:"size_bytes"` // moved per operation
	Latency Dist  `json:"latency_ns"` // its sum is the time spent, added over operations
	Depth   Depth `json:"depth"`
}

// Gaps are the pauses between data calls, by what lies before and after them. Each is left out where there is none.
type Gaps struct {
	ReadWrite  *Dist `json:"read_to_write_ns,omitempty"`
	WriteRead  *Dist `json:"write_to_read_ns,omitempty"` // to the next read
	WriteWrite *Dist `json:"write_to_write_ns,omitempty"`
}

// Depth is the achieved queue depth: how many operations were in flight. The
// integral of the depth over time equals the sum of the latencies.
type Depth struct {
	MeanWall float64 `json:"mean_wall"` // over the wall time (copies: over the copy)
	MeanBusy float64 `json:"mean_busy"` // over the time with at least one in flight; 0 or >= 1
	Max      int     `json:"max"`
	BusyNS   int64   `json:"busy_ns"`          // time with at least one in flight
	Levels   []Level `json:"levels,omitempty"` // devices and totals only
}

// Level is the time spent at depths of at least Depth and below the next level.
type Level struct {
	Depth int   `json:"depth"`
	NS    int64 `json:"ns"`
}

// Layer is all I/O of the workload at one layer. Each byte is counted once per
// layer; layers are not to be added.
type Layer struct {
	Name    string   `json:"name"`    // "calls", "faults", "loop", "dm", "md", "partition", "disk", "unknown"
	Level   int      `json:"level"`   // 0 for calls and faults, then 1 for the topmost devices and so on down
	Devices []string `json:"devices"` // their names
	Read    *Flow    `json:"read,omitempty"`
	Write   *Flow    `json:"write,omitempty"`
	Marks   []string `json:"marks,omitempty"` // codes of warnings that touch these numbers

	// Of a layer below another: what belongs to files that lie on it directly.
	DirectRead  int64 `json:"direct_read_bytes,omitempty"`
	DirectWrite int64 `json:"direct_write_bytes,omitempty"`
}

// File is one file (one inode; every name and descriptor of it).
type File struct {
	Number int `json:"-"` // of the file in this analysis, by which other parts name it

	Path       string         `json:"path"`                  // its last name
	PathBase64 []byte         `json:"path_base64,omitempty"` // the exact bytes, if Path is not valid UTF-8
	Names      []string       `json:"names,omitempty"`       // earlier and further names
	Type       trace.FileType `json:"type"`
	Device     string         `json:"device"` // major:minor of its file system
	Inode      uint64         `json:"inode"`
	FSType     string         `json:"fs_type"`
	Mount      string         `json:"mount"`
	Size       int64          `json:"size_bytes"` // when last known
	Created    bool           `json:"created"`    // by the workload
	Deleted    bool           `json:"deleted"`    // by the workload, or nameless
	// Synchronous: each write waits until its data is safe (mount -o sync, chattr +S).
	Synchronous bool      `json:"synchronous,omitempty"`
	Processes   []uint32  `json:"processes"` // that used it, at most 16
	Read        *Flow     `json:"read,omitempty"`
	Write       *Flow     `json:"write,omitempty"`
	Ops         []OpCount `json:"ops,omitempty"`      // every operation on it, data calls too
	AskedNS     int64     `json:"asked_ns,omitempty"` // in reads of processes that waited to be asked for something
	// that threads slept after they had been refused a lock on it, until they asked for it again
	RetriesNS int64       `json:"lock_retries_ns,omitempty"`
	Faults    *FaultCount `json:"faults,omitempty"`
	// Requests that carry this file's data at the topmost device that was seen.
	DeviceRead   *Flow          `json:"device_read,omitempty"`
	DeviceWrite  *Flow          `json:"device_write,omitempty"`
	Cache        *Cache         `json:"cache,omitempty"`
	ReadPattern  *AccessPattern `json:"read_pattern,omitempty"`
	WritePattern *AccessPattern `json:"write_pattern,omitempty"`
	Marks        []string       `json:"marks,omitempty"`
}

// OpCount counts the calls of one operation.
type OpCount struct {
	Op     trace.Op `json:"op"`
	Count  int64    `json:"count"`
	Errors int64    `json:"errors"`
	TimeNS int64    `json:"time_ns"`
	Bytes  int64    `json:"bytes"`
}

// FaultCount counts page faults that had to wait for a file.
type FaultCount struct {
	Count   int64 `json:"count"`
	TimeNS  int64 `json:"time_ns"`
	Filled  int64 `json:"filled_bytes"` // added to the page cache
	Latency Dist  `json:"latency_ns"`
	// Pattern is of the places that were waited for, each with what it brought in; from 16 on.
	Pattern *AccessPattern `json:"pattern,omitempty"`
}

// Cache says how much of what was read came from memory.
type Cache struct {
	ReadBytes   int64   `json:"read_bytes"`   // by calls, direct ones left out
	FilledBytes int64   `json:"filled_bytes"` // added to the page cache by those calls, readahead included
	DeviceBytes int64   `json:"device_bytes"` // of this file, read from the device
	HitShare    float64 `json:"hit_share"`    // 1 - device/read, at least 0
	State       string  `json:"state"`        // "cold", "warm", "mixed", "unknown"
}

// Device is one block device: one layer of a stack.
type Device struct {
	Name         string   `json:"name"`
	ID           string   `json:"id"`    // major:minor
	Layer        string   `json:"layer"` // "disk", "partition", "dm", "md", "loop"
	Level        int      `json:"level"` // as in Layer
	Model        string   `json:"model"`
	Firmware     string   `json:"firmware,omitempty"` // its revision
	Scheduler    string   `json:"scheduler"`
	Rotational   bool     `json:"rotational"`
	LogicalBlock int64    `json:"logical_block_bytes"`
	MaxRequest   int64    `json:"max_request_bytes"`
	ReadAhead    int64    `json:"read_ahead_bytes"`
	QueueDepth   int64    `json:"queue_depth"` // nominal
	Size         int64    `json:"size_bytes"`
	WriteCache   string   `json:"write_cache"`
	Parents      []string `json:"parents,omitempty"` // devices it is built on
	Backing      string   `json:"backing,omitempty"`

	// Of a device below another: what was moved of files that lie on it directly.
	DirectRead  int64 `json:"direct_read_bytes,omitempty"`
	DirectWrite int64 `json:"direct_write_bytes,omitempty"`

	Read    *Flow  `json:"read,omitempty"`
	Write   *Flow  `json:"write,omitempty"`
	Flush   *Flow  `json:"flush,omitempty"`
	Discard *Flow  `json:"discard,omitempty"` // and write zeroes
	Depth   Depth  `json:"depth"`             // reads and writes together
	Queue   *Queue `json:"queue,omitempty"`

	MergedBios int64 `json:"merged_bios"` // bios merged into requests
	Requeues   int64 `json:"requeues"`

	Failed int64                 `json:"failed,omitempty"` // requests that ended with an error, whatever their operation
	Errno  map[trace.Errno]int64 `json:"errno,omitempty"`  // of them, per error number

	Readahead  int64 `json:"readahead_bytes"`
	Background int64 `json:"background_bytes"` // background writeback
	MetaBytes  int64 `json:"meta_bytes"`       // marked as metadata, or with no file
	SyncWrites int64 `json:"sync_writes"`      // writes somebody waits for
	FUA        int64 `json:"fua"`

	// Memory of programs that was moved to swap, and back.
	SwapRead  int64 `json:"swap_read_bytes,omitempty"`
	SwapWrite int64 `json:"swap_write_bytes,omitempty"`

	Evidence map[string]int64 `json:"evidence_bytes"` // bytes per grade of evidence for the file
	Foreign  Share            `json:"foreign"`        // of others: not in the numbers above
	Recorder Share            `json:"recorder"`       // of the recorder itself: not in the numbers above

	BandwidthBusy int64 `json:"busy_bytes_per_s"` // UL: bytes / time with a read or a write in flight
	MeanAccess    int64 `json:"mean_access_ns"`   // UL: mean time from issue to completion of reads and writes

	ReadPattern  *AccessPattern `json:"read_pattern,omitempty"`
	WritePattern *AccessPattern `json:"write_pattern,omitempty"`
	WorkingSet   int64          `json:"working_set_bytes"` // distinct bytes touched; estimated to 1.6 % if scattered
	Marks        []string       `json:"marks,omitempty"`
}

// Moved is what the device read and wrote for the workload.
func (d *Device) Moved() (n int64) {
	for _, f := range []*Flow{d.Read, d.Write} {
		if f != nil {
			n += f.Bytes
		}
	}
	return n
}

// ByOthers is what others moved on one of some devices. What a loop device above
// it moved is not: the kernel reads and writes its file, which looks like others
// doing so.
func ByOthers(devices []Device, d *Device) int64 {
	n := d.Foreign.Read + d.Foreign.Write
	for i := range devices {
		if x := &devices[i]; x.Layer == "loop" && slices.Contains(x.Parents, d.Name) {
			n -= x.Moved() + x.Foreign.Read + x.Foreign.Write
		}
	}
	return n
}

// Queue is the time requests spent in the block layer before they were issued.
type Queue struct {
	Latency Dist `json:"latency_ns"`
}

// Share is I/O that was seen but is not the workload's.
type Share struct {
	Count  int64 `json:"count"`
	Read   int64 `json:"read_bytes"`
	Write  int64 `json:"write_bytes"`
	Errors int64 `json:"errors,omitempty"` // of them, those that failed
	// Programs whose own requests are a fifth of the bytes or more, most first. Nobody knows whose data a thread of the
	// kernel writes back.
	Users []User `json:"users,omitempty"`
}

// Process is one process of the workload.
type Process struct {
	PID      uint32   `json:"pid"`
	Parent   uint32   `json:"parent"`
	Command  string   `json:"command"`
	Args     []string `json:"args,omitempty"`
	Exe      string   `json:"exe,omitempty"`
	UID      uint32   `json:"uid"`
	StartNS  int64    `json:"start_ns"`
	EndNS    int64    `json:"end_ns"` // Unknown if it was running when recording ended
	Status   *int     `json:"exit_status,omitempty"`
	Signal   int      `json:"exit_signal,omitempty"` // that ended it
	CPUNS    int64    `json:"cpu_ns"`                // Unknown if not recorded
	Threads  int      `json:"threads"`
	CallNS   int64    `json:"call_ns"`            // in recorded calls, added over threads
	AskedNS  int64    `json:"asked_ns,omitempty"` // of it, in reads of a pipe or a socket until it was asked
	Beside   bool     `json:"beside,omitempty"`   // of a host that was recorded as a whole, beside the commands of others
	Calls    int64    `json:"calls"`
	Read     *Flow    `json:"read,omitempty"`
	Write    *Flow    `json:"write,omitempty"`
	Async    *Flow    `json:"async,omitempty"`
	Faults   int64    `json:"faults"`
	FaultNS  int64    `json:"fault_ns"`
	WaitNS   Waits    `json:"wait_ns"`
	DevRead  int64    `json:"device_read_bytes"` // topmost devices; requests done for it
	DevWrite int64    `json:"device_write_bytes"`
	Marks    []string `json:"marks,omitempty"`
}

// Waits is time off the CPU, added over threads, per cause.
type Waits struct {
	IO       int64 `json:"io"`
	Throttle int64 `json:"throttle"`
	Call     int64 `json:"call"`
	Other    int64 `json:"other"`
	Ready    int64 `json:"ready"`
	// Parts of Other.
	Poll    int64 `json:"poll,omitempty"`
	Timeout int64 `json:"timeout,omitempty"`
	Sleep   int64 `json:"sleep,omitempty"`
	Futex   int64 `json:"futex,omitempty"`
	Child   int64 `json:"child,omitempty"`
}

// Call is all calls of one name.
type Call struct {
	Op      trace.Op              `json:"op"`
	Name    string                `json:"name"` // the system's own; for asynchronous operations the interface
	Async   bool                  `json:"async"`
	Count   int64                 `json:"count"`
	Errors  int64                 `json:"errors"`
	Errno   map[trace.Errno]int64 `json:"errno,omitempty"`  // per error number
	Advice  map[string]int64      `json:"advice,omitempty"` // of fadvise64 and madvise: "random", "dontneed" and so on
	Bytes   int64                 `json:"bytes"`
	TimeNS  int64                 `json:"time_ns"` // added over threads
	Size    Dist                  `json:"size_bytes"`
	Latency Dist                  `json:"latency_ns"`
}

// CacheModes says how calls went about the page cache, in bytes they moved.
type CacheModes struct {
	DirectRead    int64 `json:"direct_read_bytes"` // O_DIRECT
	DirectWrite   int64 `json:"direct_write_bytes"`
	UncachedRead  int64 `json:"uncached_read_bytes"` // F_NOCACHE, RWF_DONTCACHE
	UncachedWrite int64 `json:"uncached_write_bytes"`
	BufferedRead  int64 `json:"buffered_read_bytes"`
	BufferedWrite int64 `json:"buffered_write_bytes"`
	SyncedWrite   int64 `json:"synced_write_bytes"` // of all writes: durable when the call returned
}
