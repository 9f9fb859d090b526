package answer

import (
	"fmt"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// together is what to do in place of jumps from one place of a file to another.
const together = "bring together what is read together (a remux, a repack), or read more at each place"

// jumpBytes is how much is read at a place at most, that the jumps to the next matter.
const jumpBytes = 1 << 20

const (
	// fewestSwitches is how many files are read one after the other, that their order matters.
	fewestSwitches = 100
	// manySweeps is how often their order has to lead across all that is read of the drive.
	manySweeps = 10
	// seek is from how much time for a read on a drive that calls itself a turning one may be one: others do so, too.
	seek = int64(time.Millisecond)
	// follows is the part of the files at least that lie on the drive as their inode numbers say.
	follows = 0.8
)

// scattered is for files that are read in another order than they lie in, from a drive that turns.
func scattered(o *observer) {
	for i := range o.p.Orders {
		r := &o.p.Orders[i]
		if r.Files < fewestSwitches || 2*r.Files < r.Reads || r.Sweeps < manySweeps || !seeks(o.p, r) {
			continue
		}
		instead := "read the files in the order in which they lie (FIEMAP)"
		if float64(r.ByInode) >= follows*float64(r.Files) {
			if float64(r.Rising) >= follows*float64(r.Files) {
				continue // so they are
			}
			instead = "read the files in the order of their inode numbers (ls -i)"
		}
		at := fmt.Sprintf("/orders/%d", i)
		o.say("scattered", at, fmt.Sprintf("Files were read in an order that leads across %s %s, with %s for a read; "+
			"%s.", r.Device, unit.Things(r.Sweeps, "time"), unit.Nanoseconds(r.EachNS), instead),
			number(at+"/sweeps", float64(r.Sweeps)), number(at+"/each_ns", float64(r.EachNS)),
			number(at+"/files", float64(r.Files)))
		o.instead(instead)
		return
	}
}

// seeks reports whether a drive turns, and takes as long for a read as it takes to move its heads.
func seeks(p *profile.Profile, r *profile.Order) bool {
	return r.EachNS >= seek && slices.ContainsFunc(p.Devices, func(d profile.Device) bool {
		return d.Name == r.Device && d.Rotational
	})
}

// byTurns is for a file that one thread reads in a few places by turns, as where sound and picture do not lie together.
func byTurns(o *observer) {
	all := int64(0)
	for i := range o.p.Devices {
		if d := &o.p.Devices[i]; len(d.Parents) == 0 && d.Read != nil {
			all += d.Read.Bytes
		}
	}
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.ReadPattern == nil || f.DeviceRead == nil || f.DeviceRead.Count < fewestSwitches ||
			2*f.DeviceRead.Bytes <= all || o.p.Pattern.CallDepth.MeanBusy >= wording.Queued {
			continue
		}
		jumps := int64(f.ReadPattern.Turns * float64(f.ReadPattern.Accesses))
		if f.ReadPattern.Turns < 0.5 || f.Read.Bytes >= jumps*jumpBytes {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("by_turns", at, fmt.Sprintf("%s was read in several places by turns (%s of its reads); %s.", named(f.Path),
			unit.Share(f.ReadPattern.Turns), together), number(at+"/read_pattern/turns_share", f.ReadPattern.Turns),
			number(at+"/read/count", float64(f.Read.Count)))
		o.instead(together)
		return
	}
}
