package verdict

import (
	"fmt"
	"path"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// shared gives others on a device their part of the time spent waiting for it; it returns how much that is.
func shared(a *account, d *wording.Disk, ns int64) int64 {
	others, own := foreign(a, d), d.Moved()
	part := min(int64(float64(ns)*float64(others)/float64(max(others+own, 1))), occupiedBy(a, d, others))
	if others <= 0 || part <= 0 {
		return 0
	}
	a.because(besides(a, d, part))
	return part
}

// served divides the time spent waiting for requests of the workload as shared does, but by how long these waited for
// those of others, where the recording shows both.
func served(a *account, d *wording.Disk, ns int64) int64 {
	if _, found := stallsOf(&d.Flow.Latency); found && foreign(a, d) == 0 {
		return 0 // whoever's request was there then waited as well
	}
	if d.Foreign.Count == 0 {
		return shared(a, d, ns)
	}
	behind := inLine(a, d)
	part := int64(behind * float64(ns))
	if part <= 0 {
		return 0
	}
	r := besides(a, d, part)
	a.figure("behind_others_share", behind)
	r.Text += fmt.Sprintf("; requests of its own waited behind %s of theirs, for %s of their time",
		unit.Significant(d.Foreign.MeanBusy, 2), unit.Share(behind))
	r.Evidence = append(r.Evidence, at(shareOf(d, "mean_busy"), d.Foreign.MeanBusy))
	a.because(r)
	return part
}

// besides is the cause that is others on a device, who took so much of the time.
func besides(a *account, d *wording.Disk, ns int64) profile.Reason {
	others, own := profile.ByOthers(a.p.Devices, d.Device), d.Moved()
	a.figure("others_bytes", float64(others))
	a.figure("own_bytes", float64(own))
	r := profile.Reason{
		Code: cause.OtherUsers, Name: usersOf(d), TimeNS: ns, Certainty: cause.Likely,
		Text: fmt.Sprintf("others used %s at the same time: %s%s, beside %s of its own", d.Name, unit.Bytes(others),
			outsiders(d), unit.Bytes(own)),
		Evidence: []profile.Evidence{at(shareOf(d, "read_bytes"), float64(d.Foreign.Read)), at(shareOf(d, "write_bytes"),
			float64(d.Foreign.Write))},
		Remedy: "run it while nothing else uses " + d.Name, Experiment: "iotrace record --all --duration 10s",
	}
	lastInLine(d, &r)
	initialised(d, &r)
	return r
}

// inLine is the part of the time of a device's requests in which it served those of others first; 0 if it is not worth
// naming.
func inLine(a *account, d *wording.Disk) float64 {
	behind, moved := d.Foreign.ReadBehind, d.Foreign.Read+d.Foreign.Write
	if d.Verb == "wrote" {
		behind = d.Foreign.WriteBehind
	}
	if behind <= 0 || moved <= 0 || d.Flow.Latency.Sum <= 0 {
		return 0
	}
	theirs := float64(max(profile.ByOthers(a.p.Devices, d.Device), 0)) / float64(moved)
	share := theirs * float64(behind) / float64(d.Flow.Latency.Sum)
	if share < notablePart {
		return 0
	}
	return share
}

// occupiedBy is for how long others may have had the device: as long as it takes for so many bytes at the speed at
// which it served the workload, but no longer than it had requests of theirs, and than it was busy at all, less what
// they have been charged with already.
func occupiedBy(a *account, d *wording.Disk, others int64) int64 {
	ns, busy := d.Lasting(others), d.Whole(a.p).BusyNS
	if theirs := d.Foreign.BusyNS; theirs > 0 && (busy == 0 || theirs < busy) {
		busy = theirs
	}
	if busy == 0 {
		return ns
	}
	if r := a.reason(cause.OtherUsers, usersOf(d)); r != nil {
		busy -= r.TimeNS
	}
	return min(ns, max(busy, 0))
}

// usersOf is how the cause is called that is others on a device.
func usersOf(d *wording.Disk) string { return "others on " + d.Name }

func shareOf(d *wording.Disk, name string) string {
	return path.Dir(d.Pointer) + "/foreign/" + name
}

// notable is what others have to move on a device to be named: so many bytes, and a
// part of what the workload moved. A file system's journal, which has no owner, is less.
const (
	notableBytes = 8 << 20
	notablePart  = third
)

// foreign is what others moved on a device, if it is worth naming.
func foreign(a *account, d *wording.Disk) int64 {
	n := profile.ByOthers(a.p.Devices, d.Device)
	if n < notableBytes || float64(n) < notablePart*float64(d.Moved()) {
		return 0
	}
	return n
}

// outsiders names who was not recorded and moved most on a device, by their own requests. What workers of the kernel
// write back for others does not say for whom, and may be older than the recording.
func outsiders(d *wording.Disk) string {
	if len(d.Foreign.Users) == 0 {
		return " (kernel threads)"
	}
	var names []string
	for _, u := range d.Foreign.Users {
		names = append(names, u.Command)
	}
	return " (" + unit.List(names) + ")"
}

// rivals says which processes of the workload itself shared a device, if none of them had
// most of it.
func rivals(a *account) string {
	var all int64
	of := func(p *profile.Process) int64 { return p.DevRead + p.DevWrite }
	for i := range a.p.Processes {
		all += of(&a.p.Processes[i])
	}
	var names []string
	var shares []float64
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; float64(of(p)) > fifth*float64(all) {
			shares = append(shares, float64(of(p))/float64(all))
			names = append(names, fmt.Sprintf("%s (%d) %s", p.Command, p.PID, unit.Share(shares[len(shares)-1])))
		}
	}
	if len(names) < 2 {
		return ""
	}
	for i, share := range shares {
		a.figure(fmt.Sprintf("process_%d_share", i+1), share)
	}
	return "; shared by " + strings.Join(names, ", ")
}

// below is the device that a file system is on.
func below(a *account, f *profile.File) *wording.Disk {
	for i := range a.p.Devices {
		if f != nil && a.p.Devices[i].ID == f.Device {
			return wording.DiskOf(a.p, i, true)
		}
	}
	return nil
}
