package trace

import (
	"slices"
	"strings"
)

// End is the last frame of a trace that was completed.
type End struct {
	Duration   int64             `json:"duration"`    // ns: recording, drain included
	CommandEnd int64             `json:"command_end"` // ns: when the command returned; -1 if none was run
	Durable    int64             `json:"durable"`     // ns: when all its data was written back; -1 if that was not reached
	ExitCode   int               `json:"exit_code"`   // of the command, 128+n for a signal; -1 if none was run
	Reason     string            `json:"reason"`      // why it ended: "exit", "duration", "signal", "error", "import"
	Error      string            `json:"error,omitempty"`
	Counts     map[string]uint64 `json:"counts"` // events per kind, by Kind.String
	Lost       map[string]uint64 `json:"lost"`   // lost events per kind
	Recorder   Cost              `json:"recorder"`
	Warnings   []string          `json:"warnings,omitempty"`
	Contents   []Content         `json:"contents,omitempty"`   // of files that may be copies of one another
	Uncompared int64             `json:"uncompared,omitempty"` // files that may be, and were not read: there were too many
	Touched    []Touched         `json:"touched,omitempty"`    // of the files that were read, as they were afterwards
	Processors *Processors       `json:"processors,omitempty"` // nil if the system did not tell
	Holders    []Holder          `json:"holders,omitempty"`
	Accepted   []Socket          `json:"accepted,omitempty"` // where programs wait to be asked
	Drives     []Drive           `json:"drives,omitempty"`   // most bytes first
	Users      []User            `json:"users,omitempty"`    // of the same drives, most bytes first
	Charged    *Charge           `json:"charged,omitempty"`
	IOLimits   []IOLimit         `json:"io_limits,omitempty"` // in the order of time
	Memory     []MemoryLimit     `json:"memory_limits,omitempty"`
	CacheDrops int64             `json:"cache_drops,omitempty"` // times that somebody had the page cache dropped
	// Reclaimed is what the kernel took of files out of memory because memory, or a control group's, was short.
	Reclaimed  *int64   `json:"reclaimed,omitempty"`   // bytes; nil if the system did not tell
	Mounts     []Mount  `json:"mounts,omitempty"`      // in the order in which they were used
	SyncedDirs []string `json:"synced_dirs,omitempty"` // whose names are written at once: chattr +D, chattr +S
	Samples    []Sample `json:"samples,omitempty"`     // what CPU time was spent on, most first
}

// Charge is what drives and processors had to do for the command and for those of its children that were waited for, by
// the kernel's own account (getrusage(2), /proc/PID/io). Nobody has to be privileged to read it.
type Charge struct {
	ReadBytes    int64 `json:"read_bytes"`
	WrittenBytes int64 `json:"written_bytes"` // or to be written: they count when memory is changed
	User         int64 `json:"user_ns"`       // processor time of the programs
	System       int64 `json:"system_ns"`     // and of the kernel for them
}

// Drive is what the kernel counted at a drive during the recording, no matter for whom it was done.
type Drive struct {
	Name         string `json:"name"`
	Reads        int64  `json:"reads"` // requests
	ReadBytes    int64  `json:"read_bytes"`
	Writes       int64  `json:"writes"`
	WrittenBytes int64  `json:"written_bytes"`
	Busy         int64  `json:"busy_ns"` // with any request in flight
}

// MaxDrives is how many are listed at most.
const MaxDrives = 64

// User is a process outside of the recording that asked a drive for something while it was made.
type User struct {
	PID     uint32 `json:"pid"`
	Command string `json:"command"`
	Bytes   int64  `json:"bytes"`            // in requests
	Kernel  bool   `json:"kernel,omitempty"` // a thread of the kernel: it may do so for others, even recorded ones
}

// MaxUsers is how many are listed at most.
const MaxUsers = 16

// Holder is a process outside of the recording that had what a recorded one waited for, or a lock on a file that it had
// open. The other end of a socket, which is a file of its own, can be a recorded process too, or on another machine.
type Holder struct {
	What  string `json:"what"`  // HeldLock, HeldPipe, HeldSocket, HeldAccess
	Inode uint64 `json:"inode"` // of the file that the recorded process waited for; 0 for HeldAccess
	// Device is that of the file, where several have its inode: in a trace of several hosts.
	Device  DeviceID `json:"device,omitempty"`
	PID     uint32   `json:"pid"`               // 0 if it is on another machine
	Command string   `json:"command,omitempty"` // "" if it had ended
	Address string   `json:"address,omitempty"` // of the other machine, with the port
}

// What a holder can have.
const (
	HeldLock   = "lock"   // on a file
	HeldPipe   = "pipe"   // its other end
	HeldSocket = "socket" // likewise
	// HeldAccess is the say on whether files may be opened or read: those who do so wait for it (fanotify).
	HeldAccess = "access"
)

// MaxHolders is how many are listed at most.
const MaxHolders = 16

// Socket is one that was accepted from a listening one, and was open as the recording ended: its program serves whoever
// is at the other end. So does the program of a named Unix socket for datagrams.
type Socket struct {
	Inode  uint64   `json:"inode"`
	Device DeviceID `json:"device,omitempty"` // where several have its inode: in a trace of several hosts
}

// MaxAccepted is how many are listed at most.
const MaxAccepted = 4096

// Processors is what all processors of the machine did during the recording; times are added up over them.
type Processors struct {
	Busy   int64  `json:"busy_ns"`   // with whatever program, and with interrupts
	Idle   int64  `json:"idle_ns"`   // with nothing to run
	Stolen int64  `json:"stolen_ns"` // with something to run, while the host of the virtual machine gave them to others
	Held   []Held `json:"held,omitempty"`
	// Others are processes outside of the recording that ran meanwhile, longest first.
	Others []Runner `json:"others,omitempty"`
}

