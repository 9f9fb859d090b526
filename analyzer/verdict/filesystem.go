package verdict

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// fileServer is the cause if most of the time in calls on files, pipes and sockets left out, went to a file
// system that is a process, or on another machine, and how much that was; nil if not.
func fileServer(a *account) (r *profile.Reason, spent int64) {
	var all, most int64
	var file *profile.File
	pointer, value := "", 0.0
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if f.Stream() {
			continue
		}
		t := timeOn(f)
		all += t
		if code := servedBy(f.FSType); code != "" {
			if most += t; file == nil || t > timeOn(file) {
				file, pointer, value = f, fmt.Sprintf("/files/%d/inode", i), float64(f.Inode)
			}
		}
	}
	for i := range a.p.Omitted.Mounts {
		m := &a.p.Omitted.Mounts[i]
		all += m.TimeNS
		if servedBy(m.FSType) == "" {
			continue
		}
		if most += m.TimeNS; file == nil {
			file = &profile.File{FSType: m.FSType, Mount: m.Mount}
			pointer, value = fmt.Sprintf("/omitted/mounts/%d/time_ns", i), float64(m.TimeNS)
		}
	}
	if file == nil || most*2 < all {
		return nil, 0
	}
	r = &profile.Reason{
		Code:      servedBy(file.FSType),
		Name:      "the file system of " + file.Mount,
		Certainty: cause.Measured,
		Evidence:  []profile.Evidence{at(pointer, value)},
	}
	where := fmt.Sprintf("%s (%s)", file.Mount, file.FSType)
	names, late := lookedUpThere(a, r, most)
	if r.Code == cause.NetworkFS {
		r.Text = "waiting for the server of " + where + names
		r.Remedy = "a faster network or server; " + onTheWay(a.p, "a larger block size, several requests in parallel")
		if names == "" && late == "" {
			byProcedure(a, r, where)
		}
	} else {
		ofProcess(a, r, file, where, names)
	}
	switch {
	case late != "":
		r.Text = late + ", " + r.Text
		r.Remedy = "see what keeps whatever serves " + file.Mount + " from answering, unmount it, or leave it out"
	case r.Code == cause.UserSpaceFS && oneByOneAt(a, r, most, file.Mount):
	case names != "":
		r.Remedy = fewerAnswers(a)
	}
	return r, most
}

// ofServer gives time to that file system, if there is such a one.
func ofServer(a *account, ns int64) bool {
	served, _ := fileServer(a)
	if served == nil {
		return false
	}
	served.TimeNS = ns
	a.because(*served)
	return true
}

// lookedUpThere words calls on names and attributes, if these are most of the time on such file systems.
// Late is the one of them that took most of it, if there is such a one.
func lookedUpThere(a *account, r *profile.Reason, spent int64) (names, late string) {
	count, ns := onNames(a.p)
	c, index := longest(a, func(c *profile.Call) bool { return c.Op.Metadata() })
	if c == nil || count == 0 || 2*ns <= spent {
		return "", ""
	}
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(c.TimeNS)))
	if longest := c.Latency.Max; longest <= ns && 2*longest > ns {
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/latency_ns/max", index), float64(longest)))
		return "", fmt.Sprintf("one %s took %s", c.Name, unit.Nanoseconds(longest))
	}
	a.figure("name_calls", float64(count))
	a.figure("name_call_ns", float64(ns/count))
	most := "most of them "
	if 2*c.Count <= count {
		most = "most time in "
	}
	return fmt.Sprintf(": %s on names and attributes, %s%s%s, %s each on average", unit.Things(count, "call"),
		most, c.Name, askedAgain(a.p, c.Op), unit.Nanoseconds(ns/count)), ""
}

// fewerAnswers is what helps where calls on names wait for a server: to keep what it answered, where it is asked again.
// Files that are used have to be asked for, each by itself: what helps is not to wait for one before the next.
func fewerAnswers(a *account) string {
	if usedThere(a.p) {
		return "several files in parallel, or an archive of them (tar | ssh tar)"
	}
	const fewer, kept = "fewer such calls (a listing brings all of a directory)", "answers that are kept for longer " +
		"(attr_timeout, actimeo)"
	c, _ := longest(a, func(c *profile.Call) bool { return c.Op.Metadata() })
	if c != nil && askedAgain(a.p, c.Op) != "" {
		return kept + "; " + fewer
	}
	return fewer + "; " + kept
}

// usedThere reports whether most regular files on such file systems were made, read or written, not only looked at.
func usedThere(p *profile.Profile) bool {
	var used, all int
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != trace.FileRegular || servedBy(f.FSType) == "" {
			continue
		}
		if all++; f.Created || f.Deleted || f.Read != nil || f.Write != nil {
			used++
		}
	}
	return 2*used > all
}

