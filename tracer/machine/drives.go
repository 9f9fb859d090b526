package machine

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Drives are the counters of all drives when the recording began: no matter for whom they worked. Where requests cannot
// be recorded, for example without privileges, it is all that is known of them.
type Drives struct {
	before map[string]reading
	at     int64
}

// OpenDrives reads the counters, and a clock: At is when they were what was read.
func OpenDrives(clock func() int64) *Drives {
	before, at := still(now, clock)
	return &Drives{before, at}
}

// At is the moment of the first reading on the clock.
func (c *Drives) At() int64 { return c.at }

// Close returns by how much they went up until a moment on the clock, of drives that did anything, most bytes first. It
// is nil where the system has no such counters.
func (c *Drives) Close(clock func() int64) (list []trace.Drive, at int64) {
	after, at := still(now, clock)
	for name, d := range after {
		d, was := d.Drive, c.before[name] // of a drive that was plugged in since: zeros
		d.Reads, d.ReadBytes = since(d.Reads, was.Reads), since(d.ReadBytes, was.ReadBytes)
		d.Writes, d.WrittenBytes = since(d.Writes, was.Writes), since(d.WrittenBytes, was.WrittenBytes)
		if d.Busy = since(d.Busy, was.Busy); d.Reads+d.Writes > 0 {
			list = append(list, d)
		}
	}
	sorting.Stably(list, func(a, b trace.Drive) int {
		return cmp.Or(cmp.Compare(b.ReadBytes+b.WrittenBytes, a.ReadBytes+a.WrittenBytes), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), trace.MaxDrives)], at
}

// reading is what one drive has counted.
type reading struct {
	trace.Drive
	underway int64 // requests
}

const (
	// settled is how long nothing must have been counted. A request is seen to complete moments before it is counted.
	settled = time.Millisecond
	// tries is how often that is waited for. On a drive that is never idle the moment is as good as it can be.
	tries = 8
)

// still reads the counters twice, until no drive that worked in between is still at work: then what was read is what
// requests had done that had completed at a moment between the two, and no others.
func still(read func() map[string]reading, clock func() int64) (all map[string]reading, at int64) {
	all, at = read(), clock()
	for range tries {
		if all == nil {
			break
		}
		time.Sleep(settled)
		next, later := read(), clock()
		if maps.EqualFunc(all, next, unchanged) {
			break
		}
		all, at = next, later
	}
	return all, at
}

// unchanged reports whether a drive has completed nothing between two readings, and had nothing to do.
func unchanged(a, b reading) bool {
	a.Busy = b.Busy // counted while a request is underway
	return a == b && b.underway == 0
}

// since is a difference of counters, which begin anew when a drive is plugged in again under its name.
func since(after, before int64) int64 {
	if after < before {
		return after
	}
	return after - before
}

// statistics has a line for each block device since Linux 2.6; it needs no privilege.
const statistics = "/proc/diskstats"

// now reads the counters of all drives; nil if there are none to read.
func now() map[string]reading {
	text, err := os.ReadFile(statistics)
	if err != nil {
		return nil
	}
	all := map[string]reading{}
	for line := range strings.Lines(string(text)) {
		if d, ok := parse(line); ok && !part(d.Name) {
			all[d.Name] = d
		}
	}
	return all
}

// part reports whether a block device is a partition: what it does is counted at its drive as well.
func part(name string) bool {
	_, err := os.Stat(filepath.Join("/sys/class/block", strings.ReplaceAll(name, "/", "!"), "partition"))
	return err == nil
}

// parse reads a line: major, minor, name, then reads completed, merged, sectors and ms, the same of writes, requests in
// flight, and ms with any in flight (Documentation/admin-guide/iostats.rst). A sector has 512 bytes.
func parse(line string) (d reading, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 13 {
		return d, false
	}
	var n [10]int64
	for i := range n {
		v, err := strconv.ParseInt(fields[3+i], 10, 64)
		if err != nil || v < 0 || v > trace.MaxTotal/1_000_000 {
			return d, false
		}
		n[i] = v
	}
	return reading{trace.Drive{Name: fields[2], Reads: n[0], ReadBytes: 512 * n[2], Writes: n[4],
		WrittenBytes: 512 * n[6], Busy: 1e6 * n[9]}, n[8]}, true
}
