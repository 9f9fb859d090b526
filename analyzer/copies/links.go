package copies

import (
	"path"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// What is asked of a single link, or of its source.

// byMemory reports whether memory shows where at least half of the bytes came
// from: what a program passes on from a buffer of its own, such as the end of a
// file, belongs to the rest.
func byMemory(l *link) bool { return l.Traced*2 >= l.Bytes }

// wentElsewhere reports whether memory shows that what a link has taken went to another file: so the program copies.
func wentElsewhere(l *link) bool {
	for _, o := range l.Source.Links {
		if o.Sink == l.Sink || !byMemory(o) {
			continue
		}
		common := int64(0)
		for _, e := range l.Taken.List {
			common += o.Taken.Common(e).Bytes
		}
		if common == l.Taken.Bytes {
			return true
		}
	}
	return false
}

// gathered reports whether the source was read to its end before the first of
// several writes, in pieces of another size: to be sorted or edited in memory,
// for all that can be seen.
func gathered(l *link) bool {
	if l.Writes < 2 || l.Out.First < l.Source.Flow.Last {
		return false
	}
	return l.Source.Detail.Usual() != l.Out.Usual()
}

// single reports whether no other link leads from the same source to the sink:
// in a copy the distance is constant.
func single(l *link) bool {
	for _, o := range l.Sink.Links {
		if o != l && o.Source == l.Source && o.Delta != l.Delta {
			return l.Sink.File.Stream() && !byMemory(l)
		}
	}
	return true
}

// even reports whether writes kept to the boundaries of reads, two in a hundred
// excepted.
func even(l *link) bool { return l.Crooked*50 <= l.Writes && l.Bytes == l.Taken.Bytes }

// rewrites reports whether the sink took the place of the source: a file that
// was edited, or saved again, is no copy of what it was.
func rewrites(l *link) bool { return l.Source.File.HadName(l.Sink.File.Path) }

// passedOn reports whether everything that was read went into files that are
// copies, or into a pipe.
func (j *judge) passedOn(s *source) bool { return !s.Read.Scattered && j.gone(s).Bytes == s.Read.Bytes }

// gone is what of a source went into files that are copies, or into a pipe. A log that is opened for each line makes as
// many links as it has lines.
func (j *judge) gone(s *source) *measure.Ranges {
	all := j.went[s]
	if all == nil {
		all = new(measure.Ranges)
		for _, l := range s.Links {
			if l.Sink.Clean() {
				all.All(&l.Taken, 0)
			}
		}
		j.went[s] = all
	}
	return all
}

// brokenOff reports whether the copying ended before its end: what was read last
// was not written any more. A program that ends itself when it is told to, as by
// SIGTERM, fails. Few bytes out of a read are no copy of it that began: the loader
// reads more of every library, and every program writes a few.
func (j *judge) brokenOff(l *link) bool {
	if l.Bytes < small && l.Bytes < l.Source.Detail.Usual() {
		return false
	}
	rest := l.Source.Read.Missing(j.gone(l.Source))
	if rest.From < l.Taken.End() {
		return false
	}
	return l.Sink.Interrupted() || gaveUp(l) && rest.Bytes() <= l.Source.Detail.Usual()
}

// gaveUp reports whether a program that failed had copied the beginning of a file, and read further.
func gaveUp(l *link) bool {
	return l.Sink.By.Failed() && l.Taken.First() == 0 && l.Source.Read.End() > l.Taken.End()
}

// sniff is how much of a source may be looked at before it is copied.
const sniff = 64 << 10

// once reports whether the source was read in one go: but for a look at it
// beforehand, or a first time from end to end, as for a checksum. A program
// that reads here and there before is about to convert.
func once(s *source) bool {
	return s.Again <= sniff || s.Again == s.Read.Bytes && s.Read.Whole(s.File.Size)
}

// sparse reports whether what was left out became holes of a new file: of the whole, or of the one stretch that was
// read, wherever in the file it went.
func sparse(l *link) bool {
	src, dst := l.Source, l.Sink.File
	if len(l.Sink.Links) != 1 || !dst.Created || len(src.Read.List) != 1 {
		return false
	}
	return src.Read.First()+l.Delta >= 0 && dst.Size == src.Read.End()+l.Delta
}

// sameName reports whether a whole file went into one of the same name.
func sameName(l *link) bool {
	return path.Base(l.Source.File.Path) == path.Base(l.Sink.File.Path) && l.Taken.Whole(l.Source.File.Size)
}
