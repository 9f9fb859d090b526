package copies

import (
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// The grades of certainty, see docs/copies.md.
const (
	Certain  = "certain"   // a call named both files
	Traced   = "traced"    // the bytes were written from the memory they were read into
	Checked  = "checked"   // samples of both files were compared after the recording
	Likely   = "likely"    // order, places and names agree
	SameSize = "same_size" // only sizes speak for it
)

// judgedCopy is a file whose data became that of another: who read what from where, and
// who wrote it to where.
type judgedCopy struct {
	Source, Dest     *world.File
	ID, Into         trace.FileID // the names that were used
	From, To         string       // names, of a file that was renamed or linked
	SourceAt, DestAt int64
	Bytes, Holes     int64
	Unsized          bool // how many bytes is not known
	Interrupted      bool
	Parts            measure.Ranges // of the source

	In, Out   *measure.Flow // nil if the source was mapped, cloned or renamed
	At, Until int64         // if there is neither
	Reader    *source       // whose reads In are
	Writer    *sink         // whose writes Out are
	Pace      *pace
	Calls     methods
	Filled    int64 // added to the page cache by calls that name both files
	Between   []*world.Process
	PID       uint32         // who renamed or linked it
	Method    profile.Method // if it is known beforehand
	Via       string
	Through   []*world.File // in which the bytes lay in between
	Explicit  bool          // each call named both files

	Evidence  string
	Certainty string
	Because   string
	Rivals    int
	Checked   bool // contents were compared
	guessed   bool // memory does not show all of its way
}

// sameName reports whether a whole file went into one of the same name.
func (f *judgedCopy) sameName() bool {
	return path.Base(f.Source.Path) == path.Base(f.Dest.Path) && f.Bytes == f.Source.Size
}

// pass enters a link that the bytes went through.
func (f *judgedCopy) pass(l *link) {
	f.Calls.Merge(l.Calls)
	if !l.Explicit {
		f.Calls.Merge(l.Source.Calls)
	}
	if !l.Explicit && !byMemory(l) {
		f.guessed = true
	}
	if !slices.Contains(f.Between, l.Sink.By) {
		f.Between = append(slices.Clone(f.Between), l.Sink.By)
	}
}

// joinParts joins stretches of the same pair of files at the same distance that
// the same processes moved.
func joinParts(list []judgedCopy) []judgedCopy {
	var out []judgedCopy
	last := map[[2]*world.File]int{}
	for _, f := range list {
		k := [2]*world.File{f.Source, f.Dest}
		i, seen := last[k]
		if !seen || !out[i].continues(&f) {
			last[k] = len(out)
			out = append(out, f)
			continue
		}
		o := &out[i]
		o.Parts.All(&f.Parts, 0)
		o.Bytes += f.Bytes
		o.SourceAt, o.DestAt = min(o.SourceAt, f.SourceAt), min(o.DestAt, f.DestAt)
		o.In, o.Out = o.In.Join(f.In), o.Out.Join(f.Out)
		if o.Reader != f.Reader || o.Writer != f.Writer {
			o.Calls.Merge(f.Calls)
			o.Pace = nil
		}
	}
	return out
}

// continues reports whether another stretch belongs to the same copy.
func (f *judgedCopy) continues(o *judgedCopy) bool {
	return f.DestAt-f.SourceAt == o.DestAt-o.SourceAt && f.Via == o.Via && slices.Equal(f.Between, o.Between) &&
		!f.Parts.Overlaps(&o.Parts)
}

// writesOf are all calls of the links of a sink, or else its sums.
func writesOf(s *sink) *measure.Flow {
	var all *measure.Flow
	for _, l := range s.Links {
		all = all.Join(l.Out)
	}
	if all == nil {
		return &s.Flow
	}
	return all
}
