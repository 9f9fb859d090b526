package verdict

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// What to do in place of a change of each name of a tree.
var lessChanged = map[trace.Op]string{
	trace.OpAttr:   "change only what differs (find ! -user … -exec chown); ",
	trace.OpUnlink: "move it aside and remove that later; or remove all at once (a subvolume, a file system of its own); ",
}

// changing says what helps where owners, modes or times of most files are set, or these are removed, and their data is
// not used. Listings may take longer, and are needed for that.
func changing(a *account, r *profile.Reason) {
	var work *profile.OpFiles
	for i := range a.p.OpFiles {
		f := &a.p.OpFiles[i]
		if f.Op.Metadata() && f.Op != trace.OpStat && (work == nil || f.Files > work.Files) {
			work = f
		}
	}
	if work == nil || work.Files < several {
		return
	}
	for _, op := range []trace.Op{trace.OpRead, trace.OpWrite} {
		if f := a.p.FilesOf(op); f != nil && 2*f.Files > work.Files {
			return
		}
	}
	r.Remedy = lessChanged[work.Op] + r.Remedy
}
