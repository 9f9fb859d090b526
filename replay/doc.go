// Package replay runs the data operations of a recording again in another
// directory: reads, writes, copies within the kernel, waits for mapped pages,
// opens, closes, syncs, truncations and allocations of regular files, and the
// calls that look at them, change their attributes, rename and remove them; on
// files of the same sizes, in the same order in each thread, with the same
// pauses.
//
// What it keeps across threads: an operation on a file waits for those of other
// threads on that file that had ended before it began, if one of the two is no
// read; and a write waits for the last read that had ended before it, because
// its data may come from there (a copy that reads in one thread and writes in
// another). Pauses count from the last operation that was waited for.
//
// What it does not keep: which data it is (it does not compress), what was
// written through mappings, calls on directories and extended attributes, hints,
// and calls that failed (their time is part of the pauses), and asynchronous
// interfaces (each operation in flight becomes a thread).
package replay
