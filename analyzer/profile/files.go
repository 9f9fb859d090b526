package profile

import "github.com/iotrace/iotrace/trace"

// File is one file (one inode; every name and descriptor of it).
type File struct {
	Number int `json:"-"` // of the file in this analysis, by which other parts name it

	Path       string         `json:"path"`                  // its last name
	PathBase64 []byte         `json:"path_base64,omitempty"` // the exact bytes, if `path` is not valid UTF-8
	Names      []string       `json:"names,omitempty"`       // earlier and further names
	Elsewhere  bool           `json:"elsewhere,omitempty"`   // `path` is a container's: of files with data, directories
	Host       string         `json:"host_path,omitempty"`   // its path on the host; missing if no mount shows it
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
	Synchronous bool     `json:"synchronous,omitempty"`
	Processes   []uint32 `json:"processes"`       // that used it, at most 16
	Read        *Flow    `json:"read,omitempty"`  // by calls and asynchronous operations
	Write       *Flow    `json:"write,omitempty"` // by calls and asynchronous operations
	// writes that returned when their data was safe: by O_SYNC, O_DSYNC, RWF_SYNC or RWF_DSYNC
	SyncedWrites int64 `json:"synced_writes,omitempty"`
	// written by calls of 32 KiB and more, of which samples were zeros
	Zeros int64     `json:"zero_bytes,omitempty"`
	Ops   []OpCount `json:"ops,omitempty"`  // every operation on it, data calls too
	Peer  string    `json:"peer,omitempty"` // of a socket, the address that it was connected to
	// of a socket: its other end is in the recording, too
	Paired  bool  `json:"paired,omitempty"`
	AskedNS int64 `json:"asked_ns,omitempty"` // in reads of processes that waited to be asked for something
	// that threads slept after they had been refused a lock on it, or had found a name taken that they wanted to make,
	// until they tried again
	RetriesNS int64 `json:"lock_retries_ns,omitempty"`
	Retries   int64 `json:"lock_retries,omitempty"` // how often they tried again after such a sleep
	// what calls told the kernel of how it is used, `fadvise64` and `madvise`: how often each, as of calls
	Advice map[string]int64 `json:"advice,omitempty"`
	// the longest mapping of it that a call made, not to execute it
	Mapped int64 `json:"mapped_bytes,omitempty"`
	// of one that the workload made and deleted: what one program read of it that another had written
	Handed *Handed     `json:"handed_over,omitempty"`
	Faults *FaultCount `json:"faults,omitempty"` // page faults that had to wait for it
	// requests that carry this file's data at the topmost device that was seen.
	DeviceRead  *Flow `json:"device_read,omitempty"`
	DeviceWrite *Flow `json:"device_write,omitempty"` // see `device_read`
	// writes at a device of pieces that lie elsewhere in the file than the one before, and yet behind it on the device
	Relocated    int64          `json:"relocated_writes,omitempty"`
	Cache        *Cache         `json:"cache,omitempty"`         // how much of what was read came from memory
	ReadPattern  *AccessPattern `json:"read_pattern,omitempty"`  // in which order it was read
	WritePattern *AccessPattern `json:"write_pattern,omitempty"` // in which order it was written
	Directory    *Directory     `json:"directory,omitempty"`     // of one that was listed, or removed
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// Directory is what calls that list a directory, or see whether it is empty, returned and had to read for it. What they
// read is 0 where the file system keeps directories elsewhere than in the page cache (XFS, btrfs).
type Directory struct {
	NamesBytes int64 `json:"names_bytes"` // of the entries that calls returned
	ReadBytes  int64 `json:"read_bytes"`  // that came into memory meanwhile
	// from the first entry to the last, or to where it was closed after several calls; 0 where the kernel makes the
	// entries up (proc, sysfs)
	Listings  int64 `json:"listings"`
	Unchanged int64 `json:"unchanged_listings"` // of these, that returned as many bytes as the one before
	LastBytes int64 `json:"last_bytes"`         // of the entries that the last one of these returned
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

// Handed is what one program read of a file that another one had written. Forks of a program are the same one.
type Handed struct {
	Bytes int64  `json:"bytes"` // read by calls and asynchronous operations
	From  string `json:"from"`  // the short name (comm) of who wrote it first
	To    string `json:"to"`    // of who read most of it
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

// MaxUsers is how many processes are listed of a file.
const MaxUsers = 16

// ReadBytes is what was read of the file: by calls, or through a mapping. Of a mapping only that is known which a
// device or page faults had to bring.
func (f *File) ReadBytes() (bytes int64) {
	if f.Read != nil {
		bytes = f.Read.Bytes
	}
	if f.Mapped == 0 {
		return bytes
	}
	brought := int64(0)
	if f.Faults != nil {
		brought = f.Faults.Filled
	}
	if f.DeviceRead != nil {
		brought = max(brought, f.DeviceRead.Bytes)
	}
	return max(bytes, min(brought, f.Mapped))
}

// LockName is what a file is called that serves as a lock: of one that links make the name that it has by the last one.
func (f *File) LockName() string {
	for _, o := range f.Ops {
		if o.Op == trace.OpLink && o.Errors > 0 && len(f.Names) > 0 {
			return f.Names[len(f.Names)-1]
		}
	}
	return f.Path
}
