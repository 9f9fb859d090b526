package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"path"
	"strings"
)

// found is a copy: who read what from where, and who wrote it to where.
type found struct {
	source    *file
	dest      *file
	sourceAt  int64
	destAt    int64
	bytes     int64
	holes     int64
	in        *source // nil if the source was mapped, cloned or renamed
	out       *sink   // nil likewise
	between   []*process
	calls     methods
	filled    int64
	explicit  bool
	method    string // if it is known beforehand
	unsized   bool   // bytes is not known
	evidence  string
	because   string
	via       string
	at, until int64  // if there is neither in nor out
	from, to  string // names, of a file that was renamed or linked
	pid       uint32 // who did that
}

// copies closes the books.
func (b *books) copies(a *analysis) []found {
	var list []found
	for _, s := range b.sinks {
		if !s.file.data() || !s.pure() {
			continue
		}
		for _, l := range s.links {
			if l.source.file.data() && l.holds() {
				list = append(list, l.found())
			}
		}
	}
	list = append(list, b.piped()...)
	taken := map[*file]bool{}
	for i := range list {
		taken[list[i].dest] = true
	}
	list = append(list, b.mapped(taken)...)
	for i := range list {
		taken[list[i].dest] = true
	}
	list = append(list, b.framed(taken, a.files)...)
	list = append(list, b.empty(taken)...)
	list = append(list, b.unsized(taken)...)
	return append(list, named(a.files)...)
}

// holds reports whether a link is a copy.
func (l *link) holds() bool {
	if l.explicit {
		return l.bytes > 0
	}
	s := l.sink
	return l.bytes > 0 && s.clean() && s.single(l) && l.even() && !l.rewrites() && !l.gathered() && l.source.once() && (l.source.passedOn() || l.sparse()) && l.likely()
}

// pure reports whether every link to a file holds. If one does not, the file
// got bytes that are no copy of anything, such as the trailer of an archive,
// and is no copy either.
func (s *sink) pure() bool {
	for _, l := range s.links {
		if !l.holds() {
			return false
		}
	}
	return true
}

// gathered reports whether the source was read to its end before the first of
// several writes, in pieces of another size: to be sorted or edited in memory,
// for all that can be seen.
func (l *link) gathered() bool {
	s := l.sink
	if s.file.stream() || l.writes < 2 || s.flow.First < l.source.flow.Last {
		return false
	}
	return l.source.flow.Usual() != s.flow.Usual()
}

// clean reports whether a file got all of its bytes, each once, from known
// places. A pipe may carry other things too.
func (s *sink) clean() bool {
	if s.file.stream() {
		return true
	}
	return s.unmatched == 0 && s.again == 0 && !s.useless
}

// single reports whether no other link leads from the same source to the sink:
// in a copy the distance is constant.
func (s *sink) single(l *link) bool {
	for _, o := range s.links {
		if o != l && o.source.file == l.source.file && o.source.process == l.source.process && o.delta != l.delta {
			return false
		}
	}
	return true
}

// even reports whether writes kept to the boundaries of reads, two in a hundred
// excepted.
func (l *link) even() bool { return l.crooked*50 <= l.writes && l.bytes == l.taken.Bytes }

// rewrites reports whether the sink took the place of the source: a file that
// was edited, or saved again, is no copy of what it was.
func (l *link) rewrites() bool { return l.source.file.hadName(l.sink.file.path) }

// passedOn reports whether everything that was read went into files that are
// copies, or into a pipe.
func (s *source) passedOn() bool {
	if s.read.Scattered {
		return false
	}
	var gone measure.Ranges
	for _, l := range s.links {
		if l.sink.clean() {
			gone.All(&l.taken, 0)
		}
	}
	return gone.Bytes == s.read.Bytes
}

// sniff is how much of a source may be looked at before it is copied.
const sniff = 64 << 10

// once reports whether the source was read in one go: but for a look at it
// beforehand, or a first time from end to end, as for a checksum. A program
// that reads here and there before is about to convert.
func (s *source) once() bool {
	return s.again <= sniff || s.again == s.read.Bytes && s.read.Whole(s.file.size)
}

// sparse reports whether what was left out became holes of a new file.
func (l *link) sparse() bool {
	src, dst := l.source, l.sink.file
	n := max(src.file.size, 0)
	return l.delta == 0 && len(l.sink.links) == 1 && dst.created && dst.size == n && src.read.Whole(n)
}

// small is the size below which equal numbers may be chance.
const small = 4096

// own is the size below which a file that the process itself has written is
// taken for one of its own structures, not for the source of a copy: programs
// write many files of one size, and read them back.
const own = 1 << 20

// likely reports whether a copy of few bytes is no coincidence: the names are
// alike, or copying is all that the process did.
func (l *link) likely() bool {
	if l.bytes < own && l.sink.process.wrote(l.source.file) {
		return false
	}
	if l.bytes >= small || alike(l.source.file.path, l.sink.file.path) {
		return true
	}
	for _, s := range l.sink.process.flows.sinks {
		if s.file.data() && !s.clean() {
			return false
		}
	}
	return true
}

// wrote reports whether a process has written to a file.
func (p *process) wrote(f *file) bool { return p.flows.sinks[f] != nil || p.flows.maps(f) }

// alike reports whether one of two paths ends in a name that holds the other's.
func alike(a, b string) bool {
	a, b = path.Base(a), path.Base(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

func (l *link) found() found {
	f := found{
		source: l.source.file, dest: l.sink.file, sourceAt: l.taken.First(), destAt: l.taken.First() + l.delta,
		bytes: l.taken.Bytes, in: l.source, out: l.sink, calls: l.sink.calls, filled: l.filled, explicit: l.explicit,
		evidence: "flow", because: "every byte written had been read before, once, at the same distance, in whole reads",
	}
	if l.explicit {
		f.evidence, f.because = "call", "each call named both files"
		return f
	}
	f.calls.merge(l.source.calls)
	if hole := l.source.read.Bytes - l.taken.Bytes; l.sparse() && hole > 0 {
		f.holes = hole
		f.because += "; what was left out is holes in the new file"
	}
	return f
}
