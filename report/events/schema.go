package events

import "github.com/iotrace/iotrace/trace"

// The JSON lines of events. Fields that do not apply are left out; 0 and -1
// that mean something are not.

type jsonSyscall struct {
	Kind     string `json:"kind"`
	Start    int64  `json:"start"`
	Duration int64  `json:"duration"`
	PID      uint32 `json:"pid"`
	TID      uint32 `json:"tid"`
	Op       string `json:"op"`
	Call     string `json:"call"`
	Flags    flags  `json:"flags,omitempty"`
	FD       *int32 `json:"fd,omitempty"`
	FD2      *int32 `json:"fd2,omitempty"`
	jsonFile
	File2      trace.FileID `json:"file2,omitempty"`
	Path2      string       `json:"path2,omitempty"`
	Path2Bytes []byte       `json:"path2_bytes,omitempty"`
	Offset     *int64       `json:"offset,omitempty"`
	Offset2    *int64       `json:"offset2,omitempty"`
	Requested  int64        `json:"requested"`
	Result     int64        `json:"result"`
	Filled     int64        `json:"filled,omitempty"`
	Buffer     uint64       `json:"buffer,omitempty"` // address in the memory of the process
}

type jsonAsyncOp struct {
	Kind     string `json:"kind"`
	Start    int64  `json:"start"`
	Duration int64  `json:"duration"`
	PID      uint32 `json:"pid"`
	TID      uint32 `json:"tid"`
	API      string `json:"api"`
	Op       string `json:"op"`
	Flags    flags  `json:"flags,omitempty"`
	jsonFile
	Offset    *int64 `json:"offset,omitempty"`
	Requested int64  `json:"requested"`
	Result    int64  `json:"result"`
	Buffer    uint64 `json:"buffer,omitempty"`
}

type jsonFault struct {
	Kind     string `json:"kind"`
	Start    int64  `json:"start"`
	Duration int64  `json:"duration"`
	PID      uint32 `json:"pid"`
	TID      uint32 `json:"tid"`
	jsonFile
	Offset *int64 `json:"offset,omitempty"`
	Filled int64  `json:"filled,omitempty"`
}

type jsonRequest struct {
	Kind      string         `json:"kind"`
	Queued    *int64         `json:"queued,omitempty"`
	Issued    int64          `json:"issued"`
	Completed int64          `json:"completed"`
	Device    trace.DeviceID `json:"device"`
	Name      string         `json:"name"`
	Sector    uint64         `json:"sector"`
	Bytes     int64          `json:"bytes"`
	Op        string         `json:"op"`
	Flags     flags          `json:"flags,omitempty"`
	PID       uint32         `json:"pid"`
	TID       uint32         `json:"tid"`
	Owner     uint32         `json:"owner,omitempty"`
	jsonFile
	Offset   *int64       `json:"offset,omitempty"`
	Evidence string       `json:"evidence"`
	Bios     uint32       `json:"bios"`
	Requeues uint32       `json:"requeues,omitempty"`
	Error    int32        `json:"error,omitempty"`
	More     []jsonExtent `json:"more,omitempty"`
}

type jsonExtent struct {
	jsonFile
	Offset *int64 `json:"offset,omitempty"`
	Bytes  int64  `json:"bytes"`
}

type jsonWait struct {
	Kind     string `json:"kind"`
	Start    int64  `json:"start"`
	Duration int64  `json:"duration"`
	PID      uint32 `json:"pid"`
	TID      uint32 `json:"tid"`
	Cause    string `json:"cause"`
}

type jsonProcess struct {
	Kind    string   `json:"kind"`
	Time    int64    `json:"time"`
	Action  string   `json:"action"`
	PID     uint32   `json:"pid"`
	TID     uint32   `json:"tid"`
	Parent  uint32   `json:"parent"`
	Status  *int32   `json:"status,omitempty"` // as waitpid reports it
	CPU     int64    `json:"cpu,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Exe     string   `json:"exe,omitempty"`
	UID     uint32   `json:"uid"`
}

type jsonIdentity struct {
	Kind string `json:"kind"`
	Time int64  `json:"time"`
	jsonFile
	Device trace.DeviceID `json:"device"`
	Inode  uint64         `json:"inode,omitempty"`
	Size   int64          `json:"size"`
	Type   string         `json:"type"`
	FSType string         `json:"fs_type,omitempty"`
	Mount  string         `json:"mount,omitempty"`
	Flags  flags          `json:"flags,omitempty"`
}

type jsonDevice struct {
	Kind          string           `json:"kind"`
	Time          int64            `json:"time"`
	Device        trace.DeviceID   `json:"device"`
	Major         uint32           `json:"major"`
	Minor         uint32           `json:"minor"`
	Name          string           `json:"name"`
	Model         string           `json:"model,omitempty"`
	Scheduler     string           `json:"scheduler,omitempty"`
	Rotational    bool             `json:"rotational"`
	LogicalBlock  int64            `json:"logical_block"`
	PhysicalBlock int64            `json:"physical_block"`
	MaxRequest    int64            `json:"max_request"`
	ReadAhead     int64            `json:"read_ahead"`
	QueueDepth    int64            `json:"queue_depth"`
	Size          int64            `json:"size"`
	Parents       []trace.DeviceID `json:"parents,omitempty"`
	Backing       string           `json:"backing,omitempty"`
	WriteCache    string           `json:"write_cache,omitempty"`
}

type jsonLost struct {
	Kind  string `json:"kind"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Count uint64 `json:"count"`
	Lost  string `json:"lost"` // kind of the events
	CPU   *int32 `json:"cpu,omitempty"`
}

// jsonFile is a file an event is about.
type jsonFile struct {
	File      trace.FileID `json:"file,omitempty"`
	Path      string       `json:"path,omitempty"`
	PathBytes []byte       `json:"path_bytes,omitempty"`
}

// flags are names of bits.
type flags []string
