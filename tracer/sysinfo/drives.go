package sysinfo

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Drives are the counters of all drives when the recording began: no matter for whom they worked. Where requests cannot
// be recorded, for example without privileges, it is all that is known of them.
type Drives struct {
	before map[string]trace.Drive
}

// OpenDrives reads the counters.
func OpenDrives() *Drives { return &Drives{now()} }

// Close returns by how much they went up since, of drives that did anything, most bytes first; nil where the system has
// no such counters.
func (c *Drives) Close() (list []trace.Drive) {
	for name, d := range now() {
		was := c.before[name] // of a drive that was plugged in since: zeros
		d.Reads, d.ReadBytes = since(d.Reads, was.Reads), since(d.ReadBytes, was.ReadBytes)
		d.Writes, d.WrittenBytes = since(d.Writes, was.Writes), since(d.WrittenBytes, was.WrittenBytes)
		if d.Busy = since(d.Busy, was.Busy); d.Reads+d.Writes > 0 {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b trace.Drive) int {
		return cmp.Or(cmp.Compare(b.ReadBytes+b.WrittenBytes, a.ReadBytes+a.WrittenBytes), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), trace.MaxDrives)]
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
func now() map[string]trace.Drive {
	text, err := os.ReadFile(statistics)
	if err != nil {
		return nil
	}
	all := map[string]trace.Drive{}
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
func parse(line string) (d trace.Drive, ok bool) {
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
	return trace.Drive{Name: fields[2], Reads: n[0], ReadBytes: 512 * n[2], Writes: n[4], WrittenBytes: 512 * n[6],
		Busy: 1e6 * n[9]}, true
}