// Runner is a process outside of the recording that processors ran, and for how long.
type Runner struct {
	PID     uint32 `json:"pid"`
	Command string `json:"command"`
	Time    int64  `json:"time_ns"`
}

// MaxRunners is how many are listed at most.
const MaxRunners = 8

// Held is a control group of recorded processes whose quota of processor time was used up at times.
type Held struct {
	Group string `json:"group"`   // its path in the hierarchy
	Time  int64  `json:"time_ns"` // for which it was held back, added up over processors
}

// MaxHeld is how many groups are listed at most.
const MaxHeld = 16

// MemoryLimit is a control group of recorded processes that came up against its limit of memory meanwhile: something in
// it had to be given up first, the page cache before all.
type MemoryLimit struct {
	Group   string `json:"group"` // its path in the hierarchy
	Bytes   int64  `json:"bytes"`
	Reached int64  `json:"reached"` // times
}

// MaxMemoryLimits is how many are listed at most.
const MaxMemoryLimits = 16

// IOLimit is what a control group of recorded processes let them do at a device from a time on, a second; 0: as much as
// they like.
type IOLimit struct {
	Group      string   `json:"group"` // its path in the hierarchy
	Device     DeviceID `json:"device"`
	From       int64    `json:"from"` // ns: when it was seen first
	ReadBytes  int64    `json:"read_bytes,omitempty"`
	WriteBytes int64    `json:"write_bytes,omitempty"`
	Reads      int64    `json:"reads,omitempty"` // requests
	Writes     int64    `json:"writes,omitempty"`
}

// MaxIOLimits is how many are listed at most.
const MaxIOLimits = 64

// Mount is a mounted file system that recorded processes used, or one below it: that of the file of a loop device.
type Mount struct {
	Device  DeviceID `json:"device"`         // of the file system, as in files
	Disk    DeviceID `json:"disk,omitempty"` // on which it lies, as in requests; 0 if that is not known
	Point   string   `json:"point"`
	FSType  string   `json:"fs_type"`
	Source  string   `json:"source"`  // the device, as it was named when it was mounted
	Options string   `json:"options"` // of the mount and of the file system, separated by commas
	// It is an ext4 without a journal.
	Unjournaled bool `json:"unjournaled,omitempty"`
	// It is an ext2, ext3 or ext4 whose directories have no index (dir_index).
	Unindexed bool `json:"unindexed,omitempty"`
	// It is a btrfs with quota groups that count who shares an extent.
	SharingCounted bool `json:"sharing_counted,omitempty"`
}

// MaxLoops is how many loop devices are followed, one in the file of another.
const MaxLoops = 4

// MaxMounts and MaxSyncedDirs are how many are listed at most.
const (
	MaxMounts     = 64
	MaxSyncedDirs = 64
)

// Has reports whether a mount has one of some options.
func (m *Mount) Has(options ...string) bool { return HasOption(m.Options, options...) }

// HasOption reports whether one of some options is in a list of mount options.
func HasOption(list string, options ...string) bool {
	for o := range strings.SplitSeq(list, ",") {
		if slices.Contains(options, o) {
			return true
		}
	}
	return false
}

// OptionValue is what stands behind an option and = in a list of mount options, "" if it is not there.
func OptionValue(list, option string) string {
	for o := range strings.SplitSeq(list, ",") {
		if value, ok := strings.CutPrefix(o, option+"="); ok {
			return value
		}
	}
	return ""
}

// Volatile are the options of an overlay that does nothing when it is asked to sync, whoever asks.
var Volatile = []string{"volatile", "fsync=volatile"}

// Unflushing are the options with which a file system never has the cache of its drive flushed.
var Unflushing = []string{"nobarrier", "barrier=0", "barrier=none"}

// Content is what a file held when the recording had ended. Two files of the
// same size with the same sum hold the same, as far as samples tell.
type Content struct {
	File    FileID `json:"file"`
	Size    int64  `json:"size"`
	Changed int64  `json:"changed"` // ns on the clock of the trace: when it was last changed, below 0 before the recording
	Sum     uint64 `json:"sum"`     // FNV-1a of the file, or of samples of 4 KiB
	// bytes that Sum is of, less than Size for samples; 0 in older traces: up to 16 samples
	Read int64  `json:"read,omitempty"`
	Seed uint64 `json:"seed,omitempty"` // of the places of samples; with the size it says where they are
}

// Touched is a file whose status (owner, mode, names) was changed more than a second after its contents. Programs that
// look at that time take it for a change. Times are ns on the clock of the trace, below 0 before the recording.
type Touched struct {
	File     FileID `json:"file"`
	Modified int64  `json:"modified"` // mtime
	Changed  int64  `json:"changed"`  // ctime
}

// MaxTouched is how many are listed at most.
const MaxTouched = 16384

// Cost is what recording itself cost.
type Cost struct {
	ProbeCPU   int64  `json:"probe_cpu_ns"`  // CPU time of the probes, in all threads of the system
	ProbeRuns  uint64 `json:"probe_runs"`    // how often a probe ran while it was measured
	Sampled    bool   `json:"probe_sampled"` // ProbeCPU is scaled up from samples
	ReaderCPU  int64  `json:"reader_cpu_ns"` // CPU time of the recording process
	MaxRSS     int64  `json:"max_rss"`       // bytes, of the recording process
	BufferSize int64  `json:"buffer_size"`   // bytes of kernel buffer
	BufferPeak int64  `json:"buffer_peak"`   // bytes: fullest state that was seen
}
