package verdict

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// copiedUp is for the first change of a file of an overlay: opening it, or a call on its name or attributes, copies it
// to the upper layer first.
func copiedUp(a *account) {
	var file *profile.File
	var longest, all int64
	index := 0
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if f.FSType != "overlay" {
			continue
		}
		opened := timeIn(f, copiesUp)
		if all += opened; file == nil || opened > longest {
			file, index, longest = f, i, opened
		}
	}
	if file == nil || all < noticeable {
		return
	}
	a.because(profile.Reason{
		Code: cause.CopyUp, Name: "copying up in the overlay",
		TimeNS: a.takeUpTo(all, onReads, onWrites, onFlush, inCall, onNothing, onQueue, inMeta), Certainty: cause.Likely,
		Text: fmt.Sprintf(
			"changing %s for the first time took %s, of %s for all files: an overlay copies a file from its lower layer "+
				"before it lets anybody change it",
			path.Base(file.Path), unit.Nanoseconds(longest), unit.Nanoseconds(all)),
		Evidence: []profile.Evidence{at(fmt.Sprintf("/files/%d/inode", index), float64(file.Inode))},
		Remedy:   "keep files that are changed out of the lower layers: a volume",
	})
}

// copiesUp reports whether an operation may be the first change of a file.
func copiesUp(op trace.Op) bool {
	switch op {
	case trace.OpOpen, trace.OpAttr, trace.OpXattr, trace.OpRename, trace.OpLink, trace.OpTruncate, trace.OpAllocate:
		return true
	}
	return false
}

// compressed is for a file system that writes less than it was given, and takes its time for that while the
// device has nothing to do.
func compressed(a *account) {
	wrote, reached := a.p.Written(), int64(0)
	d := wording.Busiest(a.p, true)
	if d != nil {
		reached = d.Flow.Bytes
	}
	file, index := mostWritten(a.p)
	if file == nil || !trace.Compresses(file.FSType) || wrote < notableBytes || a.p.DurableNS < 0 ||
		float64(reached) > smallerBy*float64(wrote) || !foundPacked(a, file, wrote) {
		return
	}
	busy := int64(0)
	if d != nil {
		busy = min(busyAfter(a, d), a.spent[after])
	}
	waited := a.take(inSync, onThrottle, inCall, onNothing) + a.takeUpTo(a.spent[after]-busy, after)
	a.because(profile.Reason{
		Code: cause.Compression, Name: "compressing", TimeNS: waited, Certainty: cause.Likely,
		Text: fmt.Sprintf("of %s given to %s only %s were written, and the drive had nothing to do meanwhile: the file "+
			"system compressed", unit.Bytes(wrote), file.FSType, unit.Bytes(reached)),
		Evidence:   []profile.Evidence{at(fmt.Sprintf("/files/%d/write/bytes", index), float64(file.Write.Bytes))},
		Remedy:     "a lighter compression (zstd:1, lzo), or none for such files",
		Experiment: "grep " + file.FSType + " /proc/mounts",
	})
}

// foundPacked reports whether compression can be why so little was written: where requests tell, they have to say so.
func foundPacked(a *account, file *profile.File, wrote int64) bool {
	if !trace.TellsPacked(file.FSType) {
		return true
	}
	return slices.ContainsFunc(a.p.Amounts.Filesystems, func(s profile.Amount) bool {
		return s.Name == file.Mount && float64(s.Write.Of(profile.Compressed)) >= (1-smallerBy)*float64(wrote)
	})
}

// smallerBy is what at most reaches the device of what was written, if it was compressed.
const smallerBy = fourFifths

// mostWritten is the regular file to which calls wrote most.
func mostWritten(p *profile.Profile) (*profile.File, int) {
	return most(p.Files, func(f *profile.File) int64 {
		if f.Type != trace.FileRegular {
			return none
		}
		return bytes(f.Write)
	})
}
