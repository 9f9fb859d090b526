package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// unpacked is for a file system of which less is read from the device than comes into memory: the kernel decompresses
// in the calls, and the page faults, that read.
func unpacked(a *account) {
	for i := range a.p.Amounts.Filesystems {
		s := &a.p.Amounts.Filesystems[i]
		if !trace.Packed(s.FSType) && !trace.Compresses(s.FSType) {
			continue
		}
		var filled, byCalls, calls, faults int64
		for k := range a.p.Files {
			f := &a.p.Files[k]
			if f.Mount != s.Name || f.Type != trace.FileRegular {
				continue
			}
			if f.Cache != nil {
				filled += f.Cache.FilledBytes
				byCalls += f.Cache.FilledBytes
				calls += timeIn(f, func(op trace.Op) bool { return op == trace.OpRead })
			}
			if f.Faults != nil {
				filled += f.Faults.Filled
				faults += f.Faults.TimeNS
			}
		}
		if trace.TellsPacked(s.FSType) { // else a device reads less where there are holes
			filled -= s.Read.Of(profile.Holes)
			if s.Read.Packed == 0 {
				continue
			}
		}
		if filled < notableBytes || float64(s.Read.Device) > smallerBy*float64(filled) {
			continue
		}
		rate := int64(float64(filled) / float64(max(calls+faults, 1)) * 1e9)
		a.figure("filled_bytes", float64(filled))
		a.figure("filled_bytes_per_s", float64(rate))
		r := profile.Reason{
			Code: cause.Compression, Name: "decompressing", Certainty: cause.Likely,
			TimeNS: a.takeUpTo(calls, inData, inCall) + a.takeUpTo(faults, inOther, inCall),
			Text: fmt.Sprintf("%s read from %s became %s in memory: the kernel decompressed, at %s",
				unit.Bytes(s.Read.Device), s.FSType, unit.Bytes(filled), unit.Speed(rate)),
			Evidence: []profile.Evidence{at(fmt.Sprintf("/amounts/filesystems/%d/read/device_bytes", i),
				float64(s.Read.Device))},
			Remedy:     "a compression that is faster to read (zstd, lz4, lzo), or such files outside of it",
			Experiment: "perf top",
		}
		if trace.Packed(s.FSType) { // nothing of it lies there as it is
			r.Experiment = ""
		}
		if asked := s.Read.Asked; trace.Packed(s.FSType) && 2*byCalls > filled && 2*asked < byCalls {
			a.figure("asked_bytes", float64(asked))
			r.Text = fmt.Sprintf("%s came into memory from %s where calls asked for %s: the kernel decompressed whole "+
				"blocks, at %s", unit.Bytes(filled), s.FSType, unit.Bytes(asked), unit.Speed(rate))
			r.Remedy = "smaller blocks (mksquashfs -b), as each read has a whole one unpacked"
			if longerCalls(a.p) {
				r.Remedy += "; or larger reads"
			}
		}
		a.because(r)
	}
}
