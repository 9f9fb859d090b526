package fsusage

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// Limits lists what the text of fs_usage on a Mac does not show and results rest
// on, recorded or imported.
func Limits(m macos.Model) []trace.Limit {
	limits := []trace.Limit{
		{Code: trace.LimitNoRequested, Text: "fs_usage prints how much a call moved, not how much it asked for; both are " +
			"taken to be the same."},
		{Code: trace.LimitNoClones, Text: "fs_usage does not print clonefileat, fclonefileat and renameatx_np: that a file " +
			"was cloned rather than copied cannot be excluded."},
		{Code: trace.LimitNoPaths, Text: "Of a call with two paths (rename, link) fs_usage prints the first only."},
		{Code: trace.LimitNoProcesses, Text: "Lines name the thread, not the process: a process that lived only for " +
			"moments is known by its name, if at all, " +
			"and what sh, zsh, csh, tcsh, Terminal and sshd do themselves is left out."},
		{Code: trace.LimitNoFaults, Text: "Of reading and writing of mapped files only the page-ins are seen, not where in " +
			"the file they are."},
		trace.LimitNoWaits.Limit(),
		trace.LimitNoFill.Limit(),
	}
	if m == macos.AppleSilicon {
		limits = append(limits,
			trace.Limit{Code: trace.LimitNoFlushes,
				Text: "Apple silicon's kernel does not log cache flushes (and may not log trims): that none is seen does not " +
					"mean that there was none. How long F_FULLFSYNC took is seen."},
			trace.Limit{Code: trace.LimitMmapFiles,
				Text: "On Apple silicon fs_usage does not print the descriptor of mmap: that a file was mapped is seen, and how " +
					"much " +
					"of it, but not which."},
			trace.Limit{Code: trace.LimitGuardedOffsets,
				Text: "On Apple silicon fs_usage prints the lower half only of the offset of pread and pwrite: one above 4 GiB " +
					"is not " +
					"told from one below, and that of guarded_pwrite_np not at all."})
	}
	return limits
}

// unseen lists what fs_usage does not show beyond that.
func unseen() []trace.Limit {
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
