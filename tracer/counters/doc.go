// Package counters reports what the kernel counted during a recording: I/O at the drives of the machine, time of its
// processors, and what it charged to the command.
package counters
