package copies

import (
	"path"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// judge says which links are copies, from all that is known in the end.
type judge struct {
	*transfers
	contents contents
	went     map[*source]*measure.Ranges // what is known of gone
}

// holds reports whether a link is a copy.
func (j *judge) holds(l *link) bool {
	if l.Bytes <= 0 || l.Explicit {
		return l.Bytes > 0
	}
	if !l.Sink.Clean() || !single(l) || rewrites(l) {
		return false
	}
	if l.Source.Mapped {
		return l.Taken.Whole(l.Source.File.Size)
	}
	if !j.passedOn(l.Source) && !sparse(l) && !j.brokenOff(l) {
		return false
	}
	if byMemory(l) {
		return j.remembered(l)
	}
	return even(l) && !gathered(l) && once(l.Source) && j.likely(l)
}

// remembered reports whether a copy that memory shows is more than chance. An interpreter reads a file, frees that
// memory, and writes something shorter from there, such as what it compiled: less than was read is a copy where copying
// is all that the process did, or the names are alike.
func (j *judge) remembered(l *link) bool {
	if j.equal(l) {
		return true
	}
	whole := l.Taken.Bytes >= l.Source.Read.Bytes
	if l.Bytes < reused {
		if lastPart(l) {
			return true
		}
		return whole && !j.ownSource(l) && (alike(l.Source.File.Path, l.Sink.File.Path) || l.Out.First <= l.In.Last+soon)
	}
	return whole || l.Bytes >= own || alike(l.Source.File.Path, l.Sink.File.Path) || onlyCopies(j.Processes[l.Sink.By])
}

// lastPart reports whether few bytes are the end of a file of which memory shows that all before them went to other
// files, in larger parts: split leaves what is left over.
func lastPart(l *link) bool {
	for _, o := range l.Source.Links {
		if o != l && (!byMemory(o) || o.Bytes < reused || o.Taken.End() > l.Taken.First()) {
			return false
		}
	}
	return len(l.Source.Links) > 1 && l.Source.File.Size > 0 && l.Taken.End() == l.Source.File.Size
}

// pure reports whether every link to a file holds. If one does not, the file
// got bytes that are no copy of anything, such as the trailer of an archive,
// and is no copy either.
func (j *judge) pure(s *sink) bool {
	for _, l := range s.Links {
		if !j.holds(l) {
			return false
		}
	}
	return true
}

// likely reports whether a copy that memory does not show is no coincidence: a
// part of a file is not small, and a copy of few bytes has like names, or copying
// is all that the process did. Where addresses are recorded few bytes that were
// not written from where they had been read need equal contents: the loader reads
// the first bytes of every library, and some file always has just that many. And
// a single write into the midst of a file is none: a log takes pages like that; nor
// what a program writes of its own while it passes the same bytes on by memory. Nor
// are pages copies of a file of another name, or of one of several, if the program
// writes other things as well: the files of a database are of few sizes.
func (j *judge) likely(l *link) bool {
	if l.Bytes < own && j.ownSource(l) {
		return false
	}
	if j.Addressed && l.Bytes < small && !l.Sink.File.Stream() {
		return j.equal(l)
	}
	if j.Addressed && l.Sink.Flow.Count == 1 && l.Sink.Written.First() > 0 {
		return false
	}
	if j.Addressed && !sameName(l) && wentElsewhere(l) {
		return j.equal(l)
	}
	if j.Addressed && (l.Rivals > 0 || !sameName(l)) && l.Bytes < own && !onlyCopies(j.Processes[l.Sink.By]) {
		return j.equal(l)
	}
	if alike(l.Source.File.Path, l.Sink.File.Path) && (l.Bytes >= small || !j.Addressed) {
		return true
	}
	if l.Bytes < small || l.Bytes < own && l.Source.File.Size > l.Source.Read.Bytes {
		return onlyCopies(j.Processes[l.Sink.By])
	}
	return true
}

// equal reports whether the whole source and the sink were seen to hold the same
// after the recording.
func (j *judge) equal(l *link) bool {
	same, known := j.contents.same(l.Source.File, l.Sink.File)
	return same && known && l.Delta == 0 && l.Taken.Whole(l.Source.File.Size)
}

// onlyCopies reports whether a process wrote nothing but what came from known
// places.
func onlyCopies(a *process) bool {
	for _, s := range a.Written {
		if s.File.Data() && !s.Clean() {
			return false
		}
	}
	return true
}

// small is the size below which equal numbers may be chance.
const small = 4096

// reused is the size below which memory is handed out again at once, by malloc
// and by interpreters: what a program reads back of its own files is then often
// followed there by something else of the same length, and what it reads of others
// by something shorter.
const reused = 512

// soon is how long after they were read so few bytes are still those, in ns: longer than a program that copies keeps
// them, even on a busy machine.
const soon = int64(100e6)

// own is the size below which a file that the process itself has written is
// taken for one of its own structures, not for the source of a copy: programs
// write many files of one size, and read them back.
const own = 1 << 20

// alike reports whether one of two paths ends in a name that holds the other's.
func alike(a, b string) bool {
	a, b = path.Base(a), path.Base(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// ownSource reports whether the process that copies has written the source itself.
func (j *judge) ownSource(l *link) bool { return j.Processes[l.Sink.By].Wrote(l.Source.File) }
