package copies

import (
	"path"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// The grades of certainty, see docs/copies.md.
const (
	certain  = "certain"   // a call named both files
	traced   = "traced"    // the bytes were written from the memory they were read into
	checked  = "checked"   // samples of both files were compared after the recording
	likely   = "likely"    // order, places and names agree
	sameSize = "same_size" // only sizes speak for it
)

// found is a copy: who read what from where, and who wrote it to where.
type found struct {
	source      *world.File
	dest        *world.File
	id, into    trace.FileID // the names that were used
	sourceAt    int64
	destAt      int64
	bytes       int64
	holes       int64
	parts       measure.Ranges // of the source
	in, out     *measure.Flow  // nil if the source was mapped, cloned or renamed
	src         *source        // whose reads in are
	sink        *sink          // whose writes out are
	pace        *pace
	between     []*world.Process
	calls       methods
	filled      int64
	explicit    bool
	method      string // if it is known beforehand
	unsized     bool   // bytes is not known
	interrupted bool
	checked     bool // contents were compared
	guessed     bool // memory does not show all of its way
	rivals      int
	evidence    string
	certainty   string
	because     string
	via         string
	at, until   int64  // if there is neither in nor out
	from, to    string // names, of a file that was renamed or linked
	pid         uint32 // who did that
}

// copies decides, at the end, which transfers are copies.
func (b *transfers) copies(a *Collector) []found {
	b.contents = contentsOf(a.Files, a.End.Contents)
	b.decide()
	b.pair()
	var list []found
	for _, s := range b.sinks {
		if !s.file.Data() || !b.pure(s) {
			continue
		}
		for _, l := range s.links {
			if l.source.file.Data() && b.holds(l) {
				list = append(list, b.found(l))
			}
		}
	}
	list = append(list, b.piped()...)
	list = b.check(joinParts(list))
	taken := map[*world.File]bool{}
	for i := range list {
		taken[list[i].dest] = true
	}
	for _, rule := range []func(map[*world.File]bool) []found{
		b.byContent, b.mapped, func(taken map[*world.File]bool) []found { return b.framed(taken, a.Files) }, b.empty, b.unsized,
	} {
		some := b.check(rule(taken))
		for i := range some {
			taken[some[i].dest] = true
		}
		list = append(list, some...)
	}
	return append(list, named(a.Files)...)
}

// holds reports whether a link is a copy.
func (b *transfers) holds(l *link) bool {
	if l.bytes <= 0 || l.explicit {
		return l.bytes > 0
	}
	s := l.sink
	if !s.clean() || !s.single(l) || l.rewrites() {
		return false
	}
	if l.source.mapped {
		return l.taken.Whole(l.source.file.Size)
	}
	if !l.source.passedOn() && !l.sparse() && !l.brokenOff() {
		return false
	}
	if l.byMemory() {
		return l.bytes >= reused || !l.ownSource() || b.equal(l)
	}
	return l.even() && !l.gathered() && l.source.once() && b.likely(l)
}

// byMemory reports whether memory shows where at least half of the bytes came
// from: what a program passes on from a buffer of its own, such as the end of a
// file, belongs to the rest.
func (l *link) byMemory() bool { return l.traced*2 >= l.bytes }

// pure reports whether every link to a file holds. If one does not, the file
// got bytes that are no copy of anything, such as the trailer of an archive,
// and is no copy either.
func (b *transfers) pure(s *sink) bool {
	for _, l := range s.links {
		if !b.holds(l) {
			return false
		}
	}
	return true
}

// gathered reports whether the source was read to its end before the first of
// several writes, in pieces of another size: to be sorted or edited in memory,
// for all that can be seen.
func (l *link) gathered() bool {
	if l.writes < 2 || l.out.First < l.source.flow.Last {
		return false
	}
	return l.source.detail.Usual() != l.out.Usual()
}

// clean reports whether a file got all of its bytes, each once, from known
// places. A pipe may carry other things too.
func (s *sink) clean() bool {
	if s.file.Stream() {
		return true
	}
	return s.unmatched == 0 && s.again == 0 && !s.useless
}

// single reports whether no other link leads from the same source to the sink:
// in a copy the distance is constant.
func (s *sink) single(l *link) bool {
	for _, o := range s.links {
		if o != l && o.source == l.source && o.delta != l.delta {
			return s.file.Stream() && !l.byMemory()
		}
	}
	return true
}

// even reports whether writes kept to the boundaries of reads, two in a hundred
// excepted.
func (l *link) even() bool { return l.crooked*50 <= l.writes && l.bytes == l.taken.Bytes }

// rewrites reports whether the sink took the place of the source: a file that
// was edited, or saved again, is no copy of what it was.
func (l *link) rewrites() bool { return l.source.file.HadName(l.sink.file.Path) }

// passedOn reports whether everything that was read went into files that are
// copies, or into a pipe.
func (s *source) passedOn() bool {
	if s.read.Scattered {
		return false
	}
	gone := s.gone()
	return gone.Bytes == s.read.Bytes
}

func (s *source) gone() measure.Ranges {
	var gone measure.Ranges
	for _, l := range s.links {
		if l.sink.clean() {
			gone.All(&l.taken, 0)
		}
	}
	return gone
}

// brokenOff reports whether the copying ended before its end: what was read last
// was not written any more.
func (l *link) brokenOff() bool {
	if !l.sink.interrupted() {
		return false
	}
	gone := l.source.gone()
	rest := l.source.read.Missing(&gone)
	return rest.From >= l.taken.End()
}

// interrupted reports whether the last write failed, or the process did not get
// so far as to close the file.
func (s *sink) interrupted() bool {
	return s.failed || !s.closed && s.by.process.BrokenOff()
}

// sniff is how much of a source may be looked at before it is copied.
const sniff = 64 << 10

// once reports whether the source was read in one go: but for a look at it
// beforehand, or a first time from end to end, as for a checksum. A program
// that reads here and there before is about to convert.
func (s *source) once() bool {
	return s.again <= sniff || s.again == s.read.Bytes && s.read.Whole(s.file.Size)
}

// sparse reports whether what was left out became holes of a new file.
func (l *link) sparse() bool {
	src, dst := l.source, l.sink.file
	n := max(src.file.Size, 0)
	return l.delta == 0 && len(l.sink.links) == 1 && dst.Created && dst.Size == n && src.read.Whole(n)
}

// small is the size below which equal numbers may be chance.
const small = 4096

// reused is the size below which memory is handed out again at once, by malloc
// and by interpreters: what a program reads back of its own files is then often
// followed there by something else of the same length.
const reused = 512

// own is the size below which a file that the process itself has written is
// taken for one of its own structures, not for the source of a copy: programs
// write many files of one size, and read them back.
const own = 1 << 20

// likely reports whether a copy that memory does not show is no coincidence: a
// part of a file is not small, and a copy of few bytes has like names, or copying
// is all that the process did. Where addresses are recorded few bytes that were
// not written from where they had been read need equal contents: the loader reads
// the first bytes of every library, and some file always has just that many.
func (b *transfers) likely(l *link) bool {
	if l.bytes < own && l.ownSource() {
		return false
	}
	if b.addressed && l.bytes < small && !l.sink.file.Stream() {
		return b.equal(l)
	}
	if alike(l.source.file.Path, l.sink.file.Path) && (l.bytes >= small || !b.addressed) {
		return true
	}
	if l.bytes < small || l.bytes < own && l.source.file.Size > l.source.read.Bytes {
		return l.sink.by.onlyCopies()
	}
	return true
}

// ownSource reports whether the process that copies has written the source itself.
func (l *link) ownSource() bool { return l.sink.by.wrote(l.source.file) }

// equal reports whether the whole source and the sink were seen to hold the same
// after the recording.
func (b *transfers) equal(l *link) bool {
	same, known := b.contents.same(l.source.file, l.sink.file)
	return same && known && l.delta == 0 && l.taken.Whole(l.source.file.Size)
}

// onlyCopies reports whether a process wrote nothing but what came from known
// places.
func (a *actor) onlyCopies() bool {
	for _, s := range a.written {
		if s.file.Data() && !s.clean() {
			return false
		}
	}
	return true
}

// wrote reports whether a process has written to a file.
func (a *actor) wrote(f *world.File) bool { return a.written[f] != nil || a.maps(f) }

// alike reports whether one of two paths ends in a name that holds the other's.
func alike(a, b string) bool {
	a, b = path.Base(a), path.Base(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

func (b *transfers) found(l *link) found {
	f := found{
		source: l.source.file, dest: l.sink.file, id: l.source.id, into: l.sink.id, sourceAt: l.taken.First(),
		destAt: l.taken.First() + l.delta, bytes: l.taken.Bytes, in: l.in, out: l.out, src: l.source, sink: l.sink, calls: l.calls,
		filled: l.filled, explicit: l.explicit, rivals: l.rivals, between: []*world.Process{l.source.by.process},
		interrupted: l.sink.interrupted() && l.taken.End() < l.source.file.Size,
	}
	f.parts.All(&l.taken, 0)
	if l.mapped {
		f.method = "mmap"
	}
	if len(l.source.links) == 1 && len(l.sink.links) == 1 {
		f.pace = l.source.pace
	}
	if l.source.mapped {
		f.method = "mmap"
	}
	f.evidence, f.certainty, f.because = b.speaks(l)
	if l.explicit {
		return f
	}
	f.calls.merge(l.source.calls)
	if hole := l.source.read.Bytes - l.taken.Bytes; l.sparse() && hole > 0 {
		f.holes = hole
		f.because += "; what was left out is holes in the new file"
	}
	return f
}

// sameName reports whether a whole file went into one of the same name.
func (l *link) sameName() bool {
	return path.Base(l.source.file.Path) == path.Base(l.sink.file.Path) && l.taken.Whole(l.source.file.Size)
}

func (f *found) sameName() bool {
	return path.Base(f.source.Path) == path.Base(f.dest.Path) && f.bytes == f.source.Size
}

// speaks says what speaks for a link, and how much.
func (b *transfers) speaks(l *link) (evidence, certainty, because string) {
	switch {
	case l.explicit && !l.mapped:
		return "call", certain, "each call named both files"
	case l.mapped:
		return "memory", traced, "the bytes were read into the memory that the new file was mapped to"
	case l.source.mapped:
		return "memory", traced, "the whole file was written from the memory it was mapped to"
	case l.byMemory():
		return "memory", traced, "the bytes were written from the memory they had been read into"
	}
	because = "every byte written had been read before, once, at the same distance, in whole reads"
	if l.rivals > 0 {
		return "flow", sameSize, because + "; other files would fit as well"
	}
	if b.addressed && !l.sameName() {
		return "flow", sameSize, because + ", but not from the memory it had been read into"
	}
	return "flow", likely, because
}
