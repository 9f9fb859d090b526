package kdebug

import "github.com/iotrace/iotrace/trace"

// Limits implements tracer.Source.
func (s *Source) Limits() []trace.Limit { return Limits() }

// Limits lists what kdebug does not show, on any Mac.
func Limits() []trace.Limit {
	return []trace.Limit{
		{Code: "no_faults", Text: "reading and writing of mapped files is not seen, only the disk requests it causes; " +
			"no tracing interface of macOS shows it"},
		{Code: "no_vector_sizes", Text: "how much readv, writev, preadv, pwritev and sendfile asked for is not seen, only how much they moved"},
		{Code: "no_cache_fill", Text: "how much of a read came from the page cache is not seen; compare the bytes read with the bytes of the disk requests"},
		{Code: "no_request_offsets", Text: "a disk request names its file (by the kernel's vnode) but not the place in it"},
		{Code: "no_network_requests", Text: "requests of network volumes (SMB, NFS) and of file systems in user space are not seen: they use no block device here"},
		{Code: "no_physical_requests", Text: "requests are those to the volume (APFS) or partition; what the container and the drive make of them is not seen"},
		{Code: "no_aio_files", Text: "the file, offset and length of POSIX asynchronous I/O are not seen, only its duration and result"},
		{Code: "no_lost_count", Text: "when the buffer overflows, the kernel says so but not how many events were lost: each gap counts as one"},
		{Code: "no_probe_cost", Text: "the time the trace points take is not measured"},
	}
}
