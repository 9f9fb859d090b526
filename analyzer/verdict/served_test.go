package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Files of a server that are read have to be asked for, each by itself: a listing of their directory spares that for
// files that are only looked at.
func TestFilesOfAServerUsed(t *testing.T) {
	for _, c := range []struct {
		read *profile.Flow
		want string
	}{
		{nil, "fewer such calls (a listing brings all of a directory)"},
		{&profile.Flow{Count: 1, Bytes: 900}, "several files in parallel, or an archive of them"},
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		for _, name := range []string{"/n/a", "/n/b", "/n/c"} {
			p.Files = append(p.Files, profile.File{Path: name, Type: trace.FileRegular, FSType: "nfs4", Mount: "/n",
				Read: c.read, Ops: []profile.OpCount{{Op: trace.OpOpen, Count: 100, TimeNS: second / 3}}})
		}
		p.Calls = []profile.Call{{Op: trace.OpOpen, Name: "openat", Count: 300, TimeNS: second}}
		if r := verdict.Judge(p).Causes[0]; r.Code != cause.NetworkFS || !strings.HasPrefix(r.Remedy, c.want) {
			t.Errorf("%+v, want %q", r, c.want)
		}
	}
}

// A process that serves files has to answer a write, whether that is synchronous or not.
func TestSynchronousWritesServed(t *testing.T) {
	for fs, want := range map[string]string{"fuse.s3fs": cause.UserSpaceFS, "ext4": cause.Sync} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		p.Pattern.Modes = &profile.CacheModes{SyncedWrite: 64 << 20, BufferedWrite: 64 << 20}
		write := &profile.Flow{Count: 64, Bytes: 64 << 20, Latency: profile.Dist{Sum: second}}
		p.Files = []profile.File{{Path: "/m/disk.img", Type: trace.FileRegular, FSType: fs, Mount: "/m", Write: write}}
		p.Calls = []profile.Call{{Op: trace.OpWrite, Name: "write", Count: 64, TimeNS: second}}
		if r := verdict.Judge(p).Causes[0]; r.Code != want {
			t.Errorf("%s: %+v", fs, r)
		}
	}
}
