package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict/disk"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// syncedFiles are those that syncs of one kind were for. A sync of a whole file system has none.
type syncedFiles struct {
	known       bool // they are listed, all but a few
	files       int64
	syncs       int64         // of files
	directories int64         // syncs of directories
	most        *profile.File // the file with most syncs
	ofMost      int64
}

// synced finds the files that the syncs of a call were for.
func synced(p *profile.Profile, call *profile.Call) (s syncedFiles) {
	for i := range p.Files {
		f := &p.Files[i]
		for _, o := range f.Ops {
			switch {
			case o.Op != call.Op:
			case f.Type == trace.FileDirectory:
				s.directories += o.Count
			default:
				s.files++
				s.syncs += o.Count
				if o.Count > s.ofMost {
					s.most, s.ofMost = f, o.Count
				}
			}
		}
	}
	s.known = float64(s.syncs+s.directories) >= nearlyAll*float64(call.Count) && s.syncs+s.directories <= call.Count
	return s
}

// eachFile reports whether most syncs were the only one of their file.
func (s *syncedFiles) eachFile() bool { return s.known && s.files > 1 && 3*s.files >= 2*s.syncs }

// text says what was synced, where more than one sync was.
func (s *syncedFiles) text(a *account, call *profile.Call) string {
	if !s.known || call.Count < 2 {
		return ""
	}
	text := ""
	switch {
	case s.files == 0:
	case s.ofMost == call.Count:
		text = " (of " + path.Base(s.most.Path)
	case 2*s.ofMost > call.Count:
		text = " (most of " + path.Base(s.most.Path)
	case s.files > 1:
		a.figure("synced_files", float64(s.files))
		each := unit.Count(s.syncs) + " of "
		if s.files == s.syncs {
			each = "one for each of "
		}
		text = " (" + each + unit.Things(s.files, "file")
	}
	if s.directories > 0 && 2*s.ofMost <= call.Count {
		a.figure("synced_directories", float64(s.directories))
		text += map[bool]string{true: " (", false: ", "}[text == ""] + unit.Number(float64(s.directories)) +
			" of directories"
	}
	if text != "" {
		a.figure("syncs_of_files", float64(s.syncs))
		text += ")"
	}
	return text
}

// remedy is what helps against so many syncs.
func (s *syncedFiles) remedy(calls int64) string {
	switch {
	case calls < 2:
		return "one sync cannot be shortened: do without it, or use a drive whose cache is protected"
	case s.known && 3*s.directories >= calls:
		return "write many files before one sync of their directory, or sync them all at once (syncfs)"
	case s.eachFile():
		return "write all files first, then sync them all at once (syncfs)"
	}
	return "batch more writes per sync"
}

// atATime says how many calls were under way at a time, over all the time, if they were clearly more than one.
func (a *account) atATime(call *profile.Call) string {
	n := float64(call.TimeNS) / float64(max(a.p.WallNS, 1))
	if n < disk.Queued {
		return ""
	}
	a.figure("syncs_at_a_time", n)
	return fmt.Sprintf(", %s at a time", unit.Number(n))
}
