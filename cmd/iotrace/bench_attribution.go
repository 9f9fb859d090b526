package main

// This file gives the requests of a recording to the runs of a benchmark that made them.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sort"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/stats"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// addTrace reads the recording of the runs and adds to each of them what its
// requests were. The trace and the report are of the same boot of the same
// machine, now: their clocks are matched by the present time.
func addTrace(r *baseline.Report, path string) (err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return fmt.Errorf("reading the recording: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zero := int64(f.Header().WallStart.Sub(host.ClockZero(host.Monotonic)))
	windows := windowsOf(r, zero)
	if len(windows) == 0 {
		return nil
	}
	f.Only(trace.KindFile, trace.KindDevice, trace.KindRequest)
	s := &sorter{windows: windows, ours: map[trace.FileID]bool{}, devices: map[trace.DeviceID]string{}}
	var batch trace.Batch
	for {
		err := f.Next(&batch)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading the recording: %w", err)
		}
		s.add(&batch)
	}
	for i := range windows {
		windows[i].finish(s.devices)
	}
	r.Trace = path
	return nil
}

// window is the time of one run in the trace.
type window struct {
	from, to int64
	run      *baseline.RunResult
	devices  map[trace.DeviceID]*tracedDevice
	other    int64
}

// tracedDevice gathers the requests of one device.
type tracedDevice struct {
	spans [][2]int64 // from issue to completion
	baseline.Requests
	sizes   map[int64]int64
	latency stats.Histogram
	busy    float64 // sum of times from issue to completion within the window
	queued  float64 // the same from the entry into the block layer
}

// windowsOf are those of all runs, in order of time.
func windowsOf(r *baseline.Report, zero int64) []window {
	var all []window
	for p := range r.Patterns {
		for q := range r.Patterns[p].Places {
			steps := r.Patterns[p].Places[q].Steps
			for s := range steps {
				for i := range steps[s].Runs {
					run := &steps[s].Runs[i]
					from := run.MonotonicNS - zero
					all = append(all, window{from: from, to: from + run.WallNS, run: run, devices: map[trace.DeviceID]*tracedDevice{}})
				}
			}
		}
	}
	sorting.Stably(all, func(a, b window) int { return cmp.Compare(a.from, b.from) })
	return all
}

// sorter gives requests to the windows they completed in.
type sorter struct {
	windows []window
	ours    map[trace.FileID]bool // files of a working directory
	devices map[trace.DeviceID]string
}

func (s *sorter) add(b *trace.Batch) {
	for i := range b.Files {
		if filepath.Base(filepath.Dir(b.Files[i].Path)) == storage.WorkName {
			s.ours[b.Files[i].ID] = true
		}
	}
	for i := range b.Devices {
		s.devices[b.Devices[i].ID] = b.Devices[i].Name
	}
	for i := range b.Requests {
		q := &b.Requests[i]
		n := sort.Search(len(s.windows), func(i int) bool { return s.windows[i].from > q.Completed }) - 1
		if n < 0 || q.Completed > s.windows[n].to {
			continue
		}
		s.windows[n].add(q, s.ours[q.File])
	}
}

func (w *window) add(q *trace.Request, ours bool) {
	if !ours && (q.File != 0 || q.Flags&(trace.ReqForeign|trace.ReqRecorder) != 0) {
		w.other += q.Bytes
		return
	}
	d := w.devices[q.Device]
	if d == nil {
		d = &tracedDevice{sizes: map[int64]int64{}}
		w.devices[q.Device] = d
	}
	switch q.Op {
	case trace.ReqRead:
		d.Reads++
		d.ReadBytes += q.Bytes
	case trace.ReqWrite:
		d.Writes++
		d.WriteBytes += q.Bytes
	case trace.ReqFlush:
		d.Flushes++
		return
	default:
		return
	}
	d.sizes[q.Bytes]++
	d.latency.Add(q.Latency())
	d.busy += float64(q.Completed - max(q.Issued, w.from))
	d.spans = append(d.spans, [2]int64{max(q.Issued, w.from), q.Completed})
	entered := q.Queued
	if entered < 0 {
		entered = q.Issued
	}
	d.queued += float64(q.Completed - max(entered, w.from))
}

// finish takes the device that moved most: below it, in a stack, the same
// bytes come again.
func (w *window) finish(names map[trace.DeviceID]string) {
	var id trace.DeviceID
	var top *tracedDevice
	for i, d := range w.devices {
		if top == nil || d.ReadBytes+d.WriteBytes > top.ReadBytes+top.WriteBytes {
			id, top = i, d
		}
	}
	if top == nil {
		top = &tracedDevice{}
	}
	q := top.Requests
	q.Device = names[id]
	for bytes, count := range top.sizes {
		q.Sizes = append(q.Sizes, baseline.SizeCount{Bytes: bytes, Count: count})
	}
	sorting.Stably(q.Sizes, func(a, b baseline.SizeCount) int {
		return cmp.Or(-cmp.Compare(a.Count, b.Count), cmp.Compare(a.Bytes, b.Bytes))
	})
	q.Sizes = q.Sizes[:min(len(q.Sizes), 8)]
	if w.run.ActiveNS > 0 {
		q.MeanDepth = top.busy / float64(w.run.ActiveNS)
		q.MeanQueued = top.queued / float64(w.run.ActiveNS)
	}
	q.BusyNS = stats.Union(top.spans)
	q.Latency = generator.LatencyOf(&top.latency)
	q.OtherBytes, q.WindowStart, q.WindowEnd = w.other, w.from, w.to
	w.run.Requests = &q
}
