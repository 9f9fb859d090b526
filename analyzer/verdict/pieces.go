package verdict

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// A piece cannot be larger than its file. Where files are read whole by a request or two, larger ones save nothing, and
// what helps is to have several files under way.

// smallFiles says of how many files requests were, if each needed one or two, and what helps then.
func smallFiles(a *account, d *wording.Disk) (text, remedy string) {
	x := ofDisk(a.p, d)
	if x.Files < several || x.Count > 2*x.Files || 2*x.Count <= d.Flow.Count {
		return "", ""
	}
	a.figure("files", float64(x.Files))
	text = fmt.Sprintf(", %s files", unit.Number(float64(x.Files))) + commonDirectory(a.p, d)
	if d.Verb == "wrote" {
		return text, "fewer, larger files, such as an archive of them, or several at once; a drive of lower latency"
	}
	if littleOfEach(a.p, x.Files) {
		return text, "one index of them, or fewer, larger files (git repack, a compaction), or several in parallel; a " +
			"drive of lower latency"
	}
	if tiny := bytesOfEach(a.p, x.Files); tiny > 0 && several*tiny < d.Flow.Size.P50 {
		return text + " of " + unit.Bytes(tiny), "one file for all of them (git pack-refs or gc, an archive, a database), " +
			"or several in parallel; a drive of lower latency"
	}
	if d.Flow.Depth.MeanBusy >= wording.Queued {
		return text, "more files at a time (UV_THREADPOOL_SIZE of node, threads, workers), or the next ones " +
			"ahead (posix_fadvise WILLNEED); an archive of them; a drive of lower latency"
	}
	if a.p.Operations != nil { // who asks a server for files has no say in how many it reads at a time
		return text, "more workers or threads of the server, so that it reads for several at a time (aio threads of " +
			"nginx); a drive of lower latency"
	}
	return text, "several files in parallel (xargs -P), or the next ones ahead (posix_fadvise WILLNEED); an archive " +
		"of them; a drive of lower latency"
}

// littleOfEach reports whether hardly anything was read of most of so many files, as by who looks for something in
// each.
func littleOfEach(p *profile.Profile, files int64) bool {
	var n int64
	for i := range p.Files {
		f := &p.Files[i]
		read := int64(0)
		if f.Read != nil {
			read = f.Read.Bytes
		}
		if f.Faults != nil {
			read = max(read, f.Faults.Filled)
		}
		if f.Type == trace.FileRegular && read > 0 && several*read < f.Size {
			n++
		}
	}
	return 2*n > files
}

// bytesOfEach is what calls read of most of so many files, each of which they read whole; 0 if they are not alike in
// that.
func bytesOfEach(p *profile.Profile, files int64) int64 {
	var sizes []int64
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type == trace.FileRegular && f.DeviceRead != nil && f.Read != nil && f.Write == nil && f.Size > 0 &&
			f.Read.Bytes >= f.Size {
			sizes = append(sizes, f.Size)
		}
	}
	if 2*(int64(len(sizes))+p.Omitted.Files) <= files || len(sizes) < several {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// commonDirectory names the directory below which nearly all files are that devices read, or wrote; "" if there is
// none.
func commonDirectory(p *profile.Profile, d *wording.Disk) string {
	in := map[string]int64{}
	for i := range p.Files {
		f := &p.Files[i]
		moved := f.DeviceRead
		if d.Verb == "wrote" {
			moved = f.DeviceWrite
		}
		if f.Type == trace.FileRegular && moved != nil {
			in[path.Dir(f.Path)]++
		}
	}
	dir, _ := measure.Deepest(in, nearlyAll)
	if len(dir) <= 1 {
		return ""
	}
	return " below " + path.Base(dir)
}

// extensible reports whether larger requests at a device would be fewer by more than half. Those of no file are for
// what the file system keeps about files; where no file is known, nothing is known of that.
func extensible(a *account, d *wording.Disk) bool {
	x := ofDisk(a.p, d)
	return x.Files == 0 || 2*x.Saved() > d.Flow.Count
}

// ofDisk are the requests of files in the direction of a device.
func ofDisk(p *profile.Profile, d *wording.Disk) *profile.Pieces {
	if d.Verb == "wrote" {
		return &p.Pattern.WriteRequests
	}
	return &p.Pattern.ReadRequests
}

// longerCalls reports the same of calls, in the direction in which more was moved; where that is to no file, as into a
// pipe, it goes in the pieces in which it came from files.
func longerCalls(p *profile.Profile) bool {
	x, y := &p.Pattern.ReadCalls, &p.Pattern.WriteCalls
	if l := p.AtCalls(); l != nil && l.Write != nil && larger(l.Read, l.Write) == l.Write {
		x, y = y, x
	}
	if x.Files == 0 {
		x = y
	}
	return x.Files == 0 || 2*x.Saved() > x.Count
}
