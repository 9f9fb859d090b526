package trace

// LimitCode names something that a recording could not see. Backends and
// importers use these codes and no others; the analyzer knows for each of them
// which of its results it touches.
type LimitCode string

const (
	LimitNoCalls        LimitCode = "no_calls"
	LimitNoAsync        LimitCode = "no_async"
	LimitNoUring        LimitCode = "no_uring"
	LimitNoRequested    LimitCode = "no_requested"
	LimitNoPaths        LimitCode = "no_paths"
	LimitNoClones       LimitCode = "no_clones"
	LimitNoFaults       LimitCode = "no_faults"
	LimitNoFill         LimitCode = "no_fill"
	LimitNoWaits        LimitCode = "no_waits"
	LimitNoWakers       LimitCode = "no_wakers"
	LimitNoThrottling   LimitCode = "no_throttling"
	LimitNoProcesses    LimitCode = "no_processes"
	LimitNoRequests     LimitCode = "no_requests"
	LimitNoRequestFiles LimitCode = "no_request_files"
	LimitNoDirectFiles  LimitCode = "no_direct_files"
	LimitNoBioDevices   LimitCode = "no_bio_devices"
	LimitNoMerges       LimitCode = "no_merges"
	LimitNoQueue        LimitCode = "no_queue"
	LimitNoTransactions LimitCode = "no_transactions"
	LimitNoRPCs         LimitCode = "no_rpcs"
	LimitNoErrors       LimitCode = "no_errors"
	LimitNoFlushes      LimitCode = "no_flushes"
	LimitMmapFiles      LimitCode = "mmap_files"
	LimitGuardedOffsets LimitCode = "guarded_offsets"
	LimitNoDurations    LimitCode = "no_durations"
	LimitNoTimes        LimitCode = "no_times"
	LimitNoPlaces       LimitCode = "no_places"
	LimitHostClocks     LimitCode = "host_clocks"
	LimitPartial        LimitCode = "partial"
)

// LimitTexts says what each limit means, whatever the backend. A backend that
// knows more, such as the reason or a remedy, says so instead.
var LimitTexts = map[LimitCode]string{
	LimitNoCalls: "System calls are not seen.",
	LimitNoAsync: "Asynchronous operations (io_uring, libaio, POSIX AIO) are seen as the calls that submit them, " +
		"without files and results.",
	LimitNoUring:        "io_uring operations are seen as the calls that submit them, without files and results.",
	LimitNoRequested:    "How much a call asked for is not seen, only how much it moved; both are taken to be the same.",
	LimitNoPaths:        "Some files are not known by name.",
	LimitNoClones:       "Clones are not seen: that a file was cloned rather than copied cannot be excluded.",
	LimitNoFaults:       "Reading and writing of mapped files is not seen.",
	LimitNoFill:         "How much of a read came from the page cache is not seen.",
	LimitNoWaits:        "What a thread waited for between its calls is not seen.",
	LimitNoWakers:       "What ended a wait is not seen, and how long a thread waited for a processor after it.",
	LimitNoThrottling:   "That a writer was held back because too much was dirty is not seen.",
	LimitNoProcesses:    "Starts, ends and command lines of some processes are not seen.",
	LimitNoRequests:     "Disk requests are not seen.",
	LimitNoRequestFiles: "The files that disk requests belong to, and when they were queued, are not seen.",
	LimitNoDirectFiles:  "The file of some direct I/O is not seen.",
	LimitNoBioDevices:   "Requests of devices without a request queue (device mapper, md, zram) are not seen.",
	LimitNoMerges:       "Some merges, splits and requeues of disk requests are not seen.",
	LimitNoQueue:        "How long disk requests were queued is not seen.",
	LimitNoTransactions: "Who changed what a journal writes is not seen: others may have, on the same file system.",
	LimitNoRPCs:         "What clients of network file systems ask of their servers is not seen.",
	LimitNoErrors:       "Whether a disk request failed is not seen.",
	LimitNoFlushes:      "Cache flushes of disks are not seen: that none is there does not mean that there was none.",
	LimitMmapFiles:      "Which file was mapped is not seen.",
	LimitGuardedOffsets: "The offsets of some writes are not seen.",
	LimitNoDurations:    "How long calls or requests took is not seen.",
	LimitNoTimes:        "When calls or requests began is not seen: they stand in their order, one after the other.",
	LimitNoPlaces:       "What disk requests did, how large they were and where they lie is not seen.",
	LimitPartial:        "What processes did on other devices or with other files is left out.",
	LimitHostClocks:     "Times of different hosts compare no better than their clocks were set.",
}

// Limit is the limit in its general words.
func (c LimitCode) Limit() Limit { return Limit{Code: c, Text: LimitTexts[c]} }
