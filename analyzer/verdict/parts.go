package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// usualBlock is how large a block of a file system is, where requests for several at once do not tell.
const usualBlock = 4 << 10

// partial reports whether a device read blocks of which a program wrote a part, and nobody read anything; and says so.
// The block has to be there as a whole before a part of it can change.
func partial(a *account, d *wording.Disk, r *profile.Reason) bool {
	m := movedOn(a, d)
	if d.Verb != "read" || m == nil {
		return false
	}
	read := m.Of(profile.ForWriting)
	within := a.onPath(func(x *profile.PathPart) bool {
		return x.Place.Call == trace.OpWrite.String() && labels[x.Place.Label] == onReads && !x.Place.Meta
	})
	if read == 0 || 2*within <= r.TimeNS && 2*read <= d.Flow.Bytes {
		return false
	}
	f, written := writtenInParts(a)
	if f == nil {
		return false
	}
	block := int64(usualBlock)
	if d.Flow.Size.P50 < wording.SmallRequest {
		block = d.Flow.Size.P50
	}
	r.Code, r.Name = cause.PartialWrites, "blocks read to write parts of them"
	r.Text = fmt.Sprintf("%s of %s read to write %s in pieces of %s, %s", unit.Bytes(read), path.Base(f.Path),
		unit.Bytes(written), wording.Sizes(&f.Write.Size), wording.Each(&d.Flow.Latency))
	r.Remedy = fmt.Sprintf("write whole blocks of %s, or keep the file in memory", unit.BlockSize(block))
	a.figure("read_to_write_bytes", float64(read))
	a.figure("written_in_parts_bytes", float64(written))
	return true
}

// writtenInParts is the file of which devices read most because parts of its blocks were written, and how much was
// written to all such files.
func writtenInParts(a *account) (worst *profile.File, written int64) {
	var most int64
	for i := range a.p.Amounts.Files {
		x := &a.p.Amounts.Files[i]
		n := x.Read.Of(profile.ForWriting)
		f := fileNamed(a.p, x.Name)
		if n == 0 || f == nil || f.Write == nil {
			continue
		}
		if written += f.Write.Bytes; n > most {
			worst, most = f, n
		}
	}
	return worst, written
}

// fileNamed is the file of a path; nil if it is not listed.
func fileNamed(p *profile.Profile, name string) *profile.File {
	for i := range p.Files {
		if p.Files[i].Path == name {
			return &p.Files[i]
		}
	}
	return nil
}
