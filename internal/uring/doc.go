// Package uring is a small io_uring: set up a ring, prepare reads, writes and
// fsyncs, submit them, take their completions. It exists because the load
// generator needs an exact queue depth at the least cost per operation. Nothing
// else in the program needs more of io_uring than this.
//
// A Ring belongs to one thread: the one that called New submits and waits, with
// runtime.LockOSThread held for as long as the ring lives. The kernel then
// takes no lock and delivers completions only when they are asked for. That
// takes IORING_SETUP_SINGLE_ISSUER and IORING_SETUP_DEFER_TASKRUN, Linux 6.1;
// older kernels get a ring without them.
//
// The layouts of entries and rings are those of include/uapi/linux/io_uring.h;
// the order of loads and stores is that of io_uring_setup(2).
package uring

import "errors"

// ErrUnavailable is wrapped by the error of New when this system has no
// io_uring for us: a kernel before 5.6, the sysctl kernel.io_uring_disabled, a
// seccomp filter (containers), or a system that is not Linux.
var ErrUnavailable = errors.New("io_uring is not available")
