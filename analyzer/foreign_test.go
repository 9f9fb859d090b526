package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Requests of others at a device are counted for as long as there were any, those at once only once, and apart from
// the workload's.
func TestForeignBusy(t *testing.T) {
	s := newScene(t, "reader")
	a := s.file("/srv/a", 2*MiB)
	for _, at := range [][2]int64{{1 * ms, 11 * ms}, {6 * ms, 16 * ms}, {30 * ms, 40 * ms}} {
		r := s.request(trace.ReqWrite, 0, 0, MiB, at[0], at[1])
		r.Flags |= trace.ReqForeign
	}
	s.request(trace.ReqRead, a, 0, MiB, 45*ms, 50*ms)
	s.now = 50 * ms
	s.read(a, 0, MiB, ms)
	s.returns()
	p := s.profile()
	for i := range p.Devices {
		if d := &p.Devices[i]; d.Foreign.Count == 3 {
			if d.Foreign.BusyNS != 25*ms {
				t.Errorf("others had requests for %d ns", d.Foreign.BusyNS)
			}
			return
		}
	}
	t.Errorf("no requests of others: %+v", p.Devices)
}

// A request of a journal that holds what others changed too is divided: the parts add up, and each is counted once.
func TestJournalOfSeveral(t *testing.T) {
	s := newScene(t, "writer")
	r := s.request(trace.ReqWrite, 0, 0, 64<<10, ms, 2*ms)
	r.Flags |= trace.ReqMeta
	r.Others = 48 << 10
	s.now = 5 * ms
	s.returns()
	p := s.profile()
	d, a := &p.Devices[0], &p.Amounts.Devices[0].Write
	if d.Write.Bytes != 16<<10 || d.Foreign.Write != 48<<10 {
		t.Errorf("%d bytes are the program's, %d are others'", d.Write.Bytes, d.Foreign.Write)
	}
	if a.Device != 64<<10 || a.Of(profile.Metadata) != 16<<10 || a.Of(profile.ByOther) != 48<<10 {
		t.Errorf("amounts %+v", a)
	}
}

// TestSharedMetadata: what a file system writes of its own with changes of the workload and of others is divided by an
// estimate. So is all of it on btrfs, where a block is that of who took room for it, if it has some of both.
func TestSharedMetadata(t *testing.T) {
	for name, c := range map[string]struct {
		fsType      string
		own, others []int64 // of requests
		want        int64
	}{
		"one commit of both": {"ext4", []int64{16 << 10}, []int64{48 << 10}, 64 << 10},
		"commits of each":    {"ext4", []int64{16 << 10, 0}, []int64{0, 48 << 10}, 0},
		"one of two":         {"xfs", []int64{16 << 10, 8 << 10}, []int64{0, 4 << 10}, 12 << 10},
		"trees of both":      {"btrfs", []int64{16 << 10, 0}, []int64{0, 48 << 10}, 64 << 10},
		"own trees":          {"btrfs", []int64{16 << 10}, []int64{0}, 0},
		"others' trees":      {"btrfs", []int64{0}, []int64{16 << 10}, 0},
	} {
		s := newScene(t, "writer")
		s.end.Mounts = []trace.Mount{{Device: 40, Disk: nvme, Point: "/", FSType: c.fsType}}
		for i, own := range c.own {
			r := s.request(trace.ReqWrite, 0, 0, own+c.others[i], ms, 2*ms)
			if r.Flags |= trace.ReqMeta; own > 0 {
				r.Others = c.others[i]
			} else {
				r.Flags |= trace.ReqForeign
				r.Owner = 0
			}
		}
		s.now = 5 * ms
		s.returns()
		a := s.profile().Amounts.Devices
		if len(a) != 1 || a[0].Write.Shared != c.want || a[0].Read.Shared != 0 {
			t.Errorf("%s: %+v, want %d bytes that are shared", name, a, c.want)
		}
	}
}
