package usage

import (
	"cmp"
	"path"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Lookups says of the names that calls asked for whether anything was there, and whether it was used.
type Lookups struct {
	files *world.Files
	of    world.Table[looked]
}

// looked is what calls asked of one name.
type looked struct {
	found, missing int64
	refused        int64 // to make it
	within         int64 // refused to make something in it, or to say that this may be done
	errno          trace.Errno
	used           bool // its data was, or it was changed
	unopened       bool // it was to be opened, and was not there
}

// NewLookups returns a collector.
func NewLookups(files *world.Files) *Lookups { return &Lookups{files: files} }

// Call counts one on a name.
func (c *Lookups) Call(e *world.Call) {
	if e.File == nil {
		return
	}
	switch s := c.of.Of(e.File.Number); {
	case e.Result == -int64(trace.ErrNoEntry):
		if asks(e.Op) {
			s.missing++
		}
		s.unopened = s.unopened || e.Op == trace.OpOpen
	case refuses(e):
		s.errno = trace.Errno(-e.Result)
		if e.Op == trace.OpOpen {
			s.refused++
		} else {
			s.within++
		}
	case e.Result < 0 || idle(e.Op):
	case asks(e.Op):
		s.found++
	default:
		s.used = true
	}
	if e.File2 != nil && e.Result >= 0 {
		c.of.Of(e.File2.Number).used = true
	}
}

// asks reports whether an operation says what there is of a name.
func asks(op trace.Op) bool {
	return op == trace.OpOpen || op == trace.OpStat || op == trace.OpReadlink || op == trace.OpXattr
}

// idle reports whether an operation on an open file neither uses its data nor changes it.
func idle(op trace.Op) bool {
	switch op {
	case trace.OpClose, trace.OpReaddir, trace.OpSeek, trace.OpFcntl, trace.OpIoctl, trace.OpAdvise, trace.OpStatFS:
		return true
	}
	return false
}

// refuses reports whether a call was to make something, or asked whether it may, and was told that it may not. Who may
// not search a directory is told so of all names in it, and never that one is not there.
func refuses(e *world.Call) bool {
	switch trace.Errno(-e.Result) {
	case trace.ErrReadOnly, trace.ErrNoSpace, trace.ErrQuota:
		return true
	case trace.ErrAccess:
		return e.Op != trace.OpOpen || e.Flags&trace.FlagCreate != 0
	}
	return false
}

// Access says that data of files was used.
func (c *Lookups) Access(x *world.Access) {
	for _, f := range []*world.File{x.File, x.File2} {
		if f != nil {
			c.of.Of(f.Number).used = true
		}
	}
}

// Fault says that a file is mapped.
func (c *Lookups) Fault(e *world.Fault) {
	if e.File != nil {
		c.of.Of(e.File.Number).used = true
	}
}

// Finish adds up names by directory.
func (c *Lookups) Finish(p *profile.Profile) {
	l := &profile.Lookups{}
	names, missed, refused := map[string]bool{}, map[string]int64{}, map[string]*profile.Unkept{}
	under, holds := map[string]int64{}, c.holders()
	for _, f := range c.files.All {
		s := c.of.Known(f.Number)
		if s == nil || f.Path == "" || f.Stream() {
			continue
		}
		l.Found += s.found
		if s.missing > 0 {
			missed[path.Dir(f.Path)]++
			if made := s.used || f.Created; !made {
				names[path.Base(f.Path)] = true
				missing(&l.Missing, f, s)
			}
		}
		refuse(refused, path.Dir(f.Path), s.refused, s.errno)
		refuse(refused, f.Path, s.within, s.errno)
		if s.found == 0 {
			continue
		}
		if f.Kind == trace.FileDirectory || holds[f.Path] { // who only asks for attributes is not told by the trace
			l.Within.Directories++
			l.Within.Lookups += s.found
			continue
		}
		if s.used || f.Created || f.Deleted {
			l.Looked.Others++
			continue
		}
		l.Looked.Files++
		l.Looked.Lookups += s.found
		under[path.Dir(f.Path)]++
	}
	if l.Missing.Names = int64(len(names)); l.Missing.Names > 0 {
		l.Missing.Places = l.Missing.Paths / l.Missing.Names
	}
	l.Looked.Under, l.Looked.UnderFiles = measure.Deepest(under, nearlyAll)
	l.Unkept, l.Unmade = unkept(missed, refused), c.unmade()
	if l.Missing.Lookups > 0 || l.Looked.Files > 0 || len(l.Unkept) > 0 {
		p.Lookups = l
	}
}

// holders are the names that others lie in.
func (c *Lookups) holders() map[string]bool {
	dirs := map[string]bool{}
	for _, f := range c.files.All {
		for dir := path.Dir(f.Path); f.Path != "" && !f.Stream() && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}

func missing(m *profile.Missing, f *world.File, s *looked) {
	m.Paths++
	m.Lookups += s.missing
	if s.missing > m.MostCount {
		m.Most, m.MostCount = f.Path, s.missing
	}
}

// refuse counts refusals for a directory: of itself, and of what was to be made in it.
func refuse(refused map[string]*profile.Unkept, dir string, times int64, errno trace.Errno) {
	if times == 0 {
		return
	}
	u := refused[dir]
	if u == nil {
		u = &profile.Unkept{Path: dir}
		refused[dir] = u
	}
	u.Refused += times
	u.Errno = int64(errno)
}

// maxUnkept is how many directories are listed.
const maxUnkept = 16

func unkept(missed map[string]int64, refused map[string]*profile.Unkept) (list []profile.Unkept) {
	for dir, u := range refused {
		if u.Missed = missed[dir]; u.Missed > 0 {
			list = append(list, *u)
		}
	}
	sorting.Stably(list, func(a, b profile.Unkept) int {
		return cmp.Or(cmp.Compare(b.Refused, a.Refused), cmp.Compare(a.Path, b.Path))
	})
	return list[:min(len(list), maxUnkept)]
}

// nearlyAll is the part of files, or of time, of which more has to be in or below a directory that stands for them.
const nearlyAll = 0.9
