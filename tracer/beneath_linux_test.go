package tracer

import (
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// A file system has the number of its device, or leads to those of what it is made of. A number that was given again is
// that of the mount on whose path a file is.
func TestBeneath(t *testing.T) {
	const sda1, sdb1, first, second = 8<<20 | 1, 8<<20 | 17, 40, 41
	options := func(dir string) string { return "lowerdir=/:/" + dir + ",upperdir=/" + dir + "/up,workdir=/w" }
	b := &beneath{read: time.Now().Add(time.Hour), mounts: []host.Mount{
		{Major: 8, Minor: 1, Point: "/"}, {Major: 8, Minor: 17, Point: "/b"},
		{Minor: first, Point: "/run/one", FSType: "overlay", Options: options("b")},
		{Minor: first, Point: "/run/two", FSType: "overlay", Options: options("a")},
		{Minor: second, Point: "/none", FSType: "tmpfs", Source: "tmpfs"},
	}}
	for what, x := range map[string]struct {
		file trace.File
		want []trace.DeviceID
	}{
		"a partition":        {trace.File{Path: "/x", Device: sdb1}, []trace.DeviceID{sdb1}},
		"no file":            {trace.File{Path: "/b/x"}, []trace.DeviceID{sdb1}},
		"an overlay":         {trace.File{Path: "/run/one/x", Device: first}, []trace.DeviceID{sda1, sdb1, sdb1}},
		"another":            {trace.File{Path: "/run/two/x", Device: first}, []trace.DeviceID{sda1, sda1, sda1}},
		"memory":             {trace.File{Path: "/none/x", Device: second}, nil},
		"a pipe":             {trace.File{Path: "pipe:[7]", Device: second}, nil},
		"not a block device": {trace.File{Path: "/dev/null", Device: sda1, Type: trace.FileBlock}, []trace.DeviceID{sda1}},
	} {
		if got := b.of(&x.file); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", what, got, x.want)
		}
	}
	inside := &trace.File{Path: "/etc/x", Device: first}
	if _, ok := b.mountOf(inside, false); ok {
		t.Error("the path of a container is on a mount of the host")
	}
	if on, ok := b.mountOf(inside, true); !ok || on.Point != "/run/one" {
		t.Errorf("a container's file system is mounted on %q", on.Point)
	}
}
