package verdict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// queued is the mean number of requests in flight from which on the device always has
// the next one waiting: its speed is the limit, not the time of a single request.
const queued = 1.5

// smallRequest is the size below which a request costs the device its latency rather
// than the transfer of its bytes.
const smallRequest = 64 << 10

// disk is the device that did most of the work in one direction: one that the files
// lie on, not what lies beneath.
type disk struct {
	*profile.Device
	flow    *profile.Flow
	own     float64 // of its busy time, what it spent on files that lie on it directly
	verb    string  // "read", "wrote"
	pointer string
}

// busiest finds it; nil if no request of the workload was recorded.
func busiest(a *account, write bool) *disk {
	var best *disk
	for i := range a.p.Devices {
		d := &disk{Device: &a.p.Devices[i], verb: "read", pointer: fmt.Sprintf("/devices/%d/read", i)}
		direct := d.DirectRead
		if d.flow = d.Read; write {
			d.flow, d.verb, d.pointer, direct = d.Write, "wrote", fmt.Sprintf("/devices/%d/write", i), d.DirectWrite
		}
		if d.flow == nil {
			continue
		}
		if d.own = float64(d.flow.Depth.BusyNS); d.Level > 1 { // the rest it did for the device above it
			d.own *= float64(direct) / float64(max(d.flow.Bytes, 1))
		}
		if (d.Level == 1 || d.own > 0) && (best == nil || d.own > best.own) {
			best = d
		}
	}
	return best
}

// waiting is for the time in which the workload waited for requests at a device.
func waiting(a *account) {
	mapped(a)
	waited(a, busiest(a, false), a.take(onReads))
	writer, writing := busiest(a, true), a.take(onWrites, onFlush)
	drained := a.take(after)
	if writer != nil {
		own := min(drained, busyAfter(a, writer))
		writing += own
		drained -= own
	}
	waited(a, writer, writing)
	if writer != nil && heldBack(a, writer, drained) {
		a.spent[onNothing] += drained
		return
	}
	a.because(profile.Reason{
		Code: Settling, Name: "settling", TimeNS: drained, Certainty: Fits, Evidence: []profile.Evidence{a.sliceAt("draining")},
		Text: "after the last write: the file system's journal and the drive's cache, until all was safe",
	})
}

// What it takes to say that data was held back on its way to the device: so long, and
// so many requests.
const (
	noticeable = 100_000_000 // ns
	many       = 16
)

// heldBack reports whether writes came to an idle device, bit by bit, for most of the time
// after the command: something let them through no faster. What only waits for the
// journal or the drive's cache has no more requests to come.
func heldBack(a *account, d *disk, drained int64) bool {
	coming := d.flow.LastNS - (a.p.StartNS + a.p.WallNS)
	return drained > noticeable && d.flow.Count >= many && coming*3 > drained*2 && busyAfter(a, d)*3 < drained
}

// busyAfter is how long a device was busy with the workload's writes after the command
// had returned: what it was busy in all, less what it was until then.
func busyAfter(a *account, d *disk) int64 {
	busy := d.flow.Depth.BusyNS
	for _, s := range a.p.TimeStack.Slices {
		if s.Label == "device_write" || s.Label == "device_both" {
			busy -= s.NS
		}
	}
	return max(busy, 0)
}

// waited divides the time spent waiting for a device between it and its other users.
func waited(a *account, d *disk, ns int64) {
	if d == nil {
		a.because(
			profile.Reason{
				Code:      DeviceLatency,
				Name:      "waiting for the drive",
				TimeNS:    ns,
				Certainty: Fits,
				Text:      "waiting for a drive whose requests are not recorded",
				Evidence:  []profile.Evidence{a.thread("waiting_io")},
			},
		)
		return
	}
	if others := foreign(a, d); others > 0 {
		own := d.Moved()
		part := min(int64(float64(ns)*float64(others)/float64(others+own)), d.lasting(others))
		ns -= part
		a.because(profile.Reason{
			Code: OtherUsers, Name: "others on " + d.Name, TimeNS: part, Certainty: Fits, Evidence: []profile.Evidence{at(d.share("read_bytes"), float64(d.Foreign.Read)), at(d.share("write_bytes"), float64(d.Foreign.Write))},
			Text: fmt.Sprintf(
				"others used %s at the same time: %s, beside %s of its own",
				d.Name,
				unit.Bytes(others),
				unit.Bytes(own),
			),
			Remedy: "run it while nothing else uses " + d.Name, Experiment: "iotrace record --all --duration 10s",
		})
	}
	r := profile.Reason{
		Name:      d.Name + map[string]string{"read": " reading", "wrote": " writing"}[d.verb],
		TimeNS:    ns,
		Certainty: Proved,
		Evidence: []profile.Evidence{
			at(d.pointer+"/bytes", float64(d.flow.Bytes)),
			at(d.pointer+"/depth/mean_busy", d.flow.Depth.MeanBusy),
			at(d.pointer+"/latency_ns/p50", float64(d.flow.Latency.P50)),
		},
	}
	if d.flow.Depth.MeanBusy >= queued {
		r.Code, r.Text, r.Remedy = DeviceBandwidth, d.bandwidth(), "a faster drive, port or file system; the drive was given enough to do"
	} else {
		r.Code, r.Text, r.Remedy = DeviceLatency, d.latency(), d.more()
	}
	a.because(r)
}

