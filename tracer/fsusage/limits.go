package fsusage

import "github.com/iotrace/iotrace/trace"

// Limits lists what the text of fs_usage does not show, recorded or imported.
func Limits() []trace.Limit {
	return []trace.Limit{
		{Code: "no_requested", Text: "fs_usage prints how much a call moved, not how much it asked for; both are taken to be the same"},
		{Code: "no_clones", Text: "fs_usage does not print clonefileat, fclonefileat and renameatx_np: that a file was cloned rather than copied cannot be excluded"},
		{Code: "no_second_path", Text: "of a call with two paths (rename, link) only the first is printed"},
		{Code: "no_process_ids", Text: "lines name the thread, not the process: a process that lived only for moments is known by its name, if at all"},
		{Code: "no_shells", Text: "of a launched command fs_usage leaves out what sh, zsh, csh, tcsh, Terminal and sshd do themselves"},
		{Code: "no_faults", Text: "reading and writing of mapped files is seen as page-ins without their file"},
		{Code: "no_cache_fill", Text: "how much of a read came from the page cache is not seen"},
		{Code: "no_request_offsets", Text: "a disk request names its file but not the place in it; of a failed one neither size nor device is printed"},
		{Code: "no_network_requests", Text: "requests of network volumes (SMB, NFS) are not seen"},
		{Code: "rounded_times", Text: "times are in microseconds, durations are rounded up"},
		{Code: "no_lost_count", Text: "fs_usage says when it was overrun, not how many events were lost: each time counts as one"},
	}
}
