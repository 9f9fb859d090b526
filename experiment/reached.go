package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// reached is how much of what runs moved past the page cache a device has seen.
type reached struct {
	moved, device int64 // bytes
	known         bool
}

func (d *reached) add(read, write bool, bytes int64, use *baseline.DeviceUse) {
	if use == nil {
		return
	}
	d.known = true
	for _, way := range []struct {
		moved  bool
		device int64
	}{{read, use.ReadBytes}, {write, use.WriteBytes}} {
		if way.moved {
			d.moved, d.device = d.moved+bytes, d.device+way.device
		}
	}
}

// compressing are the file systems that can store less than they are given.
var compressing = []string{"btrfs", "bcachefs", "f2fs", "zfs", "ntfs3"}

// missed is why runs past the page cache measure no device at a place, and what to do; "" if they do, or nothing tells.
func (d *reached) missed(place baseline.Place) string {
	const buffered = "or compare with a benchmark that goes through the page cache, such as dd/zero-buffered"
	switch fs := place.FSType; {
	case trace.InMemory(fs):
		return fmt.Sprintf("%s is in memory (%s): no device is behind it (give --dir on the disk of the recording, %s)",
			place.Path, fs, buffered)
	case strings.HasPrefix(fs, "fuse") && place.Device == "":
		return fmt.Sprintf("%s is on %s: the program that serves it may answer from memory, and no device is known below it "+
			"(give as --dir a directory on the disk from which it serves, %s)", place.Path, fs, buffered)
	case !d.known || float64(d.device) >= baseline.LeastReached*float64(d.moved):
		return ""
	case slices.Contains(compressing, fs):
		return fmt.Sprintf("of %s moved past the page cache in %s, %s came to %s, and %s can compress what it is given "+
			"(compare with a benchmark whose data does not compress, such as cdm/seq1m-q8t1/write, or give as --dir a "+
			"directory without compression)", unit.Bytes(d.moved), place.Path, unit.Bytes(d.device), place.Device, fs)
	}
	return fmt.Sprintf("of %s moved past the page cache in %s, %s came to %s: this is the speed of memory (give --dir on "+
		"the disk of the recording, %s)", unit.Bytes(d.moved), place.Path, unit.Bytes(d.device), place.Device, buffered)
}
