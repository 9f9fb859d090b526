// Package replay runs the data operations of a recording again in another
// directory. It replays reads, writes, copies within the kernel, waits for
// mapped pages, opens, closes, syncs, truncations and allocations of regular
// files. Synchronous writes wait until their data is safe. It also replays the
// calls that look at files, change their attributes, rename and remove them.
// The files have the same sizes; each thread has the same order and the same
// pauses.
//
// It keeps the order across threads. An operation on a file waits for those of
// other threads on that file that had ended before it began, unless both are
// reads. A write waits for the last read that had ended before it, because its
// data may come from there (a copy that reads in one thread and writes in
// another). Pauses count from the last operation that was waited for.
//
// It does not keep the data itself (it does not compress), what was written
// through mappings, calls on directories and extended attributes, or hints. Nor
// does it keep calls that failed (their time is part of the pauses), and
// asynchronous interfaces (each operation in flight becomes a thread).
package replay
