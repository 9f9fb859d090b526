//go:build linux

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// recording is a real one, in memory.
type recording struct {
	header  trace.Header
	end     trace.End
	batches []*trace.Batch
	events  int64 // that happened
	told    int64 // what files and devices are
}

func readRecording(path string) (*recording, error) {
	r := &recording{}
	read, err := tracefile.Each(path, func(b *trace.Batch) {
		r.batches = append(r.batches, b)
		r.told += int64(len(b.Files) + len(b.Devices))
		r.events += int64(b.Len() - len(b.Files) - len(b.Devices))
	})
	if err != nil {
		return nil, err
	}
	complete := false
	if r.end, complete = read.End(); !complete {
		return nil, fmt.Errorf("%s has no end", path)
	}
	r.header = read.Header()
	return r, nil
}

// fleetHost is a machine that does not exist, with what a real one recorded: the same again and again, slower or
// faster.
type fleetHost struct {
	number, repeat int
	pace           float64 // of its time: all of it is this many times as long
	model          string
	firmware       string
}

// newHost is one of a fleet: three models of drives, two firmwares each. Every 97th host is eight times as slow as its
// like.
func newHost(n, repeat int) fleetHost {
	h := fleetHost{number: n, repeat: repeat, model: []string{"ALPHA 1T", "BETA 2T", "GAMMA 4T"}[n%3],
		firmware: fmt.Sprint("1.", n/3%2)}
	h.pace = []float64{1, 1.3, 1.8}[n%3] * (1 + 0.05*math.Sin(float64(n)))
	if deviates(n) {
		h.pace *= 8
	}
	return h
}

func deviates(n int) bool { return n%97 == 50 }

func (h fleetHost) name() string { return fmt.Sprintf("host-%04d", h.number) }

// write makes the host's trace of a recording.
func (h fleetHost) write(dir string, from *recording) (err error) {
	out, err := os.Create(filepath.Join(dir, h.name()+".iotrace"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	header := from.header
	header.Host, header.WallStart = h.name(), header.WallStart.Add(time.Duration(h.number)*time.Minute)
	w, err := tracefile.NewWriter(out, header)
	if err != nil {
		return err
	}
	for again := range h.repeat {
		for _, b := range from.batches {
			if err := h.add(w, b, int64(again)*from.end.Duration, again == 0); err != nil {
				return errors.Join(err, w.Abandon())
			}
		}
	}
	end := from.end
	end.Duration = h.at(from.end.Duration * int64(h.repeat))
	end.CommandEnd, end.Durable, end.Contents, end.Processors = -1, -1, nil, nil
	end.Lost = map[string]uint64{}
	for kind, n := range from.end.Lost {
		end.Lost[kind] = n * uint64(h.repeat)
	}
	return w.Close(end)
}

func (h fleetHost) at(ns int64) int64 { return int64(float64(ns) * h.pace) }

// add writes a batch, later by shift. What files and devices are is told once.
func (h fleetHost) add(w *tracefile.Writer, b *trace.Batch, shift int64, first bool) (err error) {
	// span is where something of the recording lies in time.
	span := func(start, length int64) (from, lasting int64) {
		from = h.at(start + shift)
		return from, h.at(start+length+shift) - from
	}
	for e := range b.InOrder() {
		switch i := e.Index; e.Kind {
		case trace.KindSyscall:
			c := b.Syscalls[i]
			c.Start, c.Duration = span(c.Start, c.Duration)
			err = w.Syscall(&c)
		case trace.KindAsyncOp:
			c := b.AsyncOps[i]
			c.Submit, c.Complete = h.at(c.Submit+shift), h.at(c.Complete+shift)
			err = w.AsyncOp(&c)
		case trace.KindFault:
			c := b.Faults[i]
			c.Start, c.Duration = span(c.Start, c.Duration)
			err = w.Fault(&c)
		case trace.KindRequest:
			c := b.Requests[i]
			if c.Queued >= 0 {
				c.Queued = h.at(c.Queued + shift)
			}
			c.Issued, c.Completed = h.at(c.Issued+shift), h.at(c.Completed+shift)
			err = w.Request(&c)
		case trace.KindWait:
			c := b.Waits[i]
			c.Start, c.Duration = span(c.Start, c.Duration)
			err = w.Wait(&c)
		case trace.KindProcess:
			c := b.Processes[i]
			c.Time = h.at(c.Time + shift)
			err = w.Process(&c)
		case trace.KindFile:
			if c := b.Files[i]; first {
				c.Time = h.at(c.Time)
				err = w.File(&c)
			}
		case trace.KindDevice:
			if c := b.Devices[i]; first {
				c.Time, c.Model, c.Firmware = h.at(c.Time), h.model, h.firmware
				err = w.Device(&c)
			}
		case trace.KindLost:
			c := b.Lost[i]
			c.From, c.To = h.at(c.From+shift), h.at(c.To+shift)
			err = w.Lost(&c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
