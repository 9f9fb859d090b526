package profile

import "github.com/iotrace/iotrace/trace"

// Process is one process of the workload.
type Process struct {
	PID     uint32   `json:"pid"`            // process number
	Parent  uint32   `json:"parent"`         // of its parent
	Command string   `json:"command"`        // short name (comm)
	Args    []string `json:"args,omitempty"` // command line
	// what it calls itself, where it has written that over its arguments: `postgres: checkpointer`
	Title string `json:"title,omitempty"`
	Exe   string `json:"exe,omitempty"` // path of the program
	UID   uint32 `json:"uid"`           // user
	// path of its control group in the hierarchy that tells most, when it began its program; missing if not known
	Cgroup string `json:"cgroup,omitempty"`
	// ID of the container that this is, or lies in; missing if it is none
	Container string `json:"container,omitempty"`
	StartNS   int64  `json:"start_ns"` // its fork, exec or first event
	EndNS     int64  `json:"end_ns"`   // -1 if it was running when recording ended
	// as a shell reports it: 128+n for a signal; missing if it was not seen to end
	Status *int `json:"exit_status,omitempty"`
	// the signal that ended it; missing where it exited by itself
	Signal int `json:"exit_signal,omitempty"`
	// that signal had the kernel write its memory to a core file
	Dumped  bool  `json:"core_dump,omitempty"`
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
	Size    Dist             `json:"size_bytes"` // bytes moved per call that succeeded; of forks, of page tables
	Latency Dist             `json:"latency_ns"` // time per call
}

// Synced is what the syncs of one operation were for; those that failed left out.
type Synced struct {
	Op          trace.Op `json:"op"`             // as of calls
	Files       int64    `json:"files"`          // distinct files, directories left out
	New         int64    `json:"new,omitempty"`  // of these files: made or emptied during the recording
	Syncs       int64    `json:"syncs"`          // of these files
	Directories int64    `json:"directories"`    // syncs of directories
	Unchanged   int64    `json:"unchanged"`      // syncs of files of which nothing was changed or written meanwhile
	Removed     int64    `json:"removed"`        // syncs of files that were removed in the end, and not replaced
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
