// Package generator runs patterns in one or more directories and returns a
// report with every run. It writes nowhere but in a directory of its own inside
// each of them, and leaves nothing behind.
//
//	Pattern ─▶ Plan (space, time) ─▶ workspace per directory ─▶ runs, interleaved ─▶ Report
//	                                      step ─▶ schedule (which block next) ─▶ io_uring or threads
package generator
