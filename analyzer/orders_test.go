package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// readingIn has files of 16 KiB read whole, each from a drive in one request, in an order of their numbers. Of a new
// scene: it is what lies on the drive that the order is held against.
func readingIn(t *testing.T, rotational bool, each int64, order []int) *scene {
	s := newScene(t, "tar")
	hdd := trace.MakeDeviceID(8, 0)
	s.device(trace.Device{ID: hdd, Name: "sda", MaxRequest: MiB, LogicalBlock: 512, QueueDepth: 32,
		Rotational: rotational})
	for _, i := range order {
		f := s.identify(trace.File{Path: fmt.Sprintf("/srv/f%d", i), Device: hdd, Inode: uint64(1000 + i), Size: 16 * KiB,
			FSType: "xfs", Mount: "/srv"})
		s.open(f, trace.FlagRead)
		issued := s.now
		s.read(f, 0, 16*KiB, each)
		r := s.request(trace.ReqRead, f, 0, 16*KiB, issued, issued+each)
		r.Device, r.Sector = hdd, uint64(i)*64
		s.wait(trace.WaitIO, issued, issued+each)
		s.close(f)
	}
	s.returns()
	return s
}

// crossing is an order of numbers below n that leads across all of them again and again.
func crossing(n int) (order []int) {
	for i := range n {
		order = append(order, i*89%n)
	}
	return order
}

// TestScatteredFiles: a drive that turns is told of if files are read in another order than that of their inodes, by
// which they lie; not if it has no heads to move, or if they are read in that order.
func TestScatteredFiles(t *testing.T) {
	s := readingIn(t, true, 6*ms, crossing(300))
	named(t, s, "scattered", "Files were read in an order that leads across sda 124 times, with 6.00 ms for a read")
	if got := advised(s); !strings.HasPrefix(got, "read the files in the order of their inode numbers") {
		t.Error(got)
	}
	named(t, readingIn(t, false, 6*ms, crossing(300)), "")
	named(t, readingIn(t, true, 60*us, crossing(300)), "")
	sorted := crossing(300)
	slices.Sort(sorted)
	named(t, readingIn(t, true, 6*ms, sorted), "")
}

// TestReadByTurns: a mixer reads two recordings that lie one behind the other in a file, some of each by turns; it does
// not jump often if it reads much of each.
func TestReadByTurns(t *testing.T) {
	for piece, code := range map[int64]string{32 * KiB: "by_turns", 2 * MiB: ""} {
		s := newScene(t, "sox")
		const turns = 200
		f := s.file("/srv/tracks.wav", 2*turns*piece)
		s.open(f, trace.FlagRead)
		for i := range int64(turns) {
			for _, at := range []int64{i * piece, (turns + i) * piece} {
				issued := s.now
				s.read(f, at, piece, 5*ms)
				s.request(trace.ReqRead, f, at, piece, issued, issued+5*ms)
				s.wait(trace.WaitIO, issued, issued+5*ms)
			}
		}
		s.returns()
		named(t, s, code, "tracks.wav was read in several places by turns (>99 % of its reads)")
	}
}
