package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// syncedFiles are those that syncs of one kind were for. A sync of a whole file system has none.
type syncedFiles struct {
	profile.Synced
	index int  // in the profile
	known bool // all but a few syncs are of files or directories
}

// synced finds the files that the syncs of a call were for.
func synced(p *profile.Profile, call *profile.Call) (s syncedFiles) {
	for i := range p.Synced {
		if p.Synced[i].Op == call.Op {
			s.Synced, s.index = p.Synced[i], i
		}
	}
	if !p.Trace.Sees(string(trace.LimitNoRequests)) { // what others had changed before is not seen
		s.Unchanged = 0
	}
	all := s.Syncs + s.Directories
	s.known = float64(all) >= nearlyAll*float64(call.Count) && all <= call.Count
	return s
}

// eachFile reports whether most syncs were the only one of their file.
func (s *syncedFiles) eachFile() bool { return s.known && s.Files > 1 && 3*s.Files >= 2*s.Syncs }

// idle reports whether most syncs were of files that had nothing to make safe.
func (s *syncedFiles) idle(calls int64) bool { return s.known && calls > 1 && 2*s.Unchanged > calls }

// inVain reports whether nearly all syncs of files were of such as were removed in the end.
func (s *syncedFiles) inVain(calls int64) bool {
	return s.known && calls > 1 && 2*s.Syncs > calls && float64(s.Removed) >= nearlyAll*float64(s.Syncs)
}

// text says what was synced, where more than one sync was.
func (s *syncedFiles) text(a *account, call *profile.Call) string {
	if !s.known || call.Count < 2 {
		return ""
	}
	text := ""
	switch {
	case s.Files == 0:
	case s.Most == call.Count:
		text = " (of " + path.Base(s.Path)
	case 2*s.Most > call.Count:
		text = " (most of " + path.Base(s.Path)
	case s.Files > 1:
		a.figure("synced_files", float64(s.Files))
		each := unit.Count(s.Syncs) + " of "
		if s.Files == s.Syncs {
			each = "one for each of "
		}
		text = " (" + each + unit.Things(s.Files, "file")
	}
	if s.Directories > 0 && 2*s.Most <= call.Count {
		a.figure("synced_directories", float64(s.Directories))
		text += map[bool]string{true: " (", false: ", "}[text == ""] + unit.Number(float64(s.Directories)) +
			" of directories"
	}
	if text != "" {
		a.figure("syncs_of_files", float64(s.Syncs))
		text += ")"
	}
	if s.idle(call.Count) {
		a.figure("syncs_unchanged", float64(s.Unchanged))
		text += fmt.Sprintf(", %s of them of files of which nothing was changed", unit.Number(float64(s.Unchanged)))
	}
	if s.inVain(call.Count) {
		a.figure("syncs_removed", float64(s.Removed))
		text += fmt.Sprintf(", %s of them of files that it removed in the end", unit.Number(float64(s.Removed)))
	}
	return text
}

// remedy is what helps against so many syncs by a call.
func (s *syncedFiles) remedy(op trace.Op, calls int64) string {
	switch {
	case calls < 2:
		return "one sync cannot be shortened: do without it, or use a drive whose cache is protected"
	case op == trace.OpSyncFS: // it also writes what others left
		return "sync everything once, at the end, or its own files alone (fsync)"
	case s.idle(calls):
		return "sync only what was changed, or everything at once (syncfs)"
	case s.inVain(calls):
		return "leave out syncs of files that are removed in the end, unless they have to outlast a crash"
	case s.known && 3*s.Directories >= calls:
		return "write many files before one sync of their directory, or sync them all at once (syncfs)"
	case s.eachFile():
		return "write all files first, then sync once (syncfs) or never (eatmydata)"
	}
	return cause.Of(cause.Sync).Try
}

// atATime says how many calls were under way at a time, over all the time, if they were clearly more than one.
func (a *account) atATime(call *profile.Call) string {
	n := float64(call.TimeNS) / float64(max(a.p.WallNS, 1))
	if n < wording.Queued {
		return ""
	}
	a.figure("syncs_at_a_time", n)
	return fmt.Sprintf(", %s at a time", unit.Number(n))
}
