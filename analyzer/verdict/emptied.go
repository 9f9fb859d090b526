package verdict

import (
	"fmt"
	"path"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// emptied says of directories with many blocks and few names that these are left from files that are gone, if listing
// them took most of the time. Each listing reads all blocks; the last of them may be as good as empty.
func emptied(a *account, r *profile.Reason) {
	var worst *profile.File
	var index, count int
	var ns, read, names int64
	for i := range a.p.Files {
		f := &a.p.Files[i]
		d := f.Directory
		if d == nil || d.ReadBytes < wording.SmallRequest || d.ReadBytes < several*d.NamesBytes {
			continue
		}
		count, read, names = count+1, read+d.ReadBytes, names+d.NamesBytes
		ns += timeIn(f, func(o trace.Op) bool { return o == trace.OpReaddir || o == trace.OpUnlink })
		if worst == nil || d.ReadBytes > worst.Directory.ReadBytes {
			worst, index = f, i
		}
	}
	if worst == nil || r.Code != cause.Names || 2*ns <= r.TimeNS {
		return
	}
	where := path.Base(worst.Path)
	if count > 1 {
		where = fmt.Sprintf("%d directories, such as %s,", count, where)
	}
	what := "for " + unit.Bytes(names) + " of names"
	if names == 0 {
		what = "to see that it is empty"
	}
	r.Text = fmt.Sprintf("%s of %s read %s: blocks left from files that are gone", unit.Bytes(read), where, what)
	switch {
	case worst.Deleted:
		r.Remedy = "nothing more to do: its blocks went with it"
	case strings.HasPrefix(worst.FSType, "ext"):
		r.Remedy = "make the directory anew (mkdir, mv, rmdir), or e2fsck -D: " + worst.FSType + " never shrinks one"
	default:
		r.Remedy = "make the directory anew (mkdir, mv, rmdir)"
	}
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/directory/read_bytes", index),
		float64(worst.Directory.ReadBytes)))
	a.figure("directories_read_bytes", float64(read))
	a.figure("directories_names_bytes", float64(names))
}
