// Package trace defines what a recorded event is and how events are stored in
// an .iotrace file. It is the vocabulary every other package shares: tracers
// write it, the analyzer reads it, and it imports nothing of ours.
//
// All times are monotonic nanoseconds since the start of the recording. An
// event is written when it ends, so a stream of events is ordered by end time
// (approximately: neighbouring CPUs may swap events that ended within the same
// few microseconds).
package trace

// Kind names the type of an event.
type Kind uint8

// The kinds of events. Their numbers are part of the file format.
const (
	KindSyscall Kind = 1 + iota
	KindAsyncOp
	KindFault
	KindRequest
	KindWait
	KindProcess
	KindFile
	KindDevice
	KindLost
)

// FileID identifies a File event within one trace. Zero means "no file" or
// "not known".
type FileID uint32

// DeviceID is a block or file-system device number, major<<20 | minor, as the
// Linux kernel encodes it internally. Zero means "not known".
type DeviceID uint32

// Major returns the device's major number.
func (d DeviceID) Major() uint32 { return uint32(d) >> 20 }

// Minor returns the device's minor number.
func (d DeviceID) Minor() uint32 { return uint32(d) & (1<<20 - 1) }

// MakeDeviceID builds a DeviceID from a major and a minor number.
func MakeDeviceID(major, minor uint32) DeviceID {
	return DeviceID(major<<20 | minor&(1<<20-1))
}

// NoOffset marks an offset that does not apply or is not known.
const NoOffset int64 = -1

// Syscall is one finished system call.
type Syscall struct {
	Start     int64 // ns since the start of the recording
	Duration  int64 // ns
	PID       uint32
	TID       uint32
	Op        Op     // what the call does, the same on every system
	Call      uint16 // the system's own name: index into Header.Calls
	Flags     IOFlags
	FD        int32  // descriptor the call works on (for copies the source), -1 if none
	FD2       int32  // second descriptor (for copies the destination), -1 if none
	File      FileID // file the call works on (for copies the source)
	File2     FileID // second file (for copies the destination; for rename and link the new name)
	Offset    int64  // bytes from the start of File, NoOffset if not known
	Offset2   int64  // bytes from the start of File2, NoOffset if not known
	Requested int64  // bytes asked for (length argument); 0 if the call has none
	Result    int64  // return value, or -errno
	Filled    int64  // bytes that were added to the page cache while the call ran (cache misses and readahead)
	Buffer    uint64 // address of the data in the memory of the process, of the first of several buffers, of a mapping; 0 if not known
}

// End is the time at which the call returned.
func (s *Syscall) End() int64 { return s.Start + s.Duration }

// Bytes is the number of bytes the call moved: its result if it is a data call
// that succeeded, otherwise 0.
func (s *Syscall) Bytes() int64 {
	if s.Result <= 0 || !s.Op.MovesData() {
		return 0
	}
	return s.Result
}

// Errno is the error number of a failed call, or 0.
func (s *Syscall) Errno() int64 {
	if s.Result < 0 {
		return -s.Result
	}
	return 0
}

// AsyncOp is one io_uring, libaio or POSIX AIO operation.
type AsyncOp struct {
	Submit    int64 // ns: handed to the kernel
	Complete  int64 // ns: completion posted (io_uring) or collected (libaio)
	PID       uint32
	TID       uint32 // submitting thread
	API       AsyncAPI
	Op        Op
	Flags     IOFlags
	File      FileID
	Offset    int64
	Requested int64
	Result    int64  // bytes, or -errno
	Buffer    uint64 // as of a Syscall
}

// Bytes is the number of bytes the operation moved.
func (a *AsyncOp) Bytes() int64 {
	if a.Result <= 0 || !a.Op.MovesData() {
		return 0
	}
	return a.Result
}

// AsyncAPI is the interface an asynchronous operation came through.
type AsyncAPI uint8

// The asynchronous interfaces.
const (
	APIUring AsyncAPI = 1 + iota
	APILibaio
	APIPosixAIO
)

// Fault is a page fault that had to wait for a file.
type Fault struct {
	Start    int64
	Duration int64
	PID      uint32
	TID      uint32
	File     FileID
	Offset   int64 // byte offset of the page in the file
	Filled   int64 // bytes added to the page cache on its behalf
}

