package tables

import "time"

// The rows of the tables, as docs/export.md describes them. Times are ns since the
// start of the recording, NULL is what is not known or does not apply.

type callRow struct {
	Trace     string  `parquet:"trace,dict"`
	Start     int64   `parquet:"start_ns,delta"`
	Duration  *int64  `parquet:"duration_ns,optional"`
	PID       uint32  `parquet:"pid"`
	TID       uint32  `parquet:"tid"`
	Op        string  `parquet:"op,dict"`
	Call      string  `parquet:"call,dict"`
	Flags     string  `parquet:"flags,dict"`
	FD        *int32  `parquet:"fd,optional"`
	FD2       *int32  `parquet:"fd2,optional"`
	File      *uint32 `parquet:"file,optional"`
	File2     *uint32 `parquet:"file2,optional"`
	Offset    *int64  `parquet:"file_offset,optional"`
	Offset2   *int64  `parquet:"file2_offset,optional"`
	Requested int64   `parquet:"requested_bytes"`
	Result    int64   `parquet:"result"`
	Bytes     int64   `parquet:"bytes"`
	Filled    int64   `parquet:"filled_bytes"`
	Buffer    *uint64 `parquet:"buffer,optional"`
}

type asyncRow struct {
	Trace     string  `parquet:"trace,dict"`
	Submit    int64   `parquet:"start_ns,delta"`
	Duration  *int64  `parquet:"duration_ns,optional"`
	PID       uint32  `parquet:"pid"`
	TID       uint32  `parquet:"tid"`
	API       string  `parquet:"api,dict"`
	Op        string  `parquet:"op,dict"`
	Flags     string  `parquet:"flags,dict"`
	File      *uint32 `parquet:"file,optional"`
	Offset    *int64  `parquet:"file_offset,optional"`
	Requested int64   `parquet:"requested_bytes"`
	Result    int64   `parquet:"result"`
	Bytes     int64   `parquet:"bytes"`
	Buffer    *uint64 `parquet:"buffer,optional"`

	took int64 // what Duration points to
}

type faultRow struct {
	Trace    string  `parquet:"trace,dict"`
	Start    int64   `parquet:"start_ns,delta"`
	Duration int64   `parquet:"duration_ns"`
	PID      uint32  `parquet:"pid"`
	TID      uint32  `parquet:"tid"`
	File     *uint32 `parquet:"file,optional"`
	Offset   *int64  `parquet:"file_offset,optional"`
	Filled   int64   `parquet:"filled_bytes"`
}

type requestRow struct {
	Trace     string  `parquet:"trace,dict"`
	Queued    *int64  `parquet:"queued_ns,optional"`
	Issued    int64   `parquet:"issued_ns,delta"`
	Completed int64   `parquet:"completed_ns,delta,optional"` // 0 is NULL
	Device    uint32  `parquet:"device"`
	Sector    uint64  `parquet:"sector"`
	Bytes     int64   `parquet:"bytes"`
	Op        string  `parquet:"op,dict"`
	Flags     string  `parquet:"flags,dict"`
	PID       uint32  `parquet:"pid"`
	TID       uint32  `parquet:"tid"`
	Owner     *uint32 `parquet:"owner,optional"`
	File      *uint32 `parquet:"file,optional"`
	Offset    *int64  `parquet:"file_offset,optional"`
	Evidence  string  `parquet:"evidence,dict"`
	Bios      uint32  `parquet:"bios"`
	Requeues  uint32  `parquet:"requeues"`
	Error     int32   `parquet:"error"`
	Pieces    int32   `parquet:"pieces"`
}

type pieceRow struct {
	Trace     string  `parquet:"trace,dict"`
	Completed int64   `parquet:"completed_ns,delta"`
	Device    uint32  `parquet:"device"`
	Sector    uint64  `parquet:"sector"`
	Piece     int32   `parquet:"piece"`
	File      *uint32 `parquet:"file,optional"`
	Offset    *int64  `parquet:"file_offset,optional"`
	Bytes     int64   `parquet:"bytes"`
}

type waitRow struct {
	Trace     string  `parquet:"trace,dict"`
	Start     int64   `parquet:"start_ns,delta"`
	Duration  int64   `parquet:"duration_ns"`
	PID       uint32  `parquet:"pid"`
	TID       uint32  `parquet:"tid"`
	Cause     string  `parquet:"cause,dict"`
	Ready     int64   `parquet:"ready_ns"`
	By        string  `parquet:"by,dict"`
	Waker     *uint32 `parquet:"waker,optional"`
	Completed *int64  `parquet:"completed_ns,optional"`
	Helper    bool    `parquet:"helper"`
}

type processRow struct {
	Trace   string `parquet:"trace,dict"`
	Time    int64  `parquet:"time_ns"`
	Action  string `parquet:"action,dict"`
	PID     uint32 `parquet:"pid"`
	TID     uint32 `parquet:"tid"`
	Parent  uint32 `parquet:"parent"`
	Status  *int32 `parquet:"status,optional"`
	CPU     *int64 `parquet:"cpu_ns,optional"`
	Command string `parquet:"command,dict"`
	Args    string `parquet:"args"`
	Exe     string `parquet:"exe,dict"`
	UID     uint32 `parquet:"uid"`
}

