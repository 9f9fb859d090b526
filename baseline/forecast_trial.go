package baseline

import (
	"math"
	"time"
)

// A trial of a step ends after TrialTime, or after TrialBytes where what a step writes or reads goes through memory: a
// second fills more memory there than a drive takes in ten.
const (
	TrialTime  = time.Second
	TrialBytes = 256 << 20
)

// Trial is what a step did for a moment.
type Trial struct {
	Wall    time.Duration // all that it took, the making and removal of its files included
	Active  time.Duration // while it moved data
	Durable time.Duration // until the data was on the device; 0 if nothing waited for that
	Bytes   int64         // that were moved
	Files   []FileTime
}

// Mean is the trial of which t is so many.
func (t Trial) Mean(times int) Trial {
	n := time.Duration(max(times, 1))
	t.Wall, t.Active, t.Durable, t.Bytes = t.Wall/n, t.Active/n, t.Durable/n, t.Bytes/int64(n)
	return t
}

// StepKind is what steps have in common that take the same time for as many bytes.
type StepKind struct {
	step  Step
	place string
	files int   // of a set
	bytes int64 // of them together
}

// StepKindOf is the kind of a step in a place.
func StepKindOf(s Step, place string) StepKind {
	s.Name, s.FileSize, s.Limit, s.Burst, s.Idle = "", 0, Limit{}, nil, 0
	k := StepKind{place: place}
	if s.Files != nil { // files of other sizes are another kind
		k.files, k.bytes = s.Files.Count(), s.Files.Bytes()
		s.Files = nil
	}
	k.step = s
	return k
}

// NeedsTrial reports whether only a trial tells how long a step takes: not where nothing but time ends it.
func NeedsTrial(s Step, span int64) bool {
	bytes, _ := s.Moves(span)
	return bytes > 0
}

// TrialStep is a step as it is tried, in a file that has so many bytes.
func TrialStep(s Step, have int64) Step {
	s.Burst, s.Idle = nil, 0
	switch {
	case s.Files != nil:
		s.Files = sample(*s.Files)
		return s
	case s.Op == Copy:
		s.FileSize = WholeBlocks(min(s.FileSize, have, TrialBytes/4), s.Block)
		return s
	}
	total, _ := s.Moves(s.FileSize)
	if s.Cache != Direct {
		total = min(total, TrialBytes)
	}
	if s.Fresh {
		have = s.FileSize
	} else if s.Cache != Direct { // a second pass would come from memory
		total = min(total, have)
	}
	if s.FileSize > 0 || have > 0 {
		s.FileSize = WholeBlocks(min(max(s.FileSize, 1), max(have, 1)), s.Block)
	}
	limit := TrialTime
	if s.Limit.Time > 0 {
		limit = min(limit, s.Limit.Time)
	}
	s.Limit = Limit{Time: limit, Bytes: max(total/int64(max(s.Threads, 1)), s.Block)}
	return s
}

// sample is one round of a set of files, or so much of it that the trial stays short.
func sample(f FileSet) *FileSet {
	few := FileSet{Rounds: 1}
	var bytes int64
	for _, n := range f.Sizes {
		if bytes += n; bytes > TrialBytes && len(few.Sizes) > 0 {
			break
		}
		few.Sizes = append(few.Sizes, n)
	}
	return &few
}

// Lasts is how long the step takes by its trial. The time while data moves grows with the data; the rest does not.
func (t Trial) Lasts(s Step, span int64) time.Duration {
	full, timed := s.Moves(span)
	moving, rest := max(t.Active, t.Durable), time.Duration(0)
	if t.Wall > moving {
		rest = t.Wall - moving
	}
	d := timed
	switch {
	case s.Files != nil && len(t.Files) > 0:
		d = t.files(*s.Files)
		d += scaled(max(t.Durable-t.Active, 0), full, t.Bytes)
	case s.Op == Copy && s.Method == CopyClone:
		d = moving
	case full > 0:
		d = scaled(moving, full, t.Bytes)
	}
	if full > 0 && s.Limit.Time > 0 {
		d = min(d, s.Limit.Time)
	}
	if s.Burst != nil && s.Burst.Duty > 0 {
		d = scale(d, 1/s.Burst.Duty)
	}
	return d + rest + s.Idle
}

// files is the time of a set of files: so much for each, and so much for each byte. The files of the trial decide by
// least squares; neither can be negative.
func (t Trial) files(set FileSet) time.Duration {
	var n, sx, sy, sxx, sxy float64
	for _, f := range t.Files {
		x, y := float64(f.Bytes), float64(f.NS)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	slope := 0.0
	if det := n*sxx - sx*sx; det > 0 {
		slope = (n*sxy - sx*sy) / det
	}
	each := (sy - slope*sx) / n
	switch {
	case each < 0 && sx > 0:
		slope, each = sy/sx, 0
	case slope < 0:
		slope, each = 0, sy/n
	}
	return time.Duration(min(each*float64(set.Count())+slope*float64(set.Bytes()), math.MaxInt64/4))
}

func scaled(d time.Duration, full, part int64) time.Duration {
	if part <= 0 {
		return d
	}
	return scale(d, float64(full)/float64(part))
}

// scale is d times factor, no longer than 70 years.
func scale(d time.Duration, factor float64) time.Duration {
	return time.Duration(min(float64(d)*factor, math.MaxInt64/4))
}
