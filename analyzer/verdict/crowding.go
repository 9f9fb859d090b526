package verdict

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// crowding is for a device that one process of the workload gave most of what it wrote, while another one waited there
// for a little of another file: as a server does for its log while a child writes all of its data. A faster drive
// shortens both, but it is the order of the two that holds up the answers.
func crowding(a *account, d *wording.Disk, ns int64, r *profile.Reason) {
	if d.Verb != "wrote" {
		return
	}
	large, index := most(a.p.Files, func(f *profile.File) int64 { return putInto(f, d) })
	awaited := awaitedFile(a, d, ns)
	if large == nil || awaited == nil || 2*large.Write.Bytes <= d.Flow.Bytes || together(large, awaited) {
		return
	}
	name := wording.FileName(large.Path)
	by := ""
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; slices.Contains(large.Processes, p.PID) {
			by = " by " + p.Called()
		}
	}
	r.Text = fmt.Sprintf("calls on %s waited while %s was written%s, %s: %s", wording.FileName(awaited.Path), name, by,
		unit.Bytes(large.Write.Bytes), r.Text)
	r.Remedy = fmt.Sprintf("write %s more slowly, with a sync each few MB (or io.max), or to another drive; ", name) +
		r.Remedy
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/write/bytes", index), float64(large.Write.Bytes)))
}

// putInto is how much was written to a file of a device.
func putInto(f *profile.File, d *wording.Disk) int64 {
	if f.Write == nil || f.Device != d.ID {
		return none
	}
	return f.Write.Bytes
}

// awaitedFile is the file on which the calls were that waited for a device's writes in most of so much time.
func awaitedFile(a *account, d *wording.Disk, ns int64) *profile.File {
	waited := map[string]int64{}
	for _, x := range a.along() {
		if p := &x.Place; labels[p.Label] == onWrites && p.Device == d.Name {
			waited[p.File] += x.NS
		}
	}
	for i := range a.p.Files {
		if f := &a.p.Files[i]; 2*waited[f.Path] > ns && f.Path != "" {
			return f
		}
	}
	return nil
}

// together reports whether a process used both of two files.
func together(f, g *profile.File) bool {
	return slices.ContainsFunc(f.Processes, func(pid uint32) bool { return slices.Contains(g.Processes, pid) })
}