// lasting is how long the device takes for so many bytes, at the speed at which it served
// the workload.
func (d *disk) lasting(bytes int64) int64 {
	return int64(float64(bytes) / float64(max(d.BandwidthBusy, 1)) * 1e9)
}

func (d *disk) share(name string) string {
	return path.Dir(d.pointer) + "/foreign/" + name
}

func (d *disk) bandwidth() string {
	text := fmt.Sprintf("%s %s %s while it was busy, with requests waiting all the time (%s in flight)",
		d.Name, d.verb, wording.Speed(rate(d.flow)), unit.Significant(d.flow.Depth.MeanBusy, 2))
	if d.flow.Size.P50 < smallRequest {
		text += fmt.Sprintf(", small ones of %s", wording.Sizes(&d.flow.Size))
	}
	return text
}

func (d *disk) latency() string {
	what := "reads from"
	if d.verb == "wrote" {
		what = "writes to"
	}
	return fmt.Sprintf(
		"%s %s one after another: %s of %s, %s each",
		what,
		d.Name,
		wording.Plural(
			d.flow.Count,
			"request",
			"requests",
		),
		wording.Sizes(&d.flow.Size),
		wording.Times(&d.flow.Latency),
	)
}

// more says what helps where requests come one at a time.
func (d *disk) more() string {
	if d.flow.Size.P50 < smallRequest {
		return "ask for larger pieces, or for several at once; a drive of lower latency"
	}
	return "ask for several pieces at once; a drive of lower latency"
}

func rate(f *profile.Flow) int64 {
	return int64(float64(f.Bytes) / float64(max(f.Depth.BusyNS, 1)) * 1e9)
}

// notable is what others have to move on a device to be named: so many bytes, and a
// part of what the workload moved. A file system's journal, which has no owner, is less.
const (
	notableBytes = 8 << 20
	notablePart  = 0.3
)

// foreign is what others moved on a device, if it is worth naming.
func foreign(a *account, d *disk) int64 {
	n := profile.ByOthers(a.p.Devices, d.Device)
	if n < notableBytes || float64(n) < notablePart*float64(d.Moved()) {
		return 0
	}
	return n
}

// mapped is for reads through mappings: each is a page fault that waited.
func mapped(a *account) {
	var file *profile.File
	index, all := 0, int64(0)
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if f.Faults == nil {
			continue
		}
		all += f.Faults.TimeNS
		if file == nil || f.Faults.TimeNS > file.Faults.TimeNS {
			file, index = f, i
		}
	}
	if file == nil || all*2 < a.spent[onReads] {
		return // reads by calls
	}
	pointer := fmt.Sprintf("/files/%d/faults", index)
	waits := fmt.Sprintf(
		"%s for %s, %s each",
		wording.Plural(file.Faults.Count, "wait", "waits"),
		unit.Bytes(file.Faults.Filled),
		wording.Times(&file.Faults.Latency),
	)
	r := profile.Reason{
		Code: MappedReads, Name: "waiting for mapped files", TimeNS: a.take(onReads), Certainty: Proved,
		Text:   fmt.Sprintf("%s is mapped into memory, not read by calls: %s", path.Base(file.Path), waits),
		Remedy: "touch it in order, or ask ahead (madvise WILLNEED, MAP_POPULATE)",
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(file.Faults.Count)),
			at(pointer+"/time_ns", float64(file.Faults.TimeNS)),
			at(pointer+"/filled_bytes", float64(file.Faults.Filled)),
		},
	}
	if code(a, file) {
		r.Code, r.Name, r.Text = ProgramStart, "loading the program", fmt.Sprintf(
			"the program and its libraries had to be read, such as %s: %s",
			path.Base(file.Path),
			waits,
		)
		r.Remedy = "a second start finds them in memory; fewer or smaller libraries"
	}
	a.because(r)
}

// code reports whether a file is a program or a library.
func code(a *account, f *profile.File) bool {
	return strings.Contains(path.Base(f.Path), ".so") ||
		slices.ContainsFunc(a.p.Processes, func(p profile.Process) bool { return p.Exe == f.Path })
}

// aboveDevice is for the time in which requests, or whoever waits for them, were held
// back before they reached a device.
func aboveDevice(a *account) {
	if !a.sees(trace.LimitNoRequests) {
		return
	}
	ns := a.take(onQueue, onNothing)
	if served := fileServer(a); served != nil {
		served.TimeNS = ns
		a.because(*served)
		return
	}
	name := "the device"
	for _, write := range []bool{false, true} {
		if d := busiest(a, write); d != nil {
			name = d.Name
			if others := foreign(a, d); others > 0 && 2*d.lasting(others) > ns {
				waited(a, d, ns)
				return
			}
		}
	}
	a.because(profile.Reason{
		Code: LimitAbove, Name: "held back above the drive", TimeNS: ns, Certainty: Fits, Evidence: []profile.Evidence{a.sliceAt("io_wait"), a.sliceAt("queued")},
		Text: fmt.Sprintf(
			"it waited while nothing of it was at %s, as with a limit of a cgroup or of the machine's host",
			name,
		),
		Remedy: "raise or remove the limit; a faster drive changes nothing", Experiment: "cat /sys/fs/cgroup/*/io.max; lsblk",
	})
}
