package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// sent has a file be sent to a drive in requests of so many bytes, one after another, as far behind its blocks as is
// said. It may take larger requests, most of a size.
func sent(t *testing.T, op trace.ReqOp, each, behind, limit, most int64) *scene {
	s := newScene(t, "send")
	drive := s.events[0].event.(*trace.Device)
	drive.MaxRequest, drive.HardwareRequest = limit, most
	f := s.file("/data/film", 64*each)
	for i := range int64(64) {
		call := s.write
		if op == trace.ReqRead {
			call = s.read
		}
		start := s.now
		s.wait(trace.WaitIO, start+us, start+4*ms)
		r := s.request(op, f, i*each, each, start+us, start+4*ms)
		r.Sector += uint64(behind >> 9)
		call(f, i*each, each, 5*ms)
	}
	s.returns()
	return s
}

// TestCutSmall: requests that are as large as their queue lets them be are told where it has been told to let through
// less than the drive takes.
func TestCutSmall(t *testing.T) {
	const kib = 1 << 10
	named(t, sent(t, trace.ReqWrite, 128*kib, 0, 128*kib, 512*kib), "cut_small",
		"Requests to nvme0n1 are cut at 128 KiB, 64 requests; it takes such of 512 KiB")
	named(t, sent(t, trace.ReqRead, 64*kib, 0, 64*kib, 32<<20), "cut_small", "are cut at 64 KiB")
	named(t, sent(t, trace.ReqWrite, 64*kib, 0, 128*kib, 512*kib), "")
	named(t, sent(t, trace.ReqWrite, 128*kib, 0, 128*kib, 128*kib), "")
	named(t, sent(t, trace.ReqWrite, 1280*kib, 0, 1280*kib, 32<<20), "") // as large as the kernel makes them
	named(t, sent(t, trace.ReqWrite, 128*kib, 0, 128*kib, 0), "")        // not recorded
}

// TestShifted: a file system that lies across the blocks of its drive is told, not one whose requests are smaller, nor
// who reads only.
func TestShifted(t *testing.T) {
	for behind, text := range map[int64]string{3584: "3.58 kB", 512: "512 B"} {
		named(t, sent(t, trace.ReqWrite, 16*KiB, behind, MiB, 0), "shifted",
			"Requests to nvme0n1 begin "+text+" behind a multiple of 4 KiB")
	}
	named(t, sent(t, trace.ReqWrite, 16*KiB, 0, MiB, 0), "")
	named(t, sent(t, trace.ReqWrite, 16*KiB, 4096, MiB, 0), "")
	named(t, sent(t, trace.ReqWrite, 1*KiB, 512, MiB, 0), "")
	smaller := sent(t, trace.ReqWrite, 16*KiB, 1024, MiB, 0) // blocks of 1 KiB, of which most happen to lie so
	smaller.request(trace.ReqWrite, 0, 0, 3*KiB, smaller.now, smaller.now+ms)
	smaller.end.Duration += ms
	named(t, smaller, "")
	named(t, sent(t, trace.ReqRead, 16*KiB, 512, MiB, 0), "")
}
