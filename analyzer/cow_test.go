package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// pages has a database write 64 pages here and there in a file and sync each, on a file system that writes its own
// blocks as well; place is where each page goes on the device.
func pages(t *testing.T, fsType string, place func(page int64) int64) *scene {
	s := newScene(t, "postgres")
	disk := trace.MakeDeviceID(8, 0)
	s.device(trace.Device{ID: disk, Name: "sda", MaxRequest: MiB, LogicalBlock: 512, QueueDepth: 32})
	s.end.Mounts = []trace.Mount{{Device: disk, Disk: disk, Point: "/srv", FSType: fsType, Options: "rw"}}
	f := s.identify(trace.File{Path: "/srv/base", Device: disk, Inode: 300, Size: 64 * MiB, FSType: fsType, Mount: "/srv"})
	s.open(f, trace.FlagWrite)
	for i := range int64(64) {
		page := i * 89 % 1000
		s.write(f, page*8*KiB, 8*KiB, 5*us)
		data := s.request(trace.ReqWrite, f, page*8*KiB, 8*KiB, s.now, s.now+2*ms)
		data.Device, data.Sector = disk, uint64(place(page))/512
		trees := s.request(trace.ReqWrite, 0, trace.NoOffset, 64*KiB, s.now+2*ms, s.now+4*ms)
		trees.Device, trees.Sector, trees.Evidence = disk, 1<<30, trace.EvidenceNone
		s.call(trace.Syscall{Op: trace.OpDataSync, File: f, Offset: trace.NoOffset}, 5*ms)
	}
	s.returns()
	return s
}

// TestCopiedOnWrite: btrfs that writes pages one behind the other which lie here and there in the file copies on write.
// Where each is written in its place it does not (chattr +C), and another file system may do as it likes.
func TestCopiedOnWrite(t *testing.T) {
	var free int64
	behind := func(int64) int64 { free += 8 * KiB; return free }
	within := func(page int64) int64 { return page * 8 * KiB }
	const want = "btrfs wrote each piece of base to a new place, with 4.19 MB of its trees for 524 kB"
	if text := kindsOf(t, pages(t, "btrfs", behind))["copied_on_write"]; !strings.HasPrefix(text, want) {
		t.Error(text)
	}
	for name, s := range map[string]*scene{"btrfs": pages(t, "btrfs", within), "xfs": pages(t, "xfs", behind)} {
		if text := kindsOf(t, s)["copied_on_write"]; text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
}
