package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Who only sets owners, modes or times, or removes files, is told so. Who writes the files as well, as an archiver that
// gives them their times back, is not, nor one that looks at more than it changes.
func TestChanging(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[trace.Op]int64
		want  string
	}{
		{"modes of a site", map[trace.Op]int64{trace.OpAttr: 9000, trace.OpReaddir: 500}, "change only what differs"},
		{"a cache is emptied", map[trace.Op]int64{trace.OpUnlink: 9000, trace.OpReaddir: 500}, "move it aside"},
		{"an archive is unpacked", map[trace.Op]int64{trace.OpAttr: 9000, trace.OpOpen: 9000, trace.OpWrite: 9000},
			"fewer, larger"},
		{"few of many", map[trace.Op]int64{trace.OpAttr: 100, trace.OpOpen: 9000}, "fewer, larger"},
		{"a few files", map[trace.Op]int64{trace.OpAttr: 3}, "fewer, larger"},
	} {
		p := spent(map[string]int64{"metadata": second}, map[string]int64{"in_metadata": second})
		p.Calls = []profile.Call{{Op: trace.OpReaddir, Name: "getdents64", Count: 900, TimeNS: second}}
		for op, n := range c.files {
			p.OpFiles = append(p.OpFiles, profile.OpFiles{Op: op, Files: n, UnderFiles: n})
		}
		if r := verdict.Judge(p).Causes[0]; !strings.HasPrefix(r.Remedy, c.want) {
			t.Errorf("%s: %s", c.name, r.Remedy)
		}
	}
}
