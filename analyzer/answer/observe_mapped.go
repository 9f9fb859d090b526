package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// inMemory is what to do in place of a mapped file that is written back as long as it is used.
const inMemory = "if it need not outlast the program, keep it in memory (memfd, /dev/shm)"

// mappedWritten is for a file whose pages went to a drive as programs stored to them, by no call, if that is most of
// what was written to its file system.
func mappedWritten(o *observer) {
	for i := range o.p.Files {
		f := &o.p.Files[i]
		mapped := slices.ContainsFunc(f.Ops, func(c profile.OpCount) bool { return c.Op == trace.OpMmap })
		if f.Type != trace.FileRegular || !mapped || bytesOf(f.DeviceWrite)-bytesOf(f.Write) < much {
			continue
		}
		k := slices.IndexFunc(o.p.Amounts.Filesystems, func(s profile.Amount) bool { return s.Name == f.Mount })
		if k < 0 {
			continue
		}
		all := &o.p.Amounts.Filesystems[k].Write
		if n := bytesOf(f.DeviceWrite); all.Of(profile.Mapped) < n-bytesOf(f.Write) || 2*n <= all.Device {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("mapped_written", at, fmt.Sprintf("%s of stores to %s (%s and mapped) went to the drive; %s.",
			unit.Bytes(f.DeviceWrite.Bytes), named(f.Path), unit.Bytes(f.Size), inMemory),
			number(at+"/size_bytes", float64(f.Size)), number(at+"/device_write/bytes", float64(f.DeviceWrite.Bytes)))
		o.instead(inMemory)
		return
	}
}
