// Package baseline holds the patterns of the benchmarks people quote and the
// load generator that runs them.
//
// A [Pattern] says what a named benchmark does: steps of reading, writing or
// copying, each with its block size, queue depth, cache mode and limits, plus
// where that is known from and which values are only inferred. [Catalogue]
// lists them; [Lookup] finds them by name.
//
// [Run] executes patterns in one or more directories and returns a [Report]
// with every run. It writes nowhere but in a directory of its own inside each
// of them, and leaves nothing behind.
//
//	Pattern ─▶ Plan (space, time) ─▶ workspace per directory ─▶ runs, interleaved ─▶ Report
//	                                      step ─▶ schedule (which block next) ─▶ io_uring or threads
package baseline
