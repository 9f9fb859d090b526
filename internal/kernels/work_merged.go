//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// work is what a merged trace says of a client that writes a file and of the server that keeps it.
type work struct {
	writes, syncs int
	written       int64 // by calls of the client
	from, to      int64 // from the first of them to the return of the last sync
	asked         moved // by WRITE requests of the client to the server
	sent, kept    int64 // from when the first of them was sent to the reply to the last COMMIT
	server        moved // by requests of the server for the data of files
	other         moved // and for what its file system keeps beside it
	first, last   int64 // when the first request with data was made, and the last one done
	foreign       int   // requests of the server that are said to be of nobody who was recorded
	uncertain     time.Duration
	durable       int64 // when the copy was, as show says
	// The shares of the time that the verdict gives to the file server, and to other programs.
	byServer, byOthers float64
	// Calls that client and server both recorded, those that were served outside of when they were asked, and what the
	// critical path has in the server's threads.
	both, outside int
	beyond        int64 // by how much the farthest of those
	there         int64
}

type moved struct {
	count int
	bytes int64
}

// readWork reads what happened to the file that the client wrote, and what the server's disk was asked for meanwhile.
func readWork(path string) (w work, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return w, err
	}
	defer f.Close()
	w.from, w.first, w.sent = math.MaxInt64, math.MaxInt64, math.MaxInt64
	asked, served := map[uint32]*trace.RPC{}, map[uint32]*trace.RPC{}
	paths, devices := map[trace.FileID]string{}, map[trace.DeviceID]string{}
	for b := (trace.Batch{}); ; {
		if err := f.Next(&b); errors.Is(err, io.EOF) {
			return w, nil
		} else if err != nil {
			return w, err
		}
		for i := range b.RPCs {
			r := b.RPCs[i]
			side := asked
			if r.Served {
				side = served
			}
			if side[r.XID] = &r; r.XID != 0 && asked[r.XID] != nil && served[r.XID] != nil {
				w.pair(asked[r.XID], served[r.XID])
			}
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
		for i := range b.RPCs {
			if r := &b.RPCs[i]; paths[r.File] == sentPath {
				w.rpc(r)
			}
		}
		for i := range b.Requests {
			if q := &b.Requests[i]; q.Op == trace.ReqWrite && strings.HasSuffix(devices[q.Device], "@server") {
				w.request(q)
			}
		}
	}
}

func (w *work) call(c *trace.Syscall) {
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

func (w *work) rpc(r *trace.RPC) {
	switch r.Procedure {
	case "WRITE":
		w.asked.count++
		w.asked.bytes += r.Bytes
		w.sent = min(w.sent, r.Start+r.Queued)
	case "COMMIT":
		w.kept = max(w.kept, r.Start+r.Queued+r.RTT)
	}
}

// pair takes a call as both sides recorded it.
func (w *work) pair(asked, served *trace.RPC) {
	w.both++
	sent := asked.Start + asked.Queued
	if off := max(sent-served.Start, served.End()-sent-asked.RTT); off > 0 {
		w.outside++
		w.beyond = max(w.beyond, off)
	}
}

func (w *work) request(q *trace.Request) {
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

func (w *work) found() string {
	return fmt.Sprintf("%d writes of %d bytes at the client, %d requests with %d bytes of data and %d others at the "+
		"server, the clocks alike to within %v; the file server took %.0f %% of the time, %v of the path in its threads; "+
		"%d calls were recorded on both sides, %d of them served outside of when they were asked", w.writes, w.written,
		w.server.count, w.server.bytes, w.other.count, w.uncertain, 100*w.byServer, time.Duration(w.there), w.both, w.outside)
}

// judge holds what the server's disk was asked for against what the client did: it wrote so many bytes.
func (w *work) judge(size int64) error {
	var wrong []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	check(w.written == size && w.syncs == 1, "the client wrote %d bytes and called fsync once", size)
	check(w.server.bytes == w.written, "the bytes differ")
	check(w.asked.bytes == w.written, "the client asked the server to write %d bytes", w.asked.bytes)
	check(w.first >= w.sent-int64(w.uncertain), "the first request was %v before the first WRITE was sent",
		time.Duration(w.sent-w.first))
	check(w.last <= w.kept+int64(w.uncertain), "the last request was %v after the reply to COMMIT",
		time.Duration(w.last-w.kept))
	check(w.foreign == 0, "%d requests are said to be of others", w.foreign)
	check(w.uncertain > 0, "it is not known how well the clocks compare")
	off := int64(w.uncertain)
	check(w.first >= w.from-off, "the first request was %v before the first write", time.Duration(w.from-w.first))
	check(w.last <= w.to+off, "the last request was %v after the return of fsync", time.Duration(w.last-w.to))
	check(w.durable == w.to, "the copy is called durable %v after the return of fsync", time.Duration(w.durable-w.to))
	check(w.both > 0, "no call was recorded on both sides")
	check(w.beyond <= int64(w.uncertain), "a call was served %v outside of when it was asked", time.Duration(w.beyond))
	check(w.there > 0, "the critical path does not lead into the server's threads")
	// What the emulated processors took may be more; but servers that only wait held nobody back.
	check(w.byServer > 0 && w.byServer > w.byOthers, "the verdict gives %.0f %% of the time to the file server and %.0f "+
		"%% to other programs", 100*w.byServer, 100*w.byOthers)
	return errors.Join(wrong...)
}
