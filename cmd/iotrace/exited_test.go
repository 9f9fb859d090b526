package main

import "golang.org/x/sys/unix"

// exited reports whether a child of this process has ended and was waited for.
func exited(pid uint32) bool { return unix.Kill(int(pid), 0) == unix.ESRCH }
