package kdebug

import (
	"slices"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// Limits implements tracer.Source.
func (s *Source) Limits() []trace.Limit {
	return slices.DeleteFunc(Limits(s.model), func(l trace.Limit) bool { return l.Code == trace.LimitNoWaits })
}

// Limits lists what kdebug does not show on a Mac and results rest on, where the scheduler's records are not among
// those that are read.
func Limits(m macos.Model) []trace.Limit {
	limits := []trace.Limit{
		{Code: trace.LimitNoFaults, Text: "Reading and writing of mapped files is not seen, only the disk requests it " +
			"causes; fs_usage prints page-ins with their file."},
		trace.LimitNoWaits.Limit(),
		{Code: trace.LimitNoFill, Text: "How much of a read came from the page cache is not seen; compare the bytes read " +
			"with those of the disk requests."},
	}
	if m == macos.AppleSilicon {
		limits = append(limits,
			trace.Limit{Code: trace.LimitNoFlushes, Text: "Apple silicon's kernel does not log cache flushes (and may not log " +
				"trims): that none is seen does not " +
				"mean that there was none. How long F_FULLFSYNC took is seen."},
			trace.Limit{Code: trace.LimitMmapFiles, Text: "Apple silicon's kernel does not log the descriptor of mmap: that a " +
				"file was mapped is seen, and how much " +
				"of it, but not which; nor which file an msync wrote."},
			trace.Limit{Code: trace.LimitGuardedOffsets,
				Text: "Apple silicon's kernel does not log the offset of guarded_pwrite_np, which SQLite uses."})
	}
	return limits
}

// unseen lists what kdebug does not show beyond that: it matters to some
// workloads only.
func unseen() []trace.Limit {
	return []trace.Limit{
		{Code: "vector_sizes", Text: "how much readv, writev, preadv, pwritev and sendfile asked for, only how much they " +
			"moved"},
		{Code: "request_offsets", Text: "the place of a disk request in its file; the file is known by the kernel's vnode"},
		{Code: "network_requests", Text: "requests of network volumes (SMB, NFS) and of file systems in user space: they " +
			"use no block device here"},
		{Code: "physical_requests", Text: "what the APFS container and the drive make of a request; requests are those to " +
			"the volume or partition"},
		{Code: "aio_files", Text: "file, offset and length of POSIX asynchronous I/O, only its duration and result"},
		{Code: "lost_counts", Text: "how many events a buffer overflow cost: each gap counts as one"},
		{Code: "probe_cost", Text: "the time the trace points take"},
	}
}

// remedies say what would show what is not seen. Where there is none, nothing
// on macOS does.
var remedies = map[trace.LimitCode]string{
	trace.LimitNoFlushes: "nothing: no interface of this kernel shows them; the time of F_FULLFSYNC holds that of " +
		"the flush", trace.LimitMmapFiles: "--backend dtrace, where System Integrity Protection lets it",
	trace.LimitGuardedOffsets: "--backend dtrace, where System Integrity Protection lets it",
	"network_requests":        "record on the server as well",
	"physical_requests": "nothing: requests are traced above the container; its own figures are in diskutil apfs " +
		"list", "aio_files": "--backend dtrace does not see them either; programs that use pread and pwrite are seen in full",
	"lost_counts": "--buffer 512MiB, or fewer processes (--name, -p), makes overflows rare",
}