// askedAgain says on how few names most calls of an operation were; "" if no name was asked for twice on average.
func askedAgain(p *profile.Profile, op trace.Op) string {
	if f := p.FilesOf(op); f != nil && 2*f.UnderFiles <= f.UnderCalls {
		return fmt.Sprintf(" on %s", unit.Things(f.UnderFiles, "name"))
	}
	return ""
}

// onNames are the calls on names and attributes on such file systems.
func onNames(p *profile.Profile) (count, ns int64) {
	for i := range p.Files {
		if f := &p.Files[i]; servedBy(f.FSType) != "" {
			for _, o := range f.Ops {
				if o.Op.Metadata() {
					count, ns = count+o.Count, ns+o.TimeNS
				}
			}
		}
	}
	for i := range p.Omitted.Mounts {
		if m := &p.Omitted.Mounts[i]; servedBy(m.FSType) != "" {
			count, ns = count+m.Names, ns+m.NamesNS
		}
	}
	return count, ns
}

// onTheWay says what makes less of the way there and back: pieces that are larger, if files have more to ask for.
func onTheWay(p *profile.Profile, largerPieces string) string {
	if longerCalls(p) {
		return largerPieces
	}
	return "several files in parallel, or an archive of them"
}

// ofProcess is for a file system that is a process.
func ofProcess(a *account, r *profile.Reason, file *profile.File, where, names string) {
	r.Text = "waiting for the process that serves the file system " + where + names
	r.Remedy = "a file system of the kernel; " + onTheWay(a.p, "a larger block size")
	if small(a, file) && longerCalls(a.p) {
		r.Remedy = "a larger block size, as each call goes to that process and back; a file system of the kernel"
	}
	if d := serving(a); d != nil {
		r.Text = fmt.Sprintf("waiting for %s, which serves %s and %s%s", d.name, where, d.spent(a), names)
		if file.Read != nil && larger(file.Read, file.Write) == file.Read && d.computed > d.waited() && !small(a, file) {
			r.Remedy = "copy what is read there to a file system of the kernel (unpack an archive once); " +
				onTheWay(a.p, "a larger block size")
		}
	} else if below := belowUserSpace(a, file); below != "" {
		r.Text += "; the drive below it, " + below
	}
	cut(a, r, file)
}

// trips is how often the path led from calls that move data of a file to the process that serves it.
func trips(a *account, f *profile.File) (most int64) {
	for _, x := range a.along() {
		if p := &x.Place; p.Helper && p.File == f.Path && p.Call != "" && trace.OpNamed(p.Call).MovesData() {
			most = max(most, x.Count)
		}
	}
	return most
}

// small reports whether most of what was moved of a file went through calls whose size matters less than their number:
// very small ones, or small ones each of which went to the process that serves the file, and back.
func small(a *account, f *profile.File) bool {
	flow := larger(f.Read, f.Write)
	if flow != nil && flow.Size.P50 < wording.SmallRequest && 2*trips(a, f) > flow.Count {
		return true
	}
	return flow != nil && flow.Bytes > 0 && flow.Size.P50 < wording.SmallRequest/several
}

// larger is the direction in which more was moved; nil if nothing was.
func larger(read, write *profile.Flow) *profile.Flow {
	if read == nil || write != nil && write.Bytes > read.Bytes {
		return write
	}
	return read
}

// belowUserSpace names the device on which others, such as the file system's process, moved
// about as much as went through a file of that file system.
func belowUserSpace(a *account, f *profile.File) string {
	others := func(d *profile.Device) int64 { return d.Foreign.Read + d.Foreign.Write }
	d, _ := most(a.p.Devices, others)
	through := moved(f)
	if d == nil || through == 0 {
		return ""
	}
	if part := float64(others(d)) / float64(through); 2*part < 1 || part > 2 {
		return ""
	}
	a.figure("below_bytes", float64(others(d)))
	return fmt.Sprintf("%s, moved %s", d.Name, unit.Bytes(others(d)))
}

// servedBy is the cause that a file system of a type is; "" for one of the kernel.
func servedBy(fsType string) string {
	switch {
	case strings.HasPrefix(fsType, "fuse") && fsType != "fusectl":
		return cause.UserSpaceFS
	case strings.HasPrefix(fsType, "nfs") || fsType == "cifs" || fsType == "smb3" || fsType == "9p" || fsType == "ceph" ||
		fsType == "afs":
		return cause.NetworkFS
	}
	return ""
}

// moved is how much went through calls on a file.
func moved(f *profile.File) (bytes int64) {
	for _, flow := range []*profile.Flow{f.Read, f.Write} {
		if flow != nil {
			bytes += flow.Bytes
		}
	}
	return bytes
}
