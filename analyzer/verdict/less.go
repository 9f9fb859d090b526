package verdict

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// less says how a device that has enough to do would have less, where much of what it moved need not have been; "" if
// not. It ends where a further remedy may follow.
func less(a *account, d *wording.Disk) string {
	if n := copiedWithin(a, removed); 2*n > d.Flow.Bytes {
		return "a rename, which moves no data: it removed, or emptied, what it had copied; "
	}
	if n := copiedWithin(a, sharing); 2*n > d.Flow.Bytes {
		return "a clone, which shares the blocks (cp --reflink=always); "
	}
	if holes := copiedHoles(a); d.Verb == "wrote" && float64(holes) > third*float64(d.Flow.Bytes) {
		return fmt.Sprintf("a copy without the holes of its source, %s (cp --sparse=always); ", unit.Bytes(holes))
	}
	m := movedOn(a, d)
	if m == nil {
		return ""
	}
	for _, r := range m.Reasons {
		if needless[r.Code] && float64(r.Bytes) > third*float64(m.Device) {
			return fmt.Sprintf("move less: %s of %s was %s; ", unit.Bytes(r.Bytes), unit.Bytes(m.Device),
				wording.Reason(r.Code, d.Verb == "wrote"))
		}
	}
	return ""
}

// needless are the reasons of bytes that another way to do the same would not have moved.
var needless = map[string]bool{
	profile.Partial: true, profile.ForWriting: true, profile.Readahead: true, profile.AgainDropped: true,
	profile.AgainDirect: true, profile.Again: true, profile.Zeroes: true, profile.Unpacked: true,
}

// movedOn is what a device moved in one direction, by reasons; nil if that is not known.
func movedOn(a *account, d *wording.Disk) *profile.Moved {
	for i := range a.p.Amounts.Devices {
		if of := &a.p.Amounts.Devices[i]; of.Name == d.Name {
			if d.Verb == "read" {
				return &of.Read
			}
			return &of.Write
		}
	}
	return nil
}

// shares are the file systems in which files can have blocks in common.
var shares = map[string]bool{"btrfs": true, "xfs": true, "bcachefs": true, "ocfs2": true}

// sharing reports whether a copy could have shared the blocks of its source.
func sharing(from, to *profile.File) bool { return shares[to.FSType] && from.FSType == to.FSType }

// removed reports whether the source of a copy is gone, or empty, and the copy is not.
func removed(from, to *profile.File) bool {
	return (from.Deleted || cutOff(from)) && !to.Deleted
}

// cutOff reports whether a file was cut to nothing.
func cutOff(f *profile.File) bool {
	return f.Size == 0 && slices.ContainsFunc(f.Ops, func(o profile.OpCount) bool { return o.Op == trace.OpTruncate })
}

// copiedWithin is how much was copied, as whole files, from one place to another of a mount, of files of a kind.
func copiedWithin(a *account, of func(from, to *profile.File) bool) (bytes int64) {
	var files map[string]*profile.File
	for i := range a.p.Copies {
		c := &a.p.Copies[i]
		if !c.Method.Moves() || c.Share < 1 {
			continue
		}
		if files == nil {
			files = map[string]*profile.File{}
			for k := range a.p.Files {
				files[a.p.Files[k].Path] = &a.p.Files[k]
			}
		}
		from, to := files[c.Source], files[c.Destination]
		if from != nil && to != nil && from.Mount == to.Mount && of(from, to) {
			bytes += c.Bytes
		}
	}
	return bytes
}

// copiedHoles is how much of what copies read is stored nowhere.
func copiedHoles(a *account) (bytes int64) {
	for i := range a.p.Amounts.Files {
		f := &a.p.Amounts.Files[i]
		holes := f.Read.Of(profile.Holes)
		copied := func(c profile.Copy) bool { return c.Method.Moves() && c.Source == f.Name }
		if holes > 0 && slices.ContainsFunc(a.p.Copies, copied) {
			bytes += holes
		}
	}
	return bytes
}
