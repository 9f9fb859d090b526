package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/report/events"
)

type eventsCommand struct {
	*app
	kinds []string
	json  bool
}

const eventsHelp = `Events prints the events of a trace in the order in which they ended, one per
line: time since the start of the recording in seconds, process (and thread),
kind, and what it was. FILE may be - for standard input.

  syscall  pread64(3 "/data/file", 4096 @8192) = 4096 <0.000012345>
           system call, descriptor and file, bytes asked for @offset, result or
           negative error number, duration in seconds
  asyncop  io_uring read("/data/file", 4096 @8192) = 4096 <0.000012345>
           from submission to completion
  fault    "/data/file" @8192 <0.000012345>
           a page fault that waited for a file
  request  vda write 131072 @sector 2048 queued 0.000001 served 0.000345 sync
           "/data/file" @0 inode
           bytes, first sector, time before and after it was handed to the driver,
           flags, file and offset, and how sure the file is
  wait     io <0.000012345>
           the thread was off the CPU
  process  fork, exec, exit, or present when the recording began
  file     #7 "/data/file" and what is known of it
  device   vda and what is known of it
  lost     12 syscall events on CPU 1, lost since the given time

Names are quoted as in Go and C: a line feed is \n, an invalid byte \xff.

With --json each line is an object with "kind", times in nanoseconds, sizes and
offsets in bytes, and the fields that apply: "start", "duration", "pid", "tid",
"op", "call", "fd", "fd2", "file", "path", "file2", "path2", "offset", "offset2",
"requested", "result", "filled", "flags". A request has "queued", "issued",
"completed", "device", "name", "sector", "bytes", "op", "owner", "evidence",
"bios", "requeues", "error" and, if it holds several pieces, "more". A path that
is not valid UTF-8 has its bytes, in base64, in "path_bytes".

Exit status: 0, 1 for an error, 2 for a wrong command line.`

func newEventsCommand(a *app) *cobra.Command {
	o := &eventsCommand{app: a}
	c := &cobra.Command{
		Use:   "events FILE",
		Short: "Print every event of a trace, one per line",
		Long:  eventsHelp,
		Example: `  iotrace events cp.iotrace | less
  iotrace events --kind request --json cp.iotrace | jq .bytes | sort -n | uniq -c`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			kinds, err := events.ParseKinds(o.kinds)
			if err != nil {
				return usage(c, err)
			}
			return o.run(args[0], events.Options{Kinds: kinds, JSON: o.json})
		},
	}
	c.Flags().StringSliceVar(&o.kinds, "kind", nil, "print only events of this `KIND`")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object per line")
	return c
}

func (o *eventsCommand) run(path string, options events.Options) error {
	in, err := openEvents(o.app, path)
	if err != nil {
		return err
	}
	defer in.close()
	err = o.writeOut(func(w *bufio.Writer) error { return events.Print(w, in.Reader, options) })
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	in.warn(o.app)
	return nil
}
