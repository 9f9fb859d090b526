package profile

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// Dist is the distribution of a quantity, in the unit its field is named by.
type Dist struct {
	Count int64 `json:"count"` // values
	Sum   int64 `json:"sum"`   // of all values
	Min   int64 `json:"min"`   // least value
	P10   int64 `json:"p10"`   // 10th percentile
	P50   int64 `json:"p50"`   // median
	P90   int64 `json:"p90"`   // 90th percentile
	P99   int64 `json:"p99"`   // 99th percentile
	P999  int64 `json:"p999"`  // 99.9th percentile
	Max   int64 `json:"max"`   // greatest value
	// half of the bytes are in operations of at most this size (sizes only): what moved the data, where `p50` is that
	// of most operations
	ByBytes int64 `json:"p50_by_bytes,omitempty"`
	// if the sample has more than one: dip test, mixture and separation all say so
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
	Median int64   `json:"median"` // of the values that belong to it
	Weight float64 `json:"weight"` // share of the sample
}

// Value is an exact value and how often it occurred.
type Value struct {
	Value int64 `json:"value"` // the value
	Count int64 `json:"count"` // how often it occurred
}

// Bin counts the values v with `from` <= v < `to`.
type Bin struct {
	From  int64 `json:"from"`  // least value of the bin
	To    int64 `json:"to"`    // least value of the next bin
	Count int64 `json:"count"` // values in it
}

// Flow is the I/O in one direction at one layer.
type Flow struct {
	Count   int64 `json:"count"`      // operations
	Bytes   int64 `json:"bytes"`      // moved
	Errors  int64 `json:"errors"`     // operations that failed
	FirstNS int64 `json:"first_ns"`   // start of the first operation
	LastNS  int64 `json:"last_ns"`    // end of the last one
	Size    Dist  `json:"size_bytes"` // moved per operation
	Latency Dist  `json:"latency_ns"` // its sum is the time spent, added over operations
	Depth   Depth `json:"depth"`      // achieved queue depth
}

// Gaps are the pauses between data calls, by what comes before and after them. Each is left out where there is no such
// value.
type Gaps struct {
	ReadWrite  *Dist `json:"read_to_write_ns,omitempty"`  // from a read to the write
	WriteRead  *Dist `json:"write_to_read_ns,omitempty"`  // from a write to the next read
	WriteWrite *Dist `json:"write_to_write_ns,omitempty"` // from a write to the next write
}

// Depth is the achieved queue depth: how many operations were in flight. The
// integral of the depth over time equals the sum of the latencies.
type Depth struct {
	MeanWall  float64 `json:"mean_wall"`                  // over the wall time (copies: over the copy)
	MeanBusy  float64 `json:"mean_busy"`                  // over the time with at least one in flight; 0 or >= 1
	Max       int     `json:"max"`                        // most in flight at once
	BusyNS    int64   `json:"busy_ns"`                    // time with at least one in flight
	BusyShare float64 `json:"busy_share,omitempty"`       // that, of the time that the causes divide
	BytesPerS int64   `json:"busy_bytes_per_s,omitempty"` // bytes / busy_ns
	Levels    []Level `json:"levels,omitempty"`           // devices and totals only
}

// Level is the time spent at depths of at least `depth` and below that of the next level.
type Level struct {
	Depth int   `json:"depth"` // least depth of the group
	NS    int64 `json:"ns"`    // time spent at it
}

// Layer is all I/O of the workload at one layer. Each byte is counted once per
// layer; layers are not to be added.
type Layer struct {
	Name    string   `json:"name"`            // "calls", "faults", "loop", "dm", "md", "partition", "disk", "unknown"
	Level   int      `json:"level"`           // 0 for calls and faults, then 1 for the topmost devices and so on down
	Devices []string `json:"devices"`         // their names
	Read    *Flow    `json:"read,omitempty"`  // what was read; missing if nothing was
	Write   *Flow    `json:"write,omitempty"` // what was written; missing if nothing was
	Marks   []string `json:"marks,omitempty"` // codes of warnings that touch these numbers

	// of a layer below another: what was read of files that are on it directly. An example is the source of a copy to a
	// file system in an image on the same disk
	DirectRead  int64 `json:"direct_read_bytes,omitempty"`
	DirectWrite int64 `json:"direct_write_bytes,omitempty"` // the same of what was written
}

