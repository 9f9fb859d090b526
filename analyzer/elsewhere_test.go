package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestHostPaths: of two containers' files of one name the profile says which lies where. A file that is copied up to
// another layer lies in that from then on, and a name of the host's needs no other.
func TestHostPaths(t *testing.T) {
	s := newScene(t, "sh")
	for _, f := range []trace.File{
		{Path: "/data", Device: 41, Inode: 7, FSType: "overlay", Flags: trace.FileElsewhere, Host: "/lower/data"},
		{Path: "/data", Device: 41, Inode: 7, FSType: "overlay", Flags: trace.FileElsewhere, Host: "/upper/data"},
		{Path: "/data", Device: 42, Inode: 7, FSType: "overlay", Flags: trace.FileElsewhere},
		{Path: "/mnt/x", Device: 43, Inode: 8, FSType: "ext4", Flags: trace.FileElsewhere, Host: "/srv/x"},
		{Path: "/srv/x", Device: 43, Inode: 8, FSType: "ext4"},
	} {
		f.Type = trace.FileRegular
		s.write(s.identify(f), 0, 4096, us)
	}
	s.returns()
	got := map[string]string{}
	for _, f := range s.profile().Files {
		if f.Write != nil {
			got[f.Device+" "+f.Path] = f.Host
		}
		if f.Elsewhere != (f.Device != "0:43") {
			t.Errorf("%+v", f)
		}
	}
	if len(got) != 3 || got["0:41 /data"] != "/upper/data" || got["0:42 /data"] != "" || got["0:43 /srv/x"] != "" {
		t.Errorf("%q", got)
	}
}
