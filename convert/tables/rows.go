package tables

import "time"

// The rows of the tables that are not those of events (events.go), as docs/export.md describes them. Times are ns since
// the start of the recording, NULL is what is not known or does not apply.

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
