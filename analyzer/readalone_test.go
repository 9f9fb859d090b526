package analyzer

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestReadingAlone: what a file system writes of its own while calls only read there is for the times of its files. It
// may be for something else if another one keeps its files there, which changes them without a call on it.
func TestReadingAlone(t *testing.T) {
	image, anonymous := trace.MakeDeviceID(7, 0), trace.MakeDeviceID(0, 40)
	root := trace.Mount{Device: ext4, Disk: nvme, Point: "/", FSType: "ext4", Options: "rw,relatime"}
	for name, c := range map[string]struct {
		mount *trace.Mount // that is used besides
		alone bool
	}{
		"nothing else":        {nil, true},
		"an image":            {&trace.Mount{Device: image, Disk: image, FSType: "xfs", Options: "rw"}, false},
		"an overlay":          {&trace.Mount{FSType: "overlay", Options: "rw,lowerdir=/l,upperdir=/u,workdir=/w"}, false},
		"an overlay of no /u": {&trace.Mount{FSType: "overlay", Options: "ro,lowerdir=/l:/m"}, true},
		"bindfs":              {&trace.Mount{FSType: "fuse", Source: "/data", Options: "rw"}, false},
		"sshfs":               {&trace.Mount{FSType: "fuse.sshfs", Source: "host:/data", Options: "rw"}, true},
		"a disk of its own":   {&trace.Mount{Device: 8 << 20, Disk: 8 << 20, FSType: "ext4", Options: "rw"}, true},
	} {
		s := newScene(t, "reads")
		s.device(trace.Device{ID: image, Name: "loop0", Backing: "/images/i", Parents: []trace.DeviceID{nvme}})
		s.device(trace.Device{ID: 8 << 20, Name: "sda"})
		s.end.Mounts = []trace.Mount{root}
		f := s.file("/lib/a", 8*MiB)
		s.request(trace.ReqRead, f, 0, 8*MiB, s.now+us, s.now+ms)
		s.read(f, 0, 8*MiB, 2*ms)
		if m := c.mount; m != nil {
			if m.Point = "/m"; m.Device == 0 {
				m.Device = anonymous
			}
			s.end.Mounts = append(s.end.Mounts, *m)
			g := s.identify(trace.File{Path: "/m/g", Device: m.Device, Inode: 9, FSType: m.FSType, Mount: "/m"})
			s.write(g, 0, 4*MiB, ms)
			if m.Disk != 0 {
				s.request(trace.ReqWrite, g, 0, 4*MiB, s.now, s.now+ms).Device = m.Disk
			}
		}
		for range 512 {
			s.request(trace.ReqWrite, 0, trace.NoOffset, 8*KiB, s.now, s.now+us).Flags |= trace.ReqMeta
		}
		s.now += 2 * ms
		s.returns()
		p := s.profile()
		said := slices.ContainsFunc(p.Observations, func(o profile.Sentence) bool { return o.Code == "mount_atime" })
		if said != c.alone {
			t.Errorf("%s: said is %v, of %+v", name, said, p.Amounts.Filesystems)
		}
		for i := range p.Amounts.Devices {
			if a := &p.Amounts.Devices[i]; a.Name == "nvme0n1" && a.Write.Of(profile.Metadata) != 4*MiB {
				t.Errorf("%s: %+v", name, a.Write)
			}
		}
	}
}
