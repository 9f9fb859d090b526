package tracer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestGlobs(t *testing.T) {
	for _, x := range []struct {
		glob, path string
		want       bool
	}{
		{"*.db", "/var/lib/x.db", true}, {"*.db", "/var/lib/x.db-wal", false}, {"x?", "/a/x1", true},
		{"/var/*", "/var/lib", true}, {"/var/*", "/var/lib/x", false}, {"/var/**", "/var/lib/x", true},
		{"/var/**", "/var", false}, {"/var/**", "/various/x", false}, {"/home/*/**", "/home/me/a/b", true},
		{"/home/*/**", "/home/me", false}, {"[ab]", "/b", true}, {"[", "/b", false}, {"/**", "/a", true},
	} {
		if got := matchGlob(x.glob, x.path); got != x.want {
			t.Errorf("%s, %s: %v", x.glob, x.path, got)
		}
	}
	for glob, ok := range map[string]bool{"[": false, "": false, "*": true, "/a/[x/**": false, "/a/**": true,
		"a/*": false, "**/a": false} {
		if err := CheckGlob(glob); (err == nil) != ok {
			t.Errorf("%q: %v", glob, err)
		}
	}
}

// Two devices, each with a file: what belongs to one alone passes, whatever the number of its partition.
func TestNarrowed(t *testing.T) {
	const sda, sda1, sdb = 8 << 20, 8<<20 | 1, 8<<20 | 16
	tell := func(n Narrow) *trace.Log {
		l := &trace.Log{}
		s := n.Sink(l)
		for i, f := range []trace.File{{ID: 1, Path: "/a/one", Device: sda1}, {ID: 2, Path: "/b/two", Device: sdb}} {
			id, device := f.ID, trace.DeviceID([]int{sda, sdb}[i])
			at := int64(100 * (i + 1))
			for _, err := range []error{s.File(&f), s.Syscall(&trace.Syscall{File: id, PID: uint32(id)}),
				s.Fault(&trace.Fault{File: id}), s.AsyncOp(&trace.AsyncOp{File: id}),
				s.Request(&trace.Request{Device: device, File: id, Completed: at}),
				s.Wait(&trace.Wait{By: trace.WokenByRequest, Completed: at, PID: uint32(id)})} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Syscall(&trace.Syscall{}); err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := Disk{Name: "sda", On: []trace.DeviceID{sda, sda1}}
	for name, n := range map[string]Narrow{"device": {Devices: []Disk{first}}, "file": {Files: []string{"one"}},
		"both": {Devices: []Disk{first}, Files: []string{"/a/**"}}} {
		l := tell(n)
		if len(l.Files) != 1 || len(l.Syscalls) != 1 || l.Syscalls[0].File != 1 || len(l.Faults) != 1 ||
			len(l.AsyncOps) != 1 || len(l.Requests) != 1 || l.Requests[0].Device != sda || len(l.Waits) != 1 ||
			l.Waits[0].PID != 1 {
			t.Errorf("%s: %+v", name, l)
		}
	}
	neither := Narrow{Devices: []Disk{first}, Files: []string{"two"}}
	if l := tell(neither); len(l.Syscalls)+len(l.Requests)+len(l.Waits) > 0 {
		t.Errorf("%+v", l)
	}
	if l := tell(Narrow{}); len(l.Syscalls) != 3 || len(l.Waits) != 2 {
		t.Errorf("%+v", l)
	}
}
