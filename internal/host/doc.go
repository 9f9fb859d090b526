// Package host asks the system about the machine, this process and others. On Linux much of it is in /proc: the
// processes, the mounts that each has, the control group that it is in, and which container that is.
//
// It relates the clocks of the machine to each other. What packages that work on files by system calls share is here
// too: calls are repeated after a signal, and random data is made where drives could compress it.
//
// It also lets a program make sure that a process of itself has started it, and not a user who types the same
// arguments. With sudo such arguments would be a way around what sudo allows.
package host
