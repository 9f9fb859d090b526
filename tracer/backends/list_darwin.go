package backends

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/dtrace"
	"github.com/iotrace/iotrace/tracer/fsusage"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// Here are the backends of macOS, best first.
func Here() List {
	return List{
		{
			Name:  "kdebug",
			About: "system calls and disk requests by the kernel's trace buffer; works with System Integrity Protection on",
			Open:  func(buffer int) (tracer.Source, error) { return kdebug.New(kdebug.Options{Buffer: int64(buffer)}) },
			Probe: kdebug.Probe,
		},
		{
			Name:  "dtrace",
			About: "the same by DTrace, where System Integrity Protection allows it",
			Open:  func(buffer int) (tracer.Source, error) { return dtrace.New(dtrace.Options{Buffer: buffer}) },
			Probe: dtrace.Probe,
		},
		{
			Name:  "fs_usage",
			About: "file system calls and disk requests as fs_usage prints them",
			Open:  func(int) (tracer.Source, error) { return fsusage.New(macos.ThisMac()) },
			Probe: func() []tracer.Check { return fsusage.Probe(macos.ThisMac()) },
		},
	}
}