type fileRow struct {
	Trace  string  `parquet:"trace,dict"`
	Time   int64   `parquet:"time_ns"`
	File   uint32  `parquet:"file"`
	Path   string  `parquet:"path"`
	Device uint32  `parquet:"device"`
	Inode  *uint64 `parquet:"inode,optional"`
	Size   int64   `parquet:"size_bytes"`
	Type   string  `parquet:"type,dict"`
	FSType string  `parquet:"fs_type,dict"`
	Mount  string  `parquet:"mount,dict"`
	Flags  string  `parquet:"flags,dict"`
}

type deviceRow struct {
	Trace         string `parquet:"trace,dict"`
	Time          int64  `parquet:"time_ns"`
	Device        uint32 `parquet:"device"`
	Name          string `parquet:"name"`
	Model         string `parquet:"model"`
	Scheduler     string `parquet:"scheduler"`
	Rotational    bool   `parquet:"rotational"`
	LogicalBlock  int64  `parquet:"logical_block_bytes"`
	PhysicalBlock int64  `parquet:"physical_block_bytes"`
	MaxRequest    int64  `parquet:"max_request_bytes"`
	ReadAhead     int64  `parquet:"read_ahead_bytes"`
	QueueDepth    int64  `parquet:"queue_depth"`
	Size          int64  `parquet:"size_bytes"`
	Parents       string `parquet:"parents"`
	Backing       string `parquet:"backing"`
	WriteCache    string `parquet:"write_cache"`
	Firmware      string `parquet:"firmware"`
}

type lostRow struct {
	Trace string `parquet:"trace,dict"`
	From  int64  `parquet:"from_ns"`
	To    int64  `parquet:"to_ns"`
	Count uint64 `parquet:"count"`
	Kind  string `parquet:"kind,dict"`
	CPU   *int32 `parquet:"cpu,optional"`
}

type copyRow struct {
	Trace       string   `parquet:"trace,dict"`
	Method      string   `parquet:"method,dict"`
	Source      string   `parquet:"source"`
	Destination string   `parquet:"destination"`
	Bytes       *int64   `parquet:"bytes,optional"`
	SourceSize  *int64   `parquet:"source_size_bytes,optional"`
	Certainty   string   `parquet:"certainty,dict"`
	Evidence    string   `parquet:"evidence,dict"`
	Via         string   `parquet:"via"`
	Interrupted bool     `parquet:"interrupted"`
	Threads     int32    `parquet:"threads"`
	Start       int64    `parquet:"start_ns"`
	Wall        *int64   `parquet:"wall_ns,optional"`
	Durable     *int64   `parquet:"durable_ns,optional"`
	BytesPerS   *int64   `parquet:"bytes_per_s,optional"`
	Buffer      int64    `parquet:"buffer_bytes"`
	ReadDepth   *float64 `parquet:"read_depth,optional"`
	WriteDepth  *float64 `parquet:"write_depth,optional"`
	Serial      *int64   `parquet:"serial_bytes_per_s,optional"`
	Overlapped  *int64   `parquet:"overlapped_bytes_per_s,optional"`
	OneCall     *int64   `parquet:"one_call_bytes_per_s,optional"`
}

type causeRow struct {
	Trace     string  `parquet:"trace,dict"`
	Cause     string  `parquet:"cause,dict"`
	Time      int64   `parquet:"time_ns"`
	Share     float64 `parquet:"share"`
	Certainty string  `parquet:"certainty,dict"`
}

type amountRow struct {
	Trace  string `parquet:"trace,dict"`
	Scope  string `parquet:"scope,dict"`
	Name   string `parquet:"name"`
	Device string `parquet:"device,dict"`
	Op     string `parquet:"op,dict"`
	Kind   string `parquet:"kind,dict"`
	Reason string `parquet:"reason,dict"`
	Bytes  int64  `parquet:"bytes"`
}

type traceRow struct {
	Trace      string     `parquet:"trace,dict"`
	Schema     int32      `parquet:"schema"`
	Tool       string     `parquet:"tool"`
	Backend    string     `parquet:"backend"`
	OS         string     `parquet:"os"`
	Kernel     string     `parquet:"kernel"`
	Arch       string     `parquet:"arch"`
	HostName   string     `parquet:"host_name"`
	WallStart  *time.Time `parquet:"wall_start,timestamp(microsecond),optional"`
	CPUs       int32      `parquet:"cpus"`
	Memory     int64      `parquet:"memory_bytes"`
	Command    string     `parquet:"command"`
	Dir        string     `parquet:"dir"`
	Scope      string     `parquet:"scope"`
	UID        uint32     `parquet:"uid"`
	Limits     string     `parquet:"limits"`
	Complete   bool       `parquet:"complete"`
	Damaged    int32      `parquet:"damaged"`
	Duration   *int64     `parquet:"duration_ns,optional"`
	CommandEnd *int64     `parquet:"command_end_ns,optional"`
	Durable    *int64     `parquet:"durable_ns,optional"`
	ExitCode   *int32     `parquet:"exit_code,optional"`
	Reason     string     `parquet:"reason"`
	Events     int64      `parquet:"events"`
	Lost       int64      `parquet:"lost"`
	ProbeCPU   *int64     `parquet:"probe_cpu_ns,optional"`
	ReaderCPU  *int64     `parquet:"reader_cpu_ns,optional"`
	SHA256     string     `parquet:"sha256" table:"key"`
}
