package profile

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

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
	// what the largest request may be raised to (max_hw_sectors_kb); 0 is left out: not known
	HardwareRequest int64 `json:"hardware_request_bytes,omitempty"`
	// each request begins so far behind a multiple of 4 KiB; 0 is left out
	Shifted int64 `json:"shifted_bytes,omitempty"`

	// of a device below another: what was read of files that are on it directly
	DirectRead  int64 `json:"direct_read_bytes,omitempty"`
	DirectWrite int64 `json:"direct_write_bytes,omitempty"` // the same of what was written

	Read    *Flow `json:"read,omitempty"`    // the workload’s reads
	Write   *Flow `json:"write,omitempty"`   // the workload’s writes
	Flush   *Flow `json:"flush,omitempty"`   // flushes of the drive cache
	Discard *Flow `json:"discard,omitempty"` // and write zeroes
	Depth   Depth `json:"depth"`             // reads and writes together
	// what requests cost it; left out where most had one size, as that does not tell
	ReadCost  *Cost `json:"read_cost,omitempty"`
	WriteCost *Cost `json:"write_cost,omitempty"` // likewise
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

	// bytes of requests of the I/O priority class idle (ionice -c 3)
	IdleClass int64 `json:"idle_class_bytes,omitempty"`

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

// Cost divides the time in which a device worked between its requests, whatever their size, and their bytes. Shares
// have 95 % intervals (Theil and Sen).
type Cost struct {
	RequestNS     int64   `json:"request_ns"`      // of each request, whatever its size
	ByteShare     float64 `json:"byte_share"`      // of the time, that grew with the bytes
	ByteShareLow  float64 `json:"byte_share_low"`  // likewise
	ByteShareHigh float64 `json:"byte_share_high"` // likewise
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
	// part of the time with reads at the device in which a further one waited for it, since the queue let no more through
	ReadsWaiting  float64 `json:"reads_waiting_share,omitempty"`
	WritesWaiting float64 `json:"writes_waiting_share,omitempty"` // likewise of writes
}

// Share is I/O that was seen but is not the workload's.
type Share struct {
	Count  int64 `json:"count"`            // requests
	Read   int64 `json:"read_bytes"`       // bytes read
	Write  int64 `json:"write_bytes"`      // bytes written
	Errors int64 `json:"errors,omitempty"` // of them, requests that failed; 0 is left out
	// of `foreign`: time with any of them at the device
	BusyNS int64 `json:"busy_ns,omitempty"`
	// of `foreign`: how many were at the device meanwhile, on average
	MeanBusy float64 `json:"mean_busy,omitempty"`
	// of `foreign`: how long reads of the workload waited at the device while it served these, added up. It is estimated:
	// what a request takes alone is its own, and of a device that serves one after another, the time since the last one
	ReadBehind  int64 `json:"read_behind_ns,omitempty"`
	WriteBehind int64 `json:"write_behind_ns,omitempty"` // likewise, writes of the workload
	// of `foreign`: programs whose own requests are a fifth of the bytes or more, else of what programs moved themselves,
	// most first. The number is that of the process that moved most. Whose data a thread of the kernel wrote back is not
	// known
	Users []User `json:"users,omitempty"`
}
