// Package counters tells what the kernel counted while something was recorded: at the drives of the machine, of the
// time of its processors, and what it charged the command with.
package counters
