package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// What to do in place of work on the whole of a file.
const (
	changeLess = "make all changes at once, with room left for them (padding), or in smaller pieces (chunks)"
	keepNew    = "let the new file take its place (a rename, VACUUM INTO)"
	noZeros    = "leave the zeros out: holes (an option such as --sparse), fallocate, smaller chunks"
)

// rewritten is for a file of which all was read and written back, in order, as where what it begins with grows and the
// rest is moved, or where each change reads and writes a large piece.
func rewritten(o *observer) {
	all, _ := o.p.ByCalls()
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Type != trace.FileRegular || f.Read == nil || f.Write == nil || f.Size < amplifiedBytes ||
			2*f.Read.Bytes <= all || !swept(f.WritePattern) || !swept(f.ReadPattern) {
			continue
		}
		if min(f.Read.Bytes, f.Write.Bytes) < f.Size || f.Created && !alsoChanged(f) {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		evidence := []profile.Evidence{number(at+"/read/bytes", float64(f.Read.Bytes)),
			number(at+"/write/bytes", float64(f.Write.Bytes)), number(at+"/size_bytes", float64(f.Size))}
		if k := builtAside(o.p, f); k >= 0 {
			o.say("rewritten", at, fmt.Sprintf("%s was made anew in a temporary file, and %s written back within it; %s.",
				named(f.Path), unit.Bytes(f.Write.Bytes), keepNew), append(evidence,
				number(fmt.Sprintf("/files/%d/read/bytes", k), float64(o.p.Files[k].Read.Bytes)))...)
			o.instead(keepNew)
			return
		}
		mostly := ""
		if 2*f.Zeros > f.Write.Bytes {
			mostly = " (mostly zeros)"
			evidence = append(evidence, number(at+"/zero_bytes", float64(f.Zeros)))
		}
		o.say("rewritten", at, fmt.Sprintf("%s was read and %s written%s within %s, which has %s: %s at a time.",
			unit.Bytes(f.Read.Bytes), unit.Bytes(f.Write.Bytes), mostly, named(f.Path), unit.Bytes(f.Size),
			wording.Sizes(&f.Write.Size)), evidence...)
		o.instead(changeLess)
		return
	}
}

// builtAside is the temporary file of which most came back that was written within another one, as where a database is
// compacted; -1 if there is none.
func builtAside(p *profile.Profile, f *profile.File) int {
	return slices.IndexFunc(p.Files, func(x profile.File) bool {
		return x.Created && x.Deleted && min(2*bytesOf(x.Read), 2*bytesOf(x.Write)) > f.Write.Bytes
	})
}

// alsoChanged reports whether a new file was read and written for more than to make it and to look at it.
func alsoChanged(f *profile.File) bool {
	return f.Write.Bytes >= 2*f.Size && float64(f.Read.Bytes) >= amplifiedBy*float64(f.Size)
}

// swept reports whether accesses led through a file in order, or backwards, and not here and there.
func swept(p *profile.AccessPattern) bool {
	return p != nil && max(p.Sequential, p.Backward) >= follows
}

// zeros is for data that was written and is mostly zeros: what stands in for contents to come, or holes of a source.
func zeros(o *observer) {
	if o.said("holes_copied") || o.said("rewritten") {
		return
	}
	_, wrote := o.p.ByCalls()
	var empty int64
	var most *profile.File
	var evidence []profile.Evidence
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Zeros == 0 || f.Type != trace.FileRegular {
			continue
		}
		if empty += f.Zeros; most == nil || f.Zeros > most.Zeros {
			most = f
			evidence = []profile.Evidence{number(fmt.Sprintf("/files/%d/zero_bytes", i), float64(f.Zeros))}
		}
	}
	if empty < amplifiedBytes || 2*empty <= wrote {
		return
	}
	o.say("zeros", "/files", fmt.Sprintf("%s of the %s written are zeros, most of them in %s (by samples).",
		unit.Bytes(empty), unit.Bytes(wrote), named(most.Path)), evidence...)
	o.instead(noZeros)
	o.list[len(o.list)-1].Figures = map[string]float64{"zero_bytes": float64(empty), "written_bytes": float64(wrote)}
}