// File is one file (one inode; every name and descriptor of it).
type File struct {
	Number int `json:"-"` // of the file in this analysis, by which other parts name it

	Path       string         `json:"path"`                  // its last name
	PathBase64 []byte         `json:"path_base64,omitempty"` // the exact bytes, if `path` is not valid UTF-8
	Names      []string       `json:"names,omitempty"`       // earlier and further names
	Type       trace.FileType `json:"type"`                  // "file", "directory", "pipe", "socket", "block", …
	Device     string         `json:"device"`                // major:minor of its file system
	Inode      uint64         `json:"inode"`                 // its number; 0 if only the name is known
	FSType     string         `json:"fs_type"`               // `ext4`, `xfs`, `btrfs`, `apfs`, `tmpfs`, …
	Mount      string         `json:"mount"`                 // mount point of its file system
	Size       int64          `json:"size_bytes"`            // when last known
	Created    bool           `json:"created"`               // by the workload
	Deleted    bool           `json:"deleted"`               // by the workload, or nameless
	// its status (owner, mode, names: ctime) was changed after its contents (mtime), before the recording
	StatusLater bool `json:"status_changed_later,omitempty"`
	// each write waits until its data is safe: `mount -o sync`, `chattr +S`
	Synchronous bool      `json:"synchronous,omitempty"`
	Processes   []uint32  `json:"processes"`          // that used it, at most 16
	Read        *Flow     `json:"read,omitempty"`     // by calls and asynchronous operations
	Write       *Flow     `json:"write,omitempty"`    // by calls and asynchronous operations
	Ops         []OpCount `json:"ops,omitempty"`      // every operation on it, data calls too
	AskedNS     int64     `json:"asked_ns,omitempty"` // in reads of processes that waited to be asked for something
	// that threads slept after they had been refused a lock on it, until they asked for it again
	RetriesNS int64       `json:"lock_retries_ns,omitempty"`
	Faults    *FaultCount `json:"faults,omitempty"` // page faults that had to wait for it
	// requests that carry this file's data at the topmost device that was seen.
	DeviceRead   *Flow          `json:"device_read,omitempty"`
	DeviceWrite  *Flow          `json:"device_write,omitempty"`  // see `device_read`
	Cache        *Cache         `json:"cache,omitempty"`         // how much of what was read came from memory
	ReadPattern  *AccessPattern `json:"read_pattern,omitempty"`  // in which order it was read
	WritePattern *AccessPattern `json:"write_pattern,omitempty"` // in which order it was written
	Directory    *Directory     `json:"directory,omitempty"`     // of one that was listed, or removed: what that read
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// Directory is what calls that list a directory, or see whether it is empty, had to read for it. That is missing where
// all came from memory, and where the file system keeps directories elsewhere than in the page cache (XFS, btrfs).
type Directory struct {
	NamesBytes int64 `json:"names_bytes"` // of the entries that calls returned
	ReadBytes  int64 `json:"read_bytes"`  // that came into memory meanwhile
}

// OpCount counts the calls of one operation.
type OpCount struct {
	// operation: read, write, copy_range, sendfile, splice, tee, clone, clone_range, open, close, sync, datasync, stat,
	// rename, unlink, link, mmap, msync, uring_enter, …
	Op     trace.Op `json:"op"`
	Count  int64    `json:"count"`   // how many
	Errors int64    `json:"errors"`  // how many failed
	TimeNS int64    `json:"time_ns"` // time spent, added over threads
	Bytes  int64    `json:"bytes"`   // bytes moved
}

// FaultCount counts page faults that had to wait for a file.
type FaultCount struct {
	Count   int64 `json:"count"`        // how many
	TimeNS  int64 `json:"time_ns"`      // spent waiting, added over threads
	Filled  int64 `json:"filled_bytes"` // added to the page cache
	Latency Dist  `json:"latency_ns"`   // distribution of durations
	// of the places that were waited for, each with what it brought in; from 16 waits on
	Pattern *AccessPattern `json:"pattern,omitempty"`
}

// Cache says how much of what was read came from memory.
type Cache struct {
	ReadBytes   int64 `json:"read_bytes"`   // by calls, direct ones left out
	FilledBytes int64 `json:"filled_bytes"` // added to the page cache by those calls, readahead included
	DeviceBytes int64 `json:"device_bytes"` // of this file, read from the device
	// 1 - max(device, filled)/read, at least 0; of the whole, what readahead brought in beyond the bytes read is left
	// out; 0 where the state is unknown
	HitShare float64 `json:"hit_share"`
	State    string  `json:"state"` // "cold", "warm", "mixed", "unknown"
}

// Device is one block device: one layer of a stack.
type Device struct {
	Name         string   `json:"name"`                // as in /dev
	ID           string   `json:"id"`                  // major:minor
	Layer        string   `json:"layer"`               // "disk", "partition", "dm", "md", "loop"
	Level        int      `json:"level"`               // as in [Layer](#layer)
	Model        string   `json:"model"`               // as the drive says
	Firmware     string   `json:"firmware,omitempty"`  // its revision
	Scheduler    string   `json:"scheduler"`           // I/O scheduler
	Rotational   bool     `json:"rotational"`          // a disk that turns, as the kernel believes
	LogicalBlock int64    `json:"logical_block_bytes"` // least unit of access
	MaxRequest   int64    `json:"max_request_bytes"`   // largest request the kernel makes (max_sectors_kb)
	ReadAhead    int64    `json:"read_ahead_bytes"`    // readahead window (read_ahead_kb)
	QueueDepth   int64    `json:"queue_depth"`         // nominal
	Size         int64    `json:"size_bytes"`          // capacity
	WriteCache   string   `json:"write_cache"`         // `write back`, `write through` or empty if not known
	Parents      []string `json:"parents,omitempty"`   // devices it is built on
	Backing      string   `json:"backing,omitempty"`   // file behind a loop device
	// the loop device passes the page cache by where it reads and writes that file (`losetup --direct-io=on`)
	BackingDirect bool `json:"backing_direct,omitempty"`

	// of a device below another: what was read of files that are on it directly
	DirectRead  int64 `json:"direct_read_bytes,omitempty"`
	DirectWrite int64 `json:"direct_write_bytes,omitempty"` // the same of what was written

	Read    *Flow `json:"read,omitempty"`    // the workload’s reads
	Write   *Flow `json:"write,omitempty"`   // the workload’s writes
	Flush   *Flow `json:"flush,omitempty"`   // flushes of the drive cache
	Discard *Flow `json:"discard,omitempty"` // and write zeroes
	Depth   Depth `json:"depth"`             // reads and writes together
	// time between the arrival of a request in the block layer and its issue
	Queue *Queue `json:"queue,omitempty"`

	MergedBios int64 `json:"merged_bios"` // bios merged into requests
	Requeues   int64 `json:"requeues"`    // requests that the driver gave back

	// requests that ended with an error, whatever their operation; 0 is left out
	Failed int64                 `json:"failed,omitempty"`
	Errno  map[trace.Errno]int64 `json:"errno,omitempty"` // of them, per error number (those of Linux, on a Mac too)

	Readahead  int64 `json:"readahead_bytes"`  // read ahead of demand
	Background int64 `json:"background_bytes"` // background writeback
	MetaBytes  int64 `json:"meta_bytes"`       // marked as metadata, or with no file; swap left out
	SyncWrites int64 `json:"sync_writes"`      // writes that a thread waits for
	FUA        int64 `json:"fua"`              // writes that had to reach the medium

	SwapRead  int64 `json:"swap_read_bytes,omitempty"`  // memory of programs that came back from swap
	SwapWrite int64 `json:"swap_write_bytes,omitempty"` // that was moved to swap

	Evidence map[string]int64 `json:"evidence_bytes"` // bytes per grade of evidence for the file
	Foreign  Share            `json:"foreign"`        // of others: not in the numbers above
	Recorder Share            `json:"recorder"`       // of the recorder itself: not in the numbers above

	// as UL's storage benchmarks do: bytes / time with a read or a write in flight
	BandwidthBusy int64 `json:"busy_bytes_per_s"`
	// likewise: mean time from issue to completion of reads and writes
	MeanAccess int64 `json:"mean_access_ns"`

	ReadPattern  *AccessPattern `json:"read_pattern,omitempty"`  // in which order it was read
	WritePattern *AccessPattern `json:"write_pattern,omitempty"` // in which order it was written
	WorkingSet   int64          `json:"working_set_bytes"`       // distinct bytes touched; estimated to 1.6 % if scattered
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
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
	Latency Dist `json:"latency_ns"` // time before issue
}

// Share is I/O that was seen but is not the workload's.
type Share struct {
	Count  int64 `json:"count"`            // requests
	Read   int64 `json:"read_bytes"`       // bytes read
	Write  int64 `json:"write_bytes"`      // bytes written
	Errors int64 `json:"errors,omitempty"` // of them, requests that failed; 0 is left out
	// of `foreign`: time with any of them at the device
	BusyNS int64 `json:"busy_ns,omitempty"`
	// of `foreign`: programs whose own requests are a fifth of the bytes or more, else of what programs moved themselves,
	// most first. The number is that of the process that moved most. Whose data a thread of the kernel wrote back is not
	// known
	Users []User `json:"users,omitempty"`
}

// Process is one process of the workload.
type Process struct {
	PID     uint32   `json:"pid"`            // process number
	Parent  uint32   `json:"parent"`         // of its parent
	Command string   `json:"command"`        // short name (comm)
	Args    []string `json:"args,omitempty"` // command line
	Exe     string   `json:"exe,omitempty"`  // path of the program
	UID     uint32   `json:"uid"`            // user
	// path of its control group in the hierarchy that tells most, when it began its program; missing if not known
	Cgroup string `json:"cgroup,omitempty"`
	// ID of the container that this is, or lies in; missing if it is none
	Container string `json:"container,omitempty"`
	StartNS   int64  `json:"start_ns"` // its fork, exec or first event
	EndNS     int64  `json:"end_ns"`   // -1 if it was running when recording ended
	// as a shell reports it: 128+n for a signal; missing if it was not seen to end
	Status *int `json:"exit_status,omitempty"`
	// the signal that ended it; missing where it exited by itself
	Signal  int   `json:"exit_signal,omitempty"`
	CPUNS   int64 `json:"cpu_ns"`             // within the recording; -1 if not recorded
	Threads int   `json:"threads"`            // threads that were seen
	CallNS  int64 `json:"call_ns"`            // in recorded calls, added over threads
	AskedNS int64 `json:"asked_ns,omitempty"` // of it, in reads of a pipe or a socket until it was asked
	// that its threads waited for one another while another of them was in a sync, added over threads: for a lock that it
	// held, or for that sync
	BehindNS int64 `json:"behind_syncs_ns,omitempty"`
	// of a host that was recorded as a whole, with the commands of others
	Beside   bool  `json:"beside,omitempty"`
	Calls    int64 `json:"calls"`              // recorded calls
	Read     *Flow `json:"read,omitempty"`     // file data, by calls and asynchronous operations
	Write    *Flow `json:"write,omitempty"`    // likewise
	Async    *Flow `json:"async,omitempty"`    // asynchronous operations
	Faults   int64 `json:"faults"`             // page faults that had to wait
	FaultNS  int64 `json:"fault_ns"`           // time in them
	WaitNS   Waits `json:"wait_ns"`            // time off the CPU
	DevRead  int64 `json:"device_read_bytes"`  // topmost devices; requests done for it
	DevWrite int64 `json:"device_write_bytes"` // likewise
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// Waits is time off the CPU, added over threads, per cause.
type Waits struct {
	IO       int64 `json:"io"`       // waiting for I/O
	Throttle int64 `json:"throttle"` // held back because too much data was dirty
	Call     int64 `json:"call"`     // blocked in a recorded call, not on I/O: a lock, a pipe
	Other    int64 `json:"other"`    // blocked elsewhere: futex, poll, sleep, wait for a child
	// interrupted while it could have run: others had the processors, or a quota forbade it
	Ready int64 `json:"ready"`
	// the part of `other` in poll, select and epoll: until a descriptor is ready
	Poll int64 `json:"poll,omitempty"`
	// likewise in poll and epoll, where no descriptor was ready until the time given was over
	Timeout int64 `json:"timeout,omitempty"`
	// likewise for a time; also in poll and select without descriptors
	Sleep int64 `json:"sleep,omitempty"`
	Futex int64 `json:"futex,omitempty"` // likewise for another thread
	Child int64 `json:"child,omitempty"` // likewise for a child process to end
}

// Call is all calls of one name.
type Call struct {
	// operation: read, write, copy_range, sendfile, splice, tee, clone, clone_range, open, close, sync, datasync, stat,
	// rename, unlink, link, mmap, msync, uring_enter, …
	Op     trace.Op              `json:"op"`
	Name   string                `json:"name"`            // the system's own; for asynchronous operations the interface
	Async  bool                  `json:"async"`           // an asynchronous operation, not a call
	Count  int64                 `json:"count"`           // how many
	Errors int64                 `json:"errors"`          // calls that failed
	Errno  map[trace.Errno]int64 `json:"errno,omitempty"` // per error number
	// of `fadvise64` and `madvise` on files: how often each was given: `normal`, `random`, `sequential`, `willneed`,
	// `dontneed`, `noreuse`
	Advice  map[string]int64 `json:"advice,omitempty"`
	Bytes   int64            `json:"bytes"`      // bytes moved
	TimeNS  int64            `json:"time_ns"`    // added over threads
	Size    Dist             `json:"size_bytes"` // bytes moved per call that succeeded
	Latency Dist             `json:"latency_ns"` // time per call
}

// Synced is what the syncs of one operation were for; those that failed left out.
type Synced struct {
	Op          trace.Op `json:"op"`             // as of calls
	Files       int64    `json:"files"`          // distinct files, directories left out
	Syncs       int64    `json:"syncs"`          // of these files
	Directories int64    `json:"directories"`    // syncs of directories
	Unchanged   int64    `json:"unchanged"`      // syncs of files of which nothing was changed or written meanwhile
	Path        string   `json:"path,omitempty"` // of the file with most syncs
	Most        int64    `json:"most"`           // its syncs
}

// Save is a file that was written anew as a whole: a new file took its name, or it was emptied before.
type Save struct {
	Path  string `json:"path"`       // its name
	Count int64  `json:"count"`      // how often
	Bytes int64  `json:"bytes"`      // written in all
	Last  int64  `json:"last_bytes"` // by the last of them; the mean where it was emptied each time
}

// CacheModes says how calls used the page cache, in bytes they moved.
type CacheModes struct {
	DirectRead    int64 `json:"direct_read_bytes"`    // O_DIRECT
	DirectWrite   int64 `json:"direct_write_bytes"`   // likewise
	UncachedRead  int64 `json:"uncached_read_bytes"`  // F_NOCACHE, RWF_DONTCACHE
	UncachedWrite int64 `json:"uncached_write_bytes"` // likewise
	BufferedRead  int64 `json:"buffered_read_bytes"`  // through the page cache
	BufferedWrite int64 `json:"buffered_write_bytes"` // likewise
	// of all writes: durable when the call returned (`O_SYNC`, `O_DSYNC`, `mount -o sync`, `chattr +S`)
	SyncedWrite int64 `json:"synced_write_bytes"`
}
