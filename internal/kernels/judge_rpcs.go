//go:build linux

package main

// This file holds the RPCs that the client's trace has against what the client's kernel counted of the mount.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// What the client counted before and after.
const (
	beforeName = "before"
	afterName  = "after"
)

// asked is what was asked of the server by one procedure.
type asked struct {
	ops, sends, timeouts, out, in int64
	queued, rtt, took             int64 // ms
	errors                        int64
}

func (a asked) less(b asked) asked {
	return asked{a.ops - b.ops, a.sends - b.sends, a.timeouts - b.timeouts, a.out - b.out, a.in - b.in,
		a.queued - b.queued, a.rtt - b.rtt, a.took - b.took, a.errors - b.errors}
}

// judgeRPCs compares the RPCs of client.iotrace with the differences of the statistics before and after, by procedure:
// number, how often sent, bytes, errors, and the times to a millisecond, which is how the kernel tells them.
func judgeRPCs(dir string) (string, error) {
	before, err := readStatistics(filepath.Join(dir, beforeName))
	if err != nil {
		return "", err
	}
	after, err := readStatistics(filepath.Join(dir, afterName))
	if err != nil {
		return "", err
	}
	recorded, err := readRPCs(filepath.Join(dir, "client.iotrace"))
	if err != nil {
		return "", err
	}
	var total asked
	var wrong []error
	for name := range after {
		counted, seen := after[name].less(before[name]), recorded[name]
		total.ops, total.out, total.in = total.ops+seen.ops, total.out+seen.out, total.in+seen.in
		seen.timeouts = counted.timeouts // not recorded
		alike(&counted.queued, &seen.queued)
		alike(&counted.rtt, &seen.rtt)
		alike(&counted.took, &seen.took)
		if counted != seen {
			wrong = append(wrong, fmt.Errorf("%s: the kernel counted %+v, recorded are %+v", name, counted, seen))
		}
		delete(recorded, name)
	}
	for name, seen := range recorded {
		wrong = append(wrong, fmt.Errorf("%s, of which the kernel counted none: %+v", name, seen))
	}
	if total.ops == 0 {
		wrong = append(wrong, errors.New("no RPC was recorded"))
	}
	return fmt.Sprintf("%d RPCs with %d bytes sent and %d received, as the kernel counted, by procedure", total.ops,
		total.out, total.in), errors.Join(wrong...)
}

// alike makes two times in ms one, if they differ by rounding alone.
func alike(counted, seen *int64) {
	if d := *counted - *seen; d >= -1 && d <= 1 {
		*seen = *counted
	}
}

// readStatistics reads what the kernel counted of the mount of NFS (/proc/self/mountstats), by procedure.
func readStatistics(path string) (map[string]asked, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, list, ok := strings.Cut(string(text), "per-op statistics")
	if !ok {
		return nil, fmt.Errorf("%s: no mount of NFS", path)
	}
	all := map[string]asked{}
	for line := range strings.Lines(list) {
		name, numbers, ok := strings.Cut(strings.TrimSpace(line), ":")
		var a asked
		if !ok {
			continue
		}
		if _, err := fmt.Sscan(numbers, &a.ops, &a.sends, &a.timeouts, &a.out, &a.in, &a.queued, &a.rtt, &a.took,
			&a.errors); err != nil {
			break // the next mount
		}
		all[name] = a
	}
	return all, nil
}

// readRPCs adds up the RPCs between the two times at which the workload read the statistics.
func readRPCs(path string) (map[string]asked, error) {
	sums := map[string]asked{}
	all, err := rpcsBetween(path, "/mountstats", trace.ProtocolNFS4)
	for i := range all {
		r := &all[i]
		a := sums[r.Procedure]
		a.ops, a.sends, a.out, a.in = a.ops+1, a.sends+int64(max(r.Sends, 1)), a.out+r.Out, a.in+r.In
		a.queued, a.rtt, a.took = a.queued+max(r.Queued, 0), a.rtt+max(r.RTT, 0), a.took+r.Duration
		if r.Status != 0 {
			a.errors++
		}
		sums[r.Procedure] = a
	}
	for name, a := range sums {
		a.queued, a.rtt, a.took = ms(a.queued), ms(a.rtt), ms(a.took)
		sums[name] = a
	}
	return sums, err
}

// rpcsBetween are the RPCs of a protocol between the two times at which the workload read the file of the statistics.
func rpcsBetween(path, statistics string, protocol trace.Protocol) (list []trace.RPC, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var read []int64 // when the statistics were, each time
	names := map[trace.FileID]string{}
	for b := new(trace.Batch); ; {
		if err := f.Next(b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		for i := range b.Files {
			names[b.Files[i].ID] = b.Files[i].Path
		}
		for i := range b.Syscalls {
			if c := &b.Syscalls[i]; c.Op == trace.OpRead && strings.HasSuffix(names[c.File], statistics) {
				read = append(read, c.Start)
			}
		}
		list = append(list, b.RPCs...)
	}
	from, to := between(read)
	return slices.DeleteFunc(list, func(r trace.RPC) bool {
		return r.Start < from || r.End() > to || r.Protocol != protocol
	}), nil
}

func ms(ns int64) int64 { return ns / int64(time.Millisecond) }

// between is the longest time between two reads.
func between(read []int64) (from, to int64) {
	from, to = math.MaxInt64, 0
	for i := 1; i < len(read); i++ {
		if read[i]-read[i-1] > to-from || to == 0 {
			from, to = read[i-1], read[i]
		}
	}
	return from, to
}
