package main

import (
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/dtrace"
	"github.com/iotrace/iotrace/tracer/ebpf"
)

// backends are those of Linux, best first.
func backends() []backend {
	return []backend{
		{
			name:  "ebpf",
			about: "system calls, page cache and block requests by BTF tracepoints",
			open: func(buffer int) (tracer.Source, error) {
				return ebpf.New(ebpf.Options{BufferSize: buffer})
			},
			probe: ebpf.Probe,
		},
		{
			name:     "dtrace",
			optional: true,
			about:    "system calls and block requests by DTrace 2.x",
			open: func(buffer int) (tracer.Source, error) {
				return dtrace.New(dtrace.Options{Buffer: buffer})
			},
			probe: dtrace.Probe,
		},
	}
}
