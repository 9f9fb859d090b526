package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict/disk"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// also is the share from which on a cause that is not the first is told.
const also = 0.1

// HelpBegins begins the line that says what would help.
const HelpBegins = "What would help: "

// tell puts the verdict into words: the cause, what else took time, when the data was safe, what
// the drives did, and what would help.
func tell(a *account, causes []profile.Reason) []string {
	list := []string{}
	if len(causes) == 0 {
		return append(list, "The recording does not tell what limited it.")
	}
	first := &causes[0]
	list = append(list, opening(a, first))
	list = append(list, operations(a.p.Operations)...)
	list = append(list, parts(a, causes))
	list = append(list, safe(a))
	if drives := drives(a); drives != "" {
		list = append(list, drives)
	}
	if cloned(a) != "" {
		return list
	}
	if first.Remedy != "" {
		list = append(list, HelpBegins+first.Remedy+".")
	}
	if first.Certainty != Proved && first.Experiment != "" {
		list = append(list, findOut+first.Experiment)
	}
	return list
}

// untold is what can be said where it is not known how long calls and requests took.
func untold(a *account) []string {
	list := []string{"The recording does not tell how long calls and requests took, and so not what limited it."}
	if a.sees(trace.LimitNoTimes) {
		list = append(list, safe(a))
	}
	if drives := drives(a); drives != "" {
		list = append(list, drives)
	}
	if experiment := recording(a); experiment != "" {
		list = append(list, findOut+experiment)
	}
	return list
}

// findOut begins the line that says how to know more.
const findOut = "To find out more: "

// opening names the first cause, unless nothing was copied that could have been slow.
func opening(a *account, first *profile.Reason) string {
	if cloned := cloned(a); cloned != "" {
		return cloned
	}
	return fmt.Sprintf("%s: %s.", titles[first.Code], first.Text)
}

// cloned says that copies moved no data, if that is so of all of them, and nothing else was written: a program that
// renames what it has written copied nothing either, and yet the time went somewhere.
func cloned(a *account) string {
	var linked int64
	for _, c := range a.p.Copies {
		linked += c.Bytes
		switch c.Method {
		case "reflink", "clonefile", "rename", "hardlink":
		default:
			return ""
		}
	}
	if len(a.p.Copies) == 0 || a.p.Omitted.Copies > 0 || writtenByCalls(a.p)*smallWrites > linked {
		return ""
	}
	return fmt.Sprintf("No data was copied (%s): that says nothing about the speed of a drive.", a.p.Copies[0].Method)
}

// smallWrites is how many times as much has to be cloned as was written besides.
const smallWrites = 10

// writtenByCalls is what calls wrote, clones and copies within the kernel left out.
func writtenByCalls(p *profile.Profile) (bytes int64) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op == trace.OpWrite.String() {
			bytes += c.Bytes
		}
	}
	return bytes
}

// titles open the verdict.
var titles = map[string]string{
	SlowingDown: "The drive became slower", Fragmentation: "The drive limited it: a file in many pieces",
	Readahead: "Waiting for the drive limited it", MemoryPressure: "Memory is short",
	Compression: "Compression limited it", CopyUp: "A copy that the file system made limited it",
	DeviceBandwidth: "The drive limited it", DeviceLatency: "Waiting for the drive limited it",
	MappedReads: "Waiting for the drive limited it", LimitAbove: "A limit above the drive held it back",
	OtherUsers: "Others on the drive held it back", Sync: "Waiting until data was safe limited it",
	DirtyLimit: "The drive could not take what was written", PageCache: "Memory limited it, not the drive",
	Names: "Files and names limited it, not their data", OwnCPU: "The program itself limited it, not the drive",
	WakeUp:        "Waking up after each wait limited it",
	CPUContention: "It did not get the processors", UserSpaceFS: "The file system's process limited it",
	CPUQuota: "A quota of processor time held it back", StolenCPU: "The host of this machine held it back",
	NetworkFS: "The file server limited it", OtherEnd: "Another program held it back", BlockedInCall: "It had to wait",
	ThinkTime: "It paused", OutsideOfCalls: "The recording does not tell", ProgramStart: "Starting the program limited it",
	Settling: "Making its data safe took longest", SmallCalls: "Small calls limited it, not the drive",
	Discards: "Telling the drive what is free limited it",
}

