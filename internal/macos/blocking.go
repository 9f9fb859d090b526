package macos

import "github.com/iotrace/iotrace/trace"

// Blocking says of system calls that are no I/O what a thread waits for in them, by their numbers.
var Blocking = map[uint16]trace.WaitCause{
	93: trace.WaitPoll, 407: trace.WaitPoll, // select
	394: trace.WaitPoll, 395: trace.WaitPoll, // pselect
	230: trace.WaitPoll, 417: trace.WaitPoll, // poll
	363: trace.WaitPoll, 369: trace.WaitPoll, 374: trace.WaitPoll, 375: trace.WaitPoll, // kevent and its kin
	334: trace.WaitSleep, 423: trace.WaitSleep, // __semwait_signal, of which nanosleep is made
	// psynch: mutex, condition, reader, writer
	301: trace.WaitFutex, 305: trace.WaitFutex, 306: trace.WaitFutex, 307: trace.WaitFutex,
	515: trace.WaitFutex, 544: trace.WaitFutex, // ulock_wait
	7: trace.WaitChild, 400: trace.WaitChild, 173: trace.WaitChild, 416: trace.WaitChild, // wait4, waitid
}
