package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestUnflushed: what a drive may have in its volatile cache only is not called durable, wherever the drive is: below
// the file system, or below the file of its loop device. Where a cache is not volatile, or is flushed, it is.
func TestUnflushed(t *testing.T) {
	disk, loop := trace.MakeDeviceID(8, 0), trace.MakeDeviceID(7, 0)
	for name, c := range map[string]struct {
		cache   string
		options string // of the mount with the file
		below   string // of that with the file of the loop device below; "": there is none
		apart   string // the device
	}{
		"nobarrier":               {"write back", "rw,nobarrier", "", "sda"},
		"barrier=0":               {"write back", "rw,barrier=0", "", "sda"},
		"an unknown cache":        {"", "rw,nobarrier", "", "sda"},
		"flushed":                 {"write back", "rw", "", ""},
		"a word within a word":    {"write back", "rw,x-nobarrier-not", "", ""},
		"no volatile cache":       {"write through", "rw,nobarrier", "", ""},
		"a loop device":           {"write back", "rw", "rw", ""},
		"below a loop device":     {"write back", "rw", "rw,nobarrier", "sda"},
		"on a loop device itself": {"write back", "rw,nobarrier", "rw", "loop0"},
		"through, below":          {"write through", "rw", "rw,nobarrier", ""},
	} {
		s, a, _ := copying(t, 4*MiB)
		on := disk
		s.put(s.now, &trace.Device{ID: disk, Name: "sda", WriteCache: c.cache})
		s.end.Mounts = []trace.Mount{{Device: 1, Point: "/", FSType: "ext4", Options: "rw"}}
		if c.below != "" {
			on = loop
			s.put(s.now, &trace.Device{ID: loop, Name: "loop0", WriteCache: "write back", Backing: "/img/file",
				Parents: []trace.DeviceID{disk}})
			s.end.Mounts = append(s.end.Mounts, trace.Mount{Device: disk, Disk: disk, Point: "/img", FSType: "ext4",
				Options: c.below})
		}
		s.end.Mounts = append(s.end.Mounts, trace.Mount{Device: on, Disk: on, Point: "/x", FSType: "ext4",
			Options: c.options})
		b := s.identify(trace.File{Path: "/x/new", Device: on, Inode: 9, FSType: "ext4", Mount: "/x"})
		s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc)
		s.loop(a, b, 4*MiB, MiB)
		s.put(s.now, &trace.Request{Queued: s.now, Issued: s.now, Completed: s.now + ms, Device: on, Bytes: 4 * MiB,
			Op: trace.ReqWrite, PID: 100, TID: 100, Owner: 100, File: b, Evidence: trace.EvidenceInode, Bios: 1})
		s.call(trace.Syscall{Op: trace.OpSync, File: b}, 5*ms)
		s.returns()
		s.durable(s.now + ms)
		p := s.profile()
		text := ""
		for _, l := range p.Verdict.Lines {
			text += l.Text + " "
		}
		want := "until durable"
		switch {
		case c.cache == "write through" && c.below == "": // it was safe when it was written
			want = "all data durable"
		case c.apart != "":
			want = "4.19 MB unflushed in " + c.apart + "'s cache (nobarrier)"
		}
		if !strings.Contains(text, want) || c.apart != "" && strings.Contains(text, "until durable") {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
		if copied := one(t, p); (copied.DurableNS == profile.Unknown) != (c.apart != "") {
			t.Errorf("%s: the copy is durable after %d", name, copied.DurableNS)
		}
		if m := p.Trace.Mount("/x"); m == nil || m.Unflushed != c.apart {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestVolatileOverlay: an overlay mounted volatile does nothing when it is asked to sync, so nothing there is durable.
func TestVolatileOverlay(t *testing.T) {
	for options, apart := range map[string]bool{
		"rw,lowerdir=/l,upperdir=/u,workdir=/w,volatile": true, "rw,lowerdir=/l,upperdir=/u,workdir=/w": false,
	} {
		s, a, _ := copying(t, 4*MiB)
		s.end.Mounts = []trace.Mount{{Device: 40, Point: "/m", FSType: "overlay", Options: options}}
		b := s.identify(trace.File{Path: "/m/new", Device: 40, Inode: 9, FSType: "overlay", Mount: "/m"})
		s.open(b, trace.FlagWrite|trace.FlagCreate|trace.FlagTrunc)
		s.loop(a, b, 4*MiB, MiB)
		s.call(trace.Syscall{Op: trace.OpSync, File: b}, us)
		s.returns()
		s.durable(s.now + 5*ms)
		p := s.profile()
		said := strings.Contains(p.Verdict.Text(), "4.19 MB on /m never synced (volatile)")
		if said != apart || strings.Contains(p.Verdict.Text(), "until durable") == apart {
			t.Errorf("%s: %s", options, p.Verdict.Text())
		}
		if copied := one(t, p); (copied.DurableNS == profile.Unknown) != apart {
			t.Errorf("%s: the copy is durable after %d", options, copied.DurableNS)
		}
	}
}
