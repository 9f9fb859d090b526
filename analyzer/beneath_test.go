package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestSourceBeneath copies from a disk to a file system in an image on the same
// disk: what was read of the source belongs to the workload, what was written to
// the image is what the loop device wrote, once more.
func TestSourceBeneath(t *testing.T) {
	s := newScene(t, "cp")
	loop := trace.MakeDeviceID(7, 0)
	s.device(trace.Device{ID: loop, Name: "loop0", Backing: "/images/i", Parents: []trace.DeviceID{nvme}})
	a := s.file("/d/a", 64*MiB)
	image := s.file("/images/i", 256*MiB)
	b := s.identify(trace.File{Path: "/mnt/b", Device: loop, Inode: 12, Size: 0, FSType: "ext4", Mount: "/mnt"})
	for at := int64(0); at < 64*MiB; at += MiB {
		s.request(trace.ReqRead, a, at, MiB, s.now, s.now+ms)
		s.read(a, at, MiB, 2*ms)
		s.write(b, at, MiB, ms)
		s.request(trace.ReqWrite, b, at, MiB, s.now, s.now+3*ms).Device = loop
		s.request(trace.ReqWrite, image, at, MiB, s.now+ms, s.now+2*ms)
	}
	s.returns()
	p := s.profile()
	if len(p.Layers) != 3 {
		t.Fatalf("%d layers, want calls, loop and disk", len(p.Layers))
	}
	top, disk := p.Layers[1], p.Layers[2]
	if top.Name != "loop" || top.DirectRead != 0 || top.DirectWrite != 0 || disk.DirectRead != 64*MiB ||
		disk.DirectWrite != 0 {
		t.Errorf("%s: %d and %d bytes of files on it, %s: %d and %d", top.Name, top.DirectRead, top.DirectWrite, disk.Name,
			disk.DirectRead, disk.DirectWrite)
	}
	if p.Pattern.DeviceMix != .5 || p.Processes[0].DevRead != 64*MiB || p.Processes[0].DevWrite != 64*MiB {
		t.Errorf("of what devices moved %v was read; the process: %d and %d bytes", p.Pattern.DeviceMix,
			p.Processes[0].DevRead, p.Processes[0].DevWrite)
	}
	for _, d := range p.Devices {
		if want := map[string]int64{"nvme0n1": 64 * MiB}[d.Name]; d.DirectRead != want || d.DirectWrite != 0 {
			t.Errorf("%s: %d bytes read and %d written of files on it beneath another device, want %d and 0",
				d.Name, d.DirectRead, d.DirectWrite, want)
		}
	}
}
