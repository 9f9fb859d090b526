package backends

import (
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/dtrace"
	"github.com/iotrace/iotrace/tracer/ebpf"
	"github.com/iotrace/iotrace/tracer/strace"
)

// Here are the backends of Linux, best first.
func Here() List {
	return List{
		{
			Name:  "ebpf",
			About: "system calls, page cache and block requests by BTF tracepoints",
			Open:  func(buffer int) (tracer.Source, error) { return ebpf.New(ebpf.Options{BufferSize: buffer}) },
			Probe: ebpf.Probe,
		},
		{
			Name:     "dtrace",
			Optional: true,
			About:    "system calls and block requests by DTrace 2.x",
			Open:     func(buffer int) (tracer.Source, error) { return dtrace.New(dtrace.Options{Buffer: buffer}) },
			Probe:    dtrace.Probe,
		},
		{
			Name:         "strace",
			Optional:     true,
			Unprivileged: true,
			About:        "system calls by strace, which needs no root and slows each of them down",
			Open:         func(int) (tracer.Source, error) { return strace.New() },
			Probe:        strace.Probe,
		},
	}
}
