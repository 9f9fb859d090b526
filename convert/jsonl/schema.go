package jsonl

import (
	"encoding/json"

	"github.com/iotrace/iotrace/trace"
)

// The lines, by their kind; docs/json.md describes them. Fields that do not apply
// are left out; 0 and -1 that mean something are not. A text that is no valid UTF-8
// is there a second time, as bytes, and a value that has no name as a number.

type lineSyscall struct {
	Kind     string   `json:"kind"`
	Start    int64    `json:"start"`
	Duration int64    `json:"duration"`
	PID      uint32   `json:"pid"`
	TID      uint32   `json:"tid"`
	Op       string   `json:"op"`
	Call     string   `json:"call"`
	Flags    []string `json:"flags,omitempty"`
	FD       *int32   `json:"fd,omitempty"`
	FD2      *int32   `json:"fd2,omitempty"`
	lineFile
	File2      trace.FileID `json:"file2,omitempty"`
	Path2      string       `json:"path2,omitempty"`
	Path2Bytes []byte       `json:"path2_bytes,omitempty"`
	Offset     *int64       `json:"offset,omitempty"`
	Offset2    *int64       `json:"offset2,omitempty"`
	Requested  int64        `json:"requested"`
	Result     int64        `json:"result"`
	Filled     int64        `json:"filled,omitempty"`
	Buffer     uint64       `json:"buffer,omitempty"` // address in the memory of the process
	OpNumber   *uint8       `json:"op_number,omitempty"`
	CallNumber *uint16      `json:"call_number,omitempty"`
}

type lineAsyncOp struct {
	Kind     string   `json:"kind"`
	Start    int64    `json:"start"`
	Duration int64    `json:"duration"`
	PID      uint32   `json:"pid"`
	TID      uint32   `json:"tid"`
	API      string   `json:"api"`
	Op       string   `json:"op"`
	Flags    []string `json:"flags,omitempty"`
	lineFile
	Offset    *int64 `json:"offset,omitempty"`
	Requested int64  `json:"requested"`
	Result    int64  `json:"result"`
	Buffer    uint64 `json:"buffer,omitempty"`
	APINumber *uint8 `json:"api_number,omitempty"`
	OpNumber  *uint8 `json:"op_number,omitempty"`
}

type lineFault struct {
	Kind     string `json:"kind"`
	Start    int64  `json:"start"`
	Duration int64  `json:"duration"`
	PID      uint32 `json:"pid"`
	TID      uint32 `json:"tid"`
	lineFile
	Offset *int64 `json:"offset,omitempty"`
	Filled int64  `json:"filled,omitempty"`
}

type lineRequest struct {
	Kind      string         `json:"kind"`
	Queued    *int64         `json:"queued,omitempty"`
	Issued    int64          `json:"issued"`
	Completed int64          `json:"completed"`
	Device    trace.DeviceID `json:"device"`
	Name      string         `json:"name"`
	Sector    uint64         `json:"sector"`
	Bytes     int64          `json:"bytes"`
	Op        string         `json:"op"`
	Flags     []string       `json:"flags,omitempty"`
	PID       uint32         `json:"pid"`
	TID       uint32         `json:"tid"`
	Owner     uint32         `json:"owner,omitempty"`
	lineFile
	Offset         *int64       `json:"offset,omitempty"`
	Evidence       string       `json:"evidence"`
	Bios           uint32       `json:"bios"`
	Requeues       uint32       `json:"requeues,omitempty"`
	Error          int32        `json:"error,omitempty"`
	More           []lineExtent `json:"more,omitempty"`
	OpNumber       *uint8       `json:"op_number,omitempty"`
	EvidenceNumber *uint8       `json:"evidence_number,omitempty"`
}

type lineExtent struct {
	lineFile
	Offset *int64 `json:"offset,omitempty"`
	Bytes  int64  `json:"bytes"`
}

type lineWait struct {
	Kind        string   `json:"kind"`
	Start       int64    `json:"start"`
	Duration    int64    `json:"duration"`
	PID         uint32   `json:"pid"`
	TID         uint32   `json:"tid"`
	Cause       string   `json:"cause"`
	Ready       int64    `json:"ready,omitempty"`
	By          string   `json:"by,omitempty"`
	ByNumber    *uint8   `json:"by_number,omitempty"`
	Waker       uint32   `json:"waker,omitempty"`
	Completed   int64    `json:"completed,omitempty"`
	Flags       []string `json:"flags,omitempty"`
	CauseNumber *uint8   `json:"cause_number,omitempty"`
}

