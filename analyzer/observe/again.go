package observe

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// again is for data that a device read once more because a program had it dropped, or went past the page cache. Where
// memory was short that is a cause of its own.
func again(o *observer) {
	for i := range o.p.Amounts.Devices {
		d := &o.p.Amounts.Devices[i]
		for k := range d.Read.Reasons {
			r := &d.Read.Reasons[k]
			first := d.Read.Device - r.Bytes
			if r.Bytes < amplifiedBytes || float64(d.Read.Device) < amplifiedBy*float64(first) {
				continue
			}
			why := ""
			switch r.Code {
			case profile.AgainDropped:
				why = "that a program had dropped (POSIX_FADV_DONTNEED): drop it after the last use, or not at all"
			case profile.AgainDirect:
				why = "that had gone past the page cache (O_DIRECT): read it through the cache, or keep it"
			default:
				continue
			}
			at := fmt.Sprintf("/amounts/devices/%d/read", i)
			o.say("read_again", at, fmt.Sprintf("%s read %s again %s.", d.Name, unit.Bytes(r.Bytes), why),
				number(at+"/device_bytes", float64(d.Read.Device)),
				number(fmt.Sprintf("%s/reasons/%d/bytes", at, k), float64(r.Bytes)))
		}
	}
}

// over is for files that calls wrote over: they hold far less in the end than was written to them.
func over(o *observer) {
	var wrote, holds int64
	var evidence []profile.Evidence
	cut := false
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Type != "file" || f.Deleted || f.Write == nil || f.Write.Bytes == 0 {
			continue
		}
		wrote += f.Write.Bytes
		if holds += min(f.Size, f.Write.Bytes); f.Write.Bytes > f.Size && len(evidence) < fewestTries {
			at := fmt.Sprintf("/files/%d", i)
			evidence = append(evidence, number(at+"/write/bytes", float64(f.Write.Bytes)),
				number(at+"/size_bytes", float64(f.Size)))
			cut = cut || truncates(f)
		}
	}
	if wrote-holds < amplifiedBytes || float64(wrote) < amplifiedBy*float64(holds) {
		return
	}
	how, why := "written over", ""
	if cut {
		how, why = "cut off and rewritten (O_TRUNC)", "; a file that replaces itself is written out at once"
	}
	o.say("written_over", "/files", fmt.Sprintf("%s of files was %s: %s written%s.", unit.Bytes(holds), how,
		unit.Bytes(wrote), why), evidence...)
}

// truncates reports whether a file was opened anew for each time that it was written.
func truncates(f *profile.File) bool {
	var opened int64
	for _, c := range f.Ops {
		if trace.OpNamed(c.Op) == trace.OpOpen {
			opened += c.Count - c.Errors
		}
	}
	return opened > 1 && f.Write.Bytes > f.Size && f.WritePattern != nil && f.WritePattern.WorkingSet <= f.Size
}
