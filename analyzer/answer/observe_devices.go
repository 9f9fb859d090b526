package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// observeDevices words what the devices did, the busiest first.
func observeDevices(o *observer) {
	top := int64(0)
	for i := range o.p.Devices {
		top = max(top, o.p.Devices[i].Moved())
	}
	for i := range o.p.Devices[:min(len(o.p.Devices), maxObserved)] {
		d := &o.p.Devices[i]
		at := fmt.Sprintf("/devices/%d", i)
		for _, x := range []struct {
			f    *profile.Flow
			name string
		}{{d.Read, "read"}, {d.Write, "write"}} {
			if x.f != nil && x.f.Bytes >= largeCopy && x.f.Bytes*20 >= top {
				sayFlow(o, d, x.f, x.name, at+"/"+x.name)
			}
		}
		n, own := profile.ByOthers(o.p.Devices, d), d.Moved()
		if n >= largeCopy && n*10 > own && own > 0 {
			text := fmt.Sprintf("Others (and kernel threads for the file system's journal) moved %s on %s meanwhile: not in "+
				"the numbers, but it took time on the device", unit.Bytes(n), d.Name)
			evidence := []profile.Evidence{number(at+"/foreign/read_bytes", float64(d.Foreign.Read)),
				number(at+"/foreign/write_bytes", float64(d.Foreign.Write))}
			if k, f := slice(o, "queued"); f > .2 {
				text += fmt.Sprintf("; for %s of the time requests of the workload waited in the queue, and none of them was at "+
					"a device", unit.Share(f))
				evidence = append(evidence, number(fmt.Sprintf("/time_stack/slices/%d/share", k), f))
			}
			o.say("foreign", at, text+".", evidence...)
		}
	}
}

// slice is a part of the time stack.
func slice(o *observer, label string) (index int, share float64) {
	for i, s := range o.p.TimeStack.Slices {
		if s.Label == label {
			return i, s.Share
		}
	}
	return -1, 0
}

func sayFlow(o *observer, d *profile.Device, f *profile.Flow, name, at string) {
	text := fmt.Sprintf("%s, %ss: requests of %s", d.Name, name, wording.Sizes(&f.Size))
	evidence := []profile.Evidence{number(at+"/size_bytes/p50", float64(f.Size.P50))}
	depth := o.p.Trace.TellsDepth(f.Depth.BusyNS > 0)
	if depth {
		text += fmt.Sprintf(", queue depth %s on average while busy, max %d", unit.Significant(f.Depth.MeanBusy, 2),
			f.Depth.Max)
		evidence = append(evidence, number(at+"/depth/mean_busy", f.Depth.MeanBusy),
			number(at+"/depth/max", float64(f.Depth.Max)))
	}
	if o.p.Trace.TellsLatency(f.Latency.Max > 0) {
		text += fmt.Sprintf(", latency p50 %s, p99 %s", unit.Nanoseconds(f.Latency.P50),
			unit.Nanoseconds(f.Latency.P99))
		evidence = append(evidence, number(at+"/latency_ns/p50", float64(f.Latency.P50)),
			number(at+"/latency_ns/p99", float64(f.Latency.P99)))
	}
	if depth && (name == "read" || d.Read == nil || d.Read.Count == 0) { // once for each device
		idle := 1 - float64(d.Depth.BusyNS)/float64(max(o.p.TimeStack.TotalNS, 1))
		text += fmt.Sprintf("; the device was idle %s of the time", unit.Share(max(idle, 0)))
	}
	o.say("device_"+name, at, text+".", evidence...)
	if m := f.Latency.Modes; len(m) > 1 {
		var list []string
		var evidence []profile.Evidence
		for i, x := range m {
			list = append(list, fmt.Sprintf("%s (%s)", unit.Nanoseconds(x.Median), unit.Share(x.Weight)))
			evidence = append(evidence, number(fmt.Sprintf("%s/latency_ns/modes/%d/median", at, i), float64(x.Median)))
		}
		o.say("latency_modes", at, fmt.Sprintf("%s, %ss: latency is %s: %s.", d.Name,
			name, modality(len(m)), unit.List(list)), evidence...)
	}
}

// modality names a distribution by the number of its modes.
func modality(n int) string {
	if n == 2 {
		return "bimodal"
	}
	return "multimodal"
}

// files words what is remarkable about the files with most bytes.
func files(o *observer) {
	n := 0
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if n >= maxObserved || f.Read == nil || f.ReadPattern == nil || f.Read.Bytes < largeCopy ||
			f.Type != trace.FileRegular {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		if c := f.ReadPattern.Class; (c == "random" || c == "strided") && f.Read.Count >= 100 {
			n++
			o.say("random_reads", at, fmt.Sprintf("%s was read in %s order, %s a call.", named(f.Path), c,
				wording.Sizes(&f.Read.Size)),
				number(at+"/read_pattern/consecutive_share", f.ReadPattern.Consecutive),
				number(at+"/read/size_bytes/p50", float64(f.Read.Size.P50)))
		}
		if f.Cache != nil && f.Cache.ReadBytes > 0 && f.Cache.DeviceBytes > 2*f.Cache.ReadBytes {
			n++
			o.say("read_waste", at, fmt.Sprintf("%s: the device read %s, the program asked for %s: readahead brought in what "+
				"was not used.",
				named(f.Path), unit.Bytes(f.Cache.DeviceBytes), unit.Bytes(f.Cache.ReadBytes)),
				number(at+"/cache/device_bytes", float64(f.Cache.DeviceBytes)),
				number(at+"/cache/read_bytes", float64(f.Cache.ReadBytes)))
		}
	}
}
