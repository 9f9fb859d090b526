package fsusage

import "github.com/iotrace/iotrace/trace"

// Limits lists what the text of fs_usage does not show and results rest on,
// recorded or imported.
func Limits() []trace.Limit {
	return []trace.Limit{
		{Code: "no_requested", Text: "fs_usage prints how much a call moved, not how much it asked for; both are taken to be the same."},
		{Code: "no_clones", Text: "fs_usage does not print clonefileat, fclonefileat and renameatx_np: that a file was cloned rather than copied cannot be excluded."},
		{Code: "no_paths", Text: "Of a call with two paths (rename, link) fs_usage prints the first only."},
		{Code: "no_processes", Text: "Lines name the thread, not the process: a process that lived only for moments is known by its name, if at all, " +
			"and what sh, zsh, csh, tcsh, Terminal and sshd do themselves is left out."},
		{Code: "no_faults", Text: "Reading and writing of mapped files is seen as page-ins without their file."},
		{Code: "no_waits", Text: "What a thread waited for between its calls is not seen."},
		{Code: "no_fill", Text: "How much of a read came from the page cache is not seen."},
	}
}

// Unseen lists what fs_usage does not show beyond that.
func Unseen() []trace.Limit {
	return []trace.Limit{
		{Code: "request_offsets", Text: "the place of a disk request in its file; of a failed one neither size nor device"},
		{Code: "network_requests", Text: "requests of network volumes (SMB, NFS)"},
		{Code: "nanoseconds", Text: "times below a microsecond; durations are rounded up"},
		{Code: "lost_counts", Text: "how many events an overrun cost: each counts as one"},
	}
}

// remedies say what would show what is not seen.
var remedies = map[string]string{
	"no_requested":     "--backend kdebug shows it",
	"no_clones":        "--backend kdebug shows them",
	"no_paths":         "--backend kdebug shows both",
	"no_processes":     "--backend kdebug knows them",
	"network_requests": "record on the server as well",
	"nanoseconds":      "--backend kdebug has the kernel's own clock",
}
