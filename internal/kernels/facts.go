//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// pairWork is what a merged trace says of the work of a pair.
type pairWork struct {
	writes, syncs int
	written       int64 // by calls of the client
	from, to      int64 // from the first of them to the return of the last sync
	server        moved // by requests of the server for the data of files
	other         moved // and for what its file system keeps beside it
	first, last   int64 // when the first request with data was made, and the last one done
	foreign       int   // requests of the server that are said to be of nobody who was recorded
	uncertain     time.Duration
	durable       int64 // when the copy was, as show says
}

type moved struct {
	count int
	bytes int64
}

// readPair reads what happened to the file that the client wrote, and what the server's disk was asked for meanwhile.
func readPair(path string) (w pairWork, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return w, err
	}
	defer f.Close()
	w.from, w.first = math.MaxInt64, math.MaxInt64
	paths, devices := map[trace.FileID]string{}, map[trace.DeviceID]string{}
	for b := (trace.Batch{}); ; {
		if err := f.Next(&b); errors.Is(err, io.EOF) {
			return w, nil
		} else if err != nil {
			return w, err
		}
		for i := range b.Files {
			paths[b.Files[i].ID] = b.Files[i].Path
		}
		for i := range b.Devices {
			devices[b.Devices[i].ID] = b.Devices[i].Name
		}
		for i := range b.Syscalls {
			if c := &b.Syscalls[i]; paths[c.File] == sentPath {
				w.call(c)
			}
		}
		for i := range b.Requests {
			if q := &b.Requests[i]; q.Op == trace.ReqWrite && strings.HasSuffix(devices[q.Device], "@server") {
				w.request(q)
			}
		}
	}
}

func (w *pairWork) call(c *trace.Syscall) {
	switch c.Op {
	case trace.OpWrite:
		w.writes++
		w.written += c.Bytes()
		w.from = min(w.from, c.Start)
	case trace.OpSync:
		w.syncs++
		w.to = max(w.to, c.End())
	}
}

func (w *pairWork) request(q *trace.Request) {
	if q.Flags&trace.ReqForeign != 0 {
		w.foreign++
	}
	if q.Flags&trace.ReqMeta != 0 {
		w.other.count++
		w.other.bytes += q.Bytes
		return
	}
	w.server.count++
	w.server.bytes += q.Bytes
	w.first = min(w.first, q.Issued)
	w.last = max(w.last, q.Completed)
}

func (w *pairWork) found() string {
	return fmt.Sprintf("%d writes of %d bytes at the client, %d requests with %d bytes of data and %d others at the "+
		"server, the clocks alike to within %v", w.writes, w.written, w.server.count, w.server.bytes, w.other.count,
		w.uncertain)
}

// judge holds what the server's disk was asked for against what the client did.
func (w *pairWork) judge() error {
	var wrong []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	check(w.written == sourceBytes && w.syncs == 1, "the client wrote %d bytes and called fsync once", int64(sourceBytes))
	check(w.server.bytes == w.written, "the bytes differ")
	check(w.foreign == 0, "%d requests are said to be of others", w.foreign)
	check(w.uncertain > 0, "it is not known how well the clocks compare")
	off := int64(w.uncertain)
	check(w.first >= w.from-off, "the first request was %v before the first write", time.Duration(w.from-w.first))
	check(w.last <= w.to+off, "the last request was %v after the return of fsync", time.Duration(w.last-w.to))
	check(w.durable == w.to, "the copy is called durable %v after the return of fsync", time.Duration(w.durable-w.to))
	return errors.Join(wrong...)
}

// durable is when show says that the copy to the server was safe.
func durable(tool, path string) (int64, error) {
	out, err := exec.Command(tool, "show", "--json", path).Output()
	if err != nil {
		return 0, fmt.Errorf("iotrace show: %w", err)
	}
	var p struct {
		Copies []struct {
			Destination string `json:"destination"`
			Start       int64  `json:"start_ns"`
			Durable     int64  `json:"durable_ns"`
		} `json:"copies"`
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return 0, err
	}
	for _, c := range p.Copies {
		if c.Destination == sentPath {
			return c.Start + c.Durable, nil
		}
	}
	return 0, fmt.Errorf("show knows no copy to %s", sentPath)
}

// sentPath is where the merged trace has the file that the client writes.
const sentPath = "//client/mnt/written"

// clockError is how far the clock of a recording may have been off.
func clockError(path string) (time.Duration, error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	header := f.Header()
	return time.Duration(header.ClockError), nil
}
