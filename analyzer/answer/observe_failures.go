package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// blockErrors words the errors that the block layer of Linux gives
// (block/blk-core.c, blk_errors). Other systems' numbers are translated when
// they are recorded.
var blockErrors = map[trace.Errno]string{
	5: "EIO (the device could not do it)", 11: "EAGAIN (no room in the queue and the caller would not wait)",
	12: "ENOMEM (out of memory)",
	16: "EBUSY (the device is busy)", 19: "ENODEV (the device is offline or gone)", 22: "EINVAL (invalid request)",
	28: "ENOSPC (the storage behind the device is full)",
	52: "EBADE (the device is reserved by another host)", 61: "ENODATA (bad medium)",
	62: "ETIME (past its time limit)", 67: "ENOLINK (the way to the device is broken)",
	75: "EOVERFLOW (a limit of the zoned device)", 84: "EILSEQ (wrong checksum)",
	95:  "EOPNOTSUPP (the device cannot do that)",
	110: "ETIMEDOUT (no answer in time)", 121: "EREMOTEIO (the target reports an error)",
}

func errorText(number trace.Errno) string {
	if s := blockErrors[number]; s != "" {
		return s
	}
	return fmt.Sprintf("error %d", number)
}

// maxFailing is how many devices with failed requests get a sentence.
const maxFailing = 16

// failures says which devices failed: what a failing device took tells nothing
// about its speed.
func failures(o *observer) {
	told := 0
	for i := range o.p.Devices {
		d := &o.p.Devices[i]
		if others := d.Foreign.Errors + d.Recorder.Errors; d.Failed+others == 0 || told >= maxFailing {
			continue
		}
		told++
		at := fmt.Sprintf("/devices/%d", i)
		var parts []string
		var evidence []profile.Evidence
		if d.Failed > 0 {
			evidence = append(evidence, number(at+"/failed", float64(d.Failed)))
			var kinds []string
			for _, n := range slices.SortedFunc(maps.Keys(d.Errno), func(a, b trace.Errno) int {
				return cmp.Or(cmp.Compare(d.Errno[b], d.Errno[a]), cmp.Compare(a, b))
			}) {
				kinds = append(kinds, fmt.Sprintf("%d with %s", d.Errno[n], errorText(n)))
				evidence = append(evidence, number(fmt.Sprintf("%s/errno/%d", at, n), float64(d.Errno[n])))
			}
			how := ": " + strings.Join(kinds, ", ")
			if len(kinds) == 1 {
				how = strings.TrimPrefix(kinds[0], fmt.Sprint(d.Failed))
			}
			parts = append(parts, unit.Things(d.Failed, "request")+" failed"+how)
		}
		if n := d.Foreign.Errors; n > 0 {
			parts = append(parts, unit.Things(n, "request")+" of others failed")
			evidence = append(evidence, number(at+"/foreign/errors", float64(n)))
		}
		if n := d.Recorder.Errors; n > 0 {
			parts = append(parts, unit.Things(n, "request")+" of the recorder failed")
			evidence = append(evidence, number(at+"/recorder/errors", float64(n)))
		}
		o.say("failed_requests", at, fmt.Sprintf("%s: %s. What a failing device takes says nothing about its speed; the "+
			"kernel's log may say more.",
			d.Name, strings.Join(parts, "; ")), evidence...)
	}
}
