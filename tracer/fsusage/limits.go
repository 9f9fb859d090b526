package fsusage

import "github.com/iotrace/iotrace/trace"

// Limits lists what the text of fs_usage does not show and results rest on,
// recorded or imported.
func Limits() []trace.Limit {
	return []trace.Limit{
		{Code: trace.LimitNoRequested, Text: "fs_usage prints how much a call moved, not how much it asked for; both are taken to be the same."},
		{Code: trace.LimitNoClones, Text: "fs_usage does not print clonefileat, fclonefileat and renameatx_np: that a file was cloned rather than copied cannot be excluded."},
		{Code: trace.LimitNoPaths, Text: "Of a call with two paths (rename, link) fs_usage prints the first only."},
		{Code: trace.LimitNoProcesses, Text: "Lines name the thread, not the process: a process that lived only for moments is known by its name, if at all, " +
			"and what sh, zsh, csh, tcsh, Terminal and sshd do themselves is left out."},
		{Code: trace.LimitNoFaults, Text: "Reading and writing of mapped files is seen as page-ins without their file."},
		trace.LimitNoWaits.Limit(),
		trace.LimitNoFill.Limit(),
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
var remedies = map[trace.LimitCode]string{
	trace.LimitNoRequested: "--backend kdebug shows it",
	trace.LimitNoClones:    "--backend kdebug shows them",
	trace.LimitNoPaths:     "--backend kdebug shows both",
	trace.LimitNoProcesses: "--backend kdebug knows them",
	"network_requests":     "record on the server as well",
	"nanoseconds":          "--backend kdebug has the kernel's own clock",
}