// parts says how the time divides among the causes.
func parts(a *account, causes []profile.Reason) string {
	var list []string
	for i, r := range causes {
		if i == 0 || r.Share >= also {
			list = append(list, fmt.Sprintf("%s %s", wording.Share(r.Share), r.Name))
		}
	}
	of := wording.Duration(a.total)
	if o := a.p.Operations; o != nil && o.TotalNS > 0 {
		of += " in operations"
	}
	return fmt.Sprintf("Of %s: %s.", of, strings.Join(list, ", "))
}

// safe says how it ended, and when its data was safe.
func safe(a *account) string {
	p, wrote := a.p, a.written()
	text := ended(a) + " " + wording.Duration(p.WallNS)
	switch {
	case wrote == 0 || len(p.Command) == 0 && !severalRan(p) || p.Trace.Reason == "interrupted":
		return text + "."
	case InMemory(p):
		return fmt.Sprintf("%s; the %s it wrote are in memory only.", text, unit.Bytes(wrote))
	case p.DurableNS < 0:
		return fmt.Sprintf("%s; it was not seen when the %s it wrote were safe.", text, unit.Bytes(wrote))
	case p.DurableNS > p.WallNS+p.WallNS/20:
		return fmt.Sprintf("%s, but the %s it wrote were safe only after %s (%s).", text, unit.Bytes(wrote),
			wording.Duration(p.DurableNS), unit.RateOver(wrote, time.Duration(p.DurableNS)))
	}
	return fmt.Sprintf("%s, with the %s it wrote safe (%s).", text, unit.Bytes(wrote),
		unit.RateOver(wrote, time.Duration(p.DurableNS)))
}

func ended(a *account) string {
	switch status := a.p.ExitStatus; {
	case a.p.Trace.Reason == "interrupted":
		return "The recording was interrupted; it holds"
	case len(a.p.Command) == 0 && severalRan(a.p):
		return "The last command returned after"
	case len(a.p.Command) == 0 && !a.sees(trace.LimitNoTimes):
		return "One after the other, its calls and requests took"
	case len(a.p.Command) == 0:
		return "It was watched for"
	case status < 0 && (a.p.Trace.Reason == "duration" || a.p.Trace.Reason == "signal"):
		return "The command still ran when the recording ended, after"
	case a.p.Signal() > 0:
		return fmt.Sprintf("The command was ended by signal %d after", a.p.Signal())
	case status > 0:
		return fmt.Sprintf("The command failed with exit status %d%s after", status, refused(a))
	}
	return "The command returned after"
}

// severalRan reports whether the hosts of a merged trace ran commands: the workload begins with the first of them then.
func severalRan(p *profile.Profile) bool { return p.Trace.Scope == trace.ScopeMerge && p.StartNS > 0 }

// drives says what the devices did for it.
func drives(a *account) string {
	var list []string
	for _, write := range []bool{false, true} {
		d := disk.Busiest(a.p, write)
		if d == nil || d.Flow.Bytes < 1<<20 {
			continue
		}
		text := fmt.Sprintf("%s %s %s in requests of %s", d.Name, d.Verb, unit.Bytes(d.Flow.Bytes),
			wording.Sizes(&d.Flow.Size))
		if a.p.Trace.TellsDepth(d.Flow.Depth.BusyNS > 0) {
			text += fmt.Sprintf(", busy %s of the time, %s in flight",
				wording.Share(float64(d.Flow.Depth.BusyNS)/float64(max(a.watched, 1))),
				unit.Significant(max(d.Flow.Depth.MeanBusy, 1), 2))
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return counted(a)
	}
	return strings.Join(list, "; ") + "."
}

// counted is what the kernel's counters say of drives whose requests were not recorded.
func counted(a *account) string {
	if slices.ContainsFunc(a.p.Layers, func(l profile.Layer) bool { return l.Level > 0 }) {
		return ""
	}
	var list []string
	for _, d := range a.p.Trace.Drives {
		if d.ReadBytes+d.WrittenBytes >= 1<<20 && len(list) < 2 {
			list = append(list, fmt.Sprintf("%s read %s and wrote %s, busy for %s", d.Name, unit.Bytes(d.ReadBytes),
				unit.Bytes(d.WrittenBytes), wording.Duration(d.BusyNS)))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("Meanwhile %s, for whoever asked: so the kernel counted, single requests were not recorded.%s",
		strings.Join(list, "; "), charged(a.p.Trace.Charged))
}
