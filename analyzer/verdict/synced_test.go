package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// What helps against syncs depends on what they are for: each file once, directories, or one file again and again.
func TestAdviceOnSyncs(t *testing.T) {
	for _, c := range []struct {
		name                     string
		files, each, directories int64
		calls                    int64
		at                       int64 // so many at a time
		text, remedy             string
	}{
		{"each file once", 300, 1, 0, 300, 1, "300 fsync calls (one for each of 300 files), ", "write all files first"},
		{"files and their directory", 60, 1, 60, 120, 1, "120 fsync calls (one for each of 60 files, 60 of directories), ",
			"write many files before one sync of their directory"},
		{"directories alone", 0, 0, 90, 90, 1, "90 fsync calls (90 of directories), ", "write many files before"},
		{"one log", 1, 200, 0, 200, 1, "200 fsync calls (of 0), ", "batch more writes"},
		{"a few databases", 4, 50, 0, 200, 1, "200 fsync calls (200 of 4 files), ", "batch more writes"},
		{"several at a time", 400, 1, 0, 400, 4, ", 4 at a time", "write all files first"},
		{"one alone", 1, 1, 0, 1, 1, "1 fsync, ", "one sync cannot be shortened"},
		{"most not among the files that are kept", 10, 1, 0, 300, 1, "300 fsync calls, ", "batch more writes"},
	} {
		p := spent(map[string]int64{"sync": second}, nil)
		p.Calls = []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: c.calls, TimeNS: c.at * second,
			Latency: profile.Dist{Count: c.calls, P50: c.at * second / c.calls, Max: second}}}
		synced := func(path string, kind trace.FileType, n int64) {
			p.Files = append(p.Files, profile.File{Path: path, Type: kind, Ops: []profile.OpCount{{Op: trace.OpSync, Count: n}}})
		}
		for i := range c.files {
			synced(fmt.Sprintf("/d/%d", i), trace.FileRegular, c.each)
		}
		if c.directories > 0 {
			synced("/d", trace.FileDirectory, c.directories)
		}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.Sync || !strings.Contains(r.Text, c.text) || !strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}
