package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// readWriteCopy is a loop of 1 MiB reads and writes with known times: the
// source comes from the device, the destination is written back afterwards.
func readWriteCopy(t testing.TB, blocks int64) *scene {
	s := newScene(t, "cp", "/src/a", "/dst/b")
	a := s.file("/src/a", blocks*MiB)
	s.open(a, trace.FlagRead)
	b := s.create("/dst/b")
	for i := range blocks {
		s.request(trace.ReqRead, a, i*MiB, MiB, s.now+10*us, s.now+310*us)
		s.wait(trace.WaitIO, s.now+12*us, s.now+315*us)
		s.read(a, i*MiB, MiB, 400*us)
		s.think(5 * us)
		s.write(b, i*MiB, MiB, 150*us)
		s.think(5 * us)
	}
	s.read(a, blocks*MiB, 0, us)
	s.close(a)
	s.close(b)
	s.returns()
	end := s.now
	for i := range blocks {
		end = s.now + 250*us*(i+1)
		s.request(trace.ReqWrite, b, i*MiB, MiB, end-250*us, end).Flags = trace.ReqBackground
	}
	s.durable(end)
	return s
}

func TestSummaryOfACopy(t *testing.T) {
	const n = 64
	s := readWriteCopy(t, n)
	p := s.profile()
	if got, want := p.WallNS, s.end.CommandEnd-ms; got != want {
		t.Errorf("wall time %d, want %d", got, want)
	}
	if got, want := p.DurableNS, s.end.Durable-ms; got != want {
		t.Errorf("durable after %d, want %d", got, want)
	}
	if p.ExitStatus != 0 || len(p.Warnings) != 0 {
		t.Errorf("exit status %d, warnings %v", p.ExitStatus, p.Warnings)
	}
	calls := p.Layers[0]
	if calls.Read.Bytes != n*MiB || calls.Write.Bytes != n*MiB || calls.Read.Count != n+1 {
		t.Errorf("calls: read %+v, write %+v", calls.Read, calls.Write)
	}
	if len(p.Layers) != 2 || p.Layers[1].Name != "disk" || p.Layers[1].Read.Bytes != n*MiB ||
		p.Layers[1].Write.Bytes != n*MiB {
		t.Errorf("layers: %+v", p.Layers)
	}
	d := p.Devices[0]
	if d.Name != "nvme0n1" || d.Read.Count != n || d.Read.Latency.P50 < 295*us || d.Read.Latency.P50 > 305*us ||
		d.Depth.Max != 1 {
		t.Errorf("device: %+v", d)
	}
	if d.Read.Depth.BusyNS != n*300*us || d.Read.Depth.MeanBusy != 1 {
		t.Errorf("depth of reads: %+v", d.Read.Depth)
	}
	if p.Files[0].Path != "/src/a" || p.Files[0].Cache.State != "cold" || p.Files[0].DeviceRead.Bytes != n*MiB {
		t.Errorf("first file: %+v", p.Files[0])
	}
	if p.Files[1].Path != "/dst/b" || !p.Files[1].Created || p.Files[1].DeviceWrite.Bytes != n*MiB {
		t.Errorf("second file: %+v", p.Files[1])
	}
	stack := labels(p)
	if stack["device_read"] != n*300*us || stack["draining"] != n*250*us || stack["ready"] != n*5*us {
		t.Errorf("time stack: %v", stack)
	}
}

func labels(p *profile.Profile) map[string]int64 {
	m := map[string]int64{}
	for _, s := range p.TimeStack.Slices {
		m[s.Label] = s.NS
	}
	return m
}
