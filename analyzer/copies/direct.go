package copies

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
)

// direct finds the copies in which one process read a file and wrote another.
func direct(j *judge) []judgedCopy {
	var list []judgedCopy
	for _, s := range j.Sinks {
		if !s.File.Data() || !j.pure(s) {
			continue
		}
		for _, l := range s.Links {
			if l.Source.File.Data() && j.holds(l) {
				list = append(list, copied(l, j.Addressed))
			}
		}
	}
	return list
}

// copied is the copy that a link is.
func copied(l *link, addressed bool) judgedCopy {
	f := judgedCopy{
		Source: l.Source.File, Dest: l.Sink.File, ID: l.Source.ID, Into: l.Sink.ID,
		SourceAt: l.Taken.First(), DestAt: l.Taken.First() + l.Delta, Bytes: l.Taken.Bytes,
		In: l.In, Out: l.Out, Reader: l.Source, Writer: l.Sink, Calls: l.Calls, Filled: l.Filled,
		Explicit: l.Explicit, Rivals: l.Rivals, Between: []*world.Process{l.Source.By},
		Interrupted: (l.Sink.Interrupted() || gaveUp(l)) && l.Taken.End() < l.Source.File.Size,
	}
	f.Parts.All(&l.Taken, 0)
	if l.Mapped || l.Source.Mapped {
		f.Method = profile.ByMapping
	}
	if len(l.Source.Links) == 1 && len(l.Sink.Links) == 1 {
		f.Pace = l.Source.Pace
	}
	f.Evidence, f.Certainty, f.Because = speaks(l, addressed)
	if l.Explicit {
		return f
	}
	f.Calls.Merge(l.Source.Calls)
	if hole := l.Source.Read.Bytes - l.Taken.Bytes; sparse(l) && hole > 0 {
		f.Holes = hole
		f.Because += "; what was left out is holes in the new file"
	}
	return f
}

// speaks says what speaks for a link, and how much.
func speaks(l *link, addressed bool) (kind, certainty, because string) {
	switch {
	case l.Explicit && !l.Mapped:
		return "call", Certain, "each call named both files"
	case l.Mapped:
		return "memory", Traced, "the bytes were read into the memory that the new file was mapped to"
	case l.Source.Mapped:
		return "memory", Traced, "the whole file was written from the memory it was mapped to"
	case byMemory(l):
		return "memory", Traced, "the bytes were written from the memory they had been read into"
	}
	because = "every byte written had been read before, once, at the same distance, in whole reads"
	if l.Rivals > 0 {
		return "flow", SameSize, because + "; other files would fit as well"
	}
	if addressed && !sameName(l) {
		return "flow", SameSize, because + ", but not from the memory it had been read into"
	}
	return "flow", Likely, because
}
