package main

import (
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/dtrace"
	"github.com/iotrace/iotrace/tracer/fsusage"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/macos"
)

// backends are those of macOS, best first.
func backends() []backend {
	return []backend{
		{
			name:  "kdebug",
			about: "system calls and disk requests by the kernel's trace buffer; works with System Integrity Protection on",
			open: func(buffer int) (tracer.Source, error) {
				return kdebug.New(kdebug.Options{Buffer: int64(buffer)})
			},
			probe: kdebug.Probe,
		},
		{
			name:  "dtrace",
			about: "the same by DTrace, where System Integrity Protection allows it",
			open: func(buffer int) (tracer.Source, error) {
				return dtrace.New(dtrace.Options{Buffer: buffer})
			},
			probe: dtrace.Probe,
		},
		{
			name:  "fs_usage",
			about: "file system calls and disk requests as fs_usage prints them",
			open:  func(int) (tracer.Source, error) { return fsusage.New(macos.ThisMac()) },
			probe: func() []tracer.Check { return fsusage.Probe(macos.ThisMac()) },
		},
	}
}
