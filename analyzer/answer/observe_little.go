package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// What to do in place of reading all of a large file for a little.
const (
	stopThere  = "stop once that is written (tar --occurrence=1, grep -m 1)"
	keepResult = "keep what comes of it for the next time, or have an index of it (zip or a database, not tar.gz)"
)

const (
	// much is how large a file has to be, and timesAsMuch how often what was written, that it is read for little.
	much        = 16 << 20
	timesAsMuch = 100
	// readOn is the part of the time of reading that comes after the last write, that it is read on.
	readOn = 0.75
)

// forLittle is for one large file that was read as a whole, and little was written: how little, and whether it was read
// on after that.
func forLittle(o *observer) {
	if o.p.Omitted.Files > 0 { // what was written to others is not known
		return
	}
	var read, wrote, last int64
	var f *profile.File
	at := ""
	for i := range o.p.Files {
		x := &o.p.Files[i]
		if x.Type != trace.FileRegular {
			continue
		}
		if read += bytesOf(x.Read); bytesOf(x.Read) > 0 && (f == nil || x.Read.Bytes > f.Read.Bytes) {
			f, at = x, fmt.Sprintf("/files/%d", i)
		}
		if bytesOf(x.Write) > 0 {
			wrote, last = wrote+x.Write.Bytes, max(last, x.Write.LastNS)
		}
	}
	if f == nil || f.Write != nil || f.Created || f.Size < much || wrote == 0 || timesAsMuch*wrote > f.Read.Bytes ||
		float64(f.Read.Bytes) < nearly*float64(max(f.Size, read)) || f.Read.Bytes >= 2*f.Size {
		return
	}
	on, instead := "", keepResult
	evidence := []profile.Evidence{number(at+"/read/bytes", float64(f.Read.Bytes)),
		number(at+"/size_bytes", float64(f.Size))}
	if left := f.Read.LastNS - last; left > 0 && float64(left) > readOn*float64(f.Read.LastNS-f.Read.FirstNS) {
		on, instead = ", most of it after that was written", stopThere
		evidence = append(evidence, number(at+"/read/last_ns", float64(f.Read.LastNS)))
	}
	o.say("for_little", at, fmt.Sprintf("%s of %s was read for %s written%s: %s.", unit.Bytes(f.Read.Bytes),
		named(f.Path), unit.Bytes(wrote), on, instead), evidence...)
	o.instead(instead)
}
