// Package generator runs patterns in one or more directories and returns a
// report with every run. It writes nowhere but in a directory of its own inside
// each of them, and leaves nothing behind.
//
//	Pattern ─▶ Plan (space, time) ─▶ workspace per directory ─▶ runs, interleaved ─▶ Report
//	                                      step ─▶ schedule (which block next) ─▶ io_uring or threads
//
// A review (NewReview) measures everyday work on several volumes: real programs copy files and trees, clone and start
// there, and a file is scrubbed as a film editor does. It keeps to directories of its own and removes them, too.
//
// A summary (summary*.go) says what runs show: medians with intervals, whether a result is valid, and what the original
// tool would print. It also says whether two places differ, and where a drive slowed down permanently. It measures
// nothing.
package generator