type lineProcess struct {
	Kind         string   `json:"kind"`
	Time         int64    `json:"time"`
	Action       string   `json:"action"`
	PID          uint32   `json:"pid"`
	TID          uint32   `json:"tid"`
	Parent       uint32   `json:"parent"`
	Status       *int32   `json:"status,omitempty"` // as waitpid reports it
	CPU          int64    `json:"cpu,omitempty"`
	Command      string   `json:"command"`
	Args         []string `json:"args,omitempty"`
	Exe          string   `json:"exe,omitempty"`
	UID          uint32   `json:"uid"`
	CommandBytes []byte   `json:"command_bytes,omitempty"`
	ArgsBytes    []byte   `json:"args_bytes,omitempty"` // joined by NUL, if Args does not say it
	ExeBytes     []byte   `json:"exe_bytes,omitempty"`
	ActionNumber *uint8   `json:"action_number,omitempty"`
}

type lineIdentity struct {
	Kind string `json:"kind"`
	Time int64  `json:"time"`
	lineFile
	Device      trace.DeviceID `json:"device"`
	Inode       uint64         `json:"inode,omitempty"`
	Size        int64          `json:"size"`
	Type        string         `json:"type"`
	FSType      string         `json:"fs_type,omitempty"`
	Mount       string         `json:"mount,omitempty"`
	Flags       []string       `json:"flags,omitempty"`
	FSTypeBytes []byte         `json:"fs_type_bytes,omitempty"`
	MountBytes  []byte         `json:"mount_bytes,omitempty"`
	TypeNumber  *uint8         `json:"type_number,omitempty"`
}

type lineDevice struct {
	Kind            string           `json:"kind"`
	Time            int64            `json:"time"`
	Device          trace.DeviceID   `json:"device"`
	Major           uint32           `json:"major"`
	Minor           uint32           `json:"minor"`
	Name            string           `json:"name"`
	Model           string           `json:"model,omitempty"`
	Scheduler       string           `json:"scheduler,omitempty"`
	Rotational      bool             `json:"rotational"`
	LogicalBlock    int64            `json:"logical_block"`
	PhysicalBlock   int64            `json:"physical_block"`
	MaxRequest      int64            `json:"max_request"`
	ReadAhead       int64            `json:"read_ahead"`
	QueueDepth      int64            `json:"queue_depth"`
	Size            int64            `json:"size"`
	Parents         []trace.DeviceID `json:"parents,omitempty"`
	Backing         string           `json:"backing,omitempty"`
	WriteCache      string           `json:"write_cache,omitempty"`
	Firmware        string           `json:"firmware,omitempty"`
	NameBytes       []byte           `json:"name_bytes,omitempty"`
	ModelBytes      []byte           `json:"model_bytes,omitempty"`
	SchedulerBytes  []byte           `json:"scheduler_bytes,omitempty"`
	BackingBytes    []byte           `json:"backing_bytes,omitempty"`
	WriteCacheBytes []byte           `json:"write_cache_bytes,omitempty"`
	FirmwareBytes   []byte           `json:"firmware_bytes,omitempty"`
}

type lineLost struct {
	Kind       string `json:"kind"`
	From       int64  `json:"from"`
	To         int64  `json:"to"`
	Count      uint64 `json:"count"`
	Lost       string `json:"lost"` // kind of the events
	CPU        *int32 `json:"cpu,omitempty"`
	LostNumber *uint8 `json:"lost_number,omitempty"`
}

// lineFile is a file an event is about.
type lineFile struct {
	File      trace.FileID `json:"file,omitempty"`
	Path      string       `json:"path,omitempty"`
	PathBytes []byte       `json:"path_bytes,omitempty"`
}

// lineTrace is the first line, lineEnd the last one of a trace that was completed.
type lineTrace struct {
	Kind   string          `json:"kind"`
	Schema int             `json:"schema"`
	Header json.RawMessage `json:"header"`
}

type lineEnd struct {
	Kind string          `json:"kind"`
	End  json.RawMessage `json:"end"`
}

// The kinds of lines that stand for no event.
const (
	kindTrace = "trace"
	kindEnd   = "end"
)

// schema is the version of the lines that this package writes, and the newest it
// reads. New fields and new kinds of lines do not change it.
const schema = 1