// Request is one block request at one device (one layer of a stack).
type Request struct {
	Queued    int64 // ns: its first bio entered the block layer, -1 if not seen
	Issued    int64 // ns: handed to the driver
	Completed int64 // ns
	Device    DeviceID
	Sector    uint64 // in 512-byte units, absolute on the device
	Bytes     int64
	Op        ReqOp
	Flags     ReqFlags
	PID       uint32 // process that queued it (for writeback a kernel worker)
	TID       uint32
	Owner     uint32 // process it was done for, 0 if not known
	File      FileID // file of its first data byte, 0 if none
	Offset    int64  // byte offset in File, NoOffset if not known
	Evidence  Evidence
	Bios      uint32 // bios merged into it, 1 if none was merged
	Requeues  uint32
	Error     int32 // errno, 0 if it succeeded
	// More lists the further pieces of a request that holds data of several
	// files or of several places of one file; nil for the usual request. Bytes
	// of the first piece (File, Offset) is Bytes less the sum of More.
	More []Extent
}

// Latency is the time from issue to completion, in ns.
func (r *Request) Latency() int64 { return r.Completed - r.Issued }

// Extent is a piece of a request that belongs to one place of one file.
type Extent struct {
	File   FileID
	Offset int64
	Bytes  int64
}

// Wait is a time a thread spent off the CPU.
type Wait struct {
	Start    int64
	Duration int64
	PID      uint32
	TID      uint32
	Cause    WaitCause
}

// WaitCause says what a thread waited for.
type WaitCause uint8

// The causes of a wait.
const (
	WaitIO       WaitCause = 1 + iota // marked by the kernel as waiting for I/O
	WaitThrottle                      // held back by balance_dirty_pages
	WaitCall                          // blocked inside a recorded call, not on I/O (a lock, a full pipe)
	WaitOther                         // blocked elsewhere: futex, poll, sleep, wait for a child
	WaitReady                         // for a processor: it could have run, others did (or a quota forbade it)
)

// Process is a fork, an exec or an exit.
type Process struct {
	Time    int64
	Action  ProcessAction
	PID     uint32
	TID     uint32 // the new thread for a fork; equal to PID for a new process
	Parent  uint32
	Status  int32  // exit: wait status as waitpid reports it
	CPU     int64  // exit: CPU time of the whole process in ns
	Command string // comm (at most 15 bytes)
	Args    string // exec: arguments, joined by NUL; present: process was there when recording began
	Exe     string // exec: path of the program
	UID     uint32
}

// ProcessAction is what happened to a process.
type ProcessAction uint8

// The process actions.
const (
	ProcessFork ProcessAction = 1 + iota
	ProcessExec
	ProcessExit
	ProcessPresent // already running when the recording attached to it
)

// File is the identity of a file that some event refers to. It precedes, in
// the stream, every event that uses its ID or follows within the same batch.
type File struct {
	Time   int64
	ID     FileID
	Path   string   // bytes as the kernel has them: may hold newlines and invalid UTF-8
	Device DeviceID // of its file system
	Inode  uint64   // 0 if the path did not resolve to a file
	Size   int64    // when first seen
	Type   FileType
	FSType string
	Mount  string // mount point
	Flags  FileFlags
}

// FileType is the type of a file.
type FileType uint8

// The file types.
const (
	FileUnknown FileType = iota
	FileRegular
	FileDirectory
	FileSymlink
	FilePipe
	FileSocket
	FileBlock
	FileChar
	FileAnon // anonymous inode: eventfd, epoll, io_uring …
)

// FileFlags qualify the identity of a file.
type FileFlags uint8

// The file flags.
const (
	FileDeleted   FileFlags = 1 << iota // no longer had a name when it was seen
	FileTruncated                       // the path was longer than could be recorded; its beginning is missing
	FileUnlinked                        // never had a name (O_TMPFILE, memfd)
)

// Device is the identity of a block device.
type Device struct {
	Time       int64
	ID         DeviceID
	Name       string // as in /dev
	Model      string
	Scheduler  string
	Rotational bool
	// Queue limits as the kernel states them.
	LogicalBlock  int64      // bytes
	PhysicalBlock int64      // bytes
	MaxRequest    int64      // bytes, max_sectors_kb
	ReadAhead     int64      // bytes, read_ahead_kb
	QueueDepth    int64      // nr_requests
	Size          int64      // bytes
	Parents       []DeviceID // devices this one is built on: disk of a partition, members of md or dm
	Backing       string     // backing file of a loop device
	WriteCache    string     // "write back", "write through" or "" if not known
}

// Lost says what could not be recorded.
type Lost struct {
	From  int64 // ns, start of the slice of time
	To    int64 // ns, its end
	Count uint64
	Kind  Kind
	CPU   int32 // -1 if not known
}
