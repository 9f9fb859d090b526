package usage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// parts are bytes by reason.
type parts []profile.Part

func (p *parts) add(code string, bytes int64) {
	if bytes <= 0 {
		return
	}
	for i := range *p {
		if (*p)[i].Code == code {
			(*p)[i].Bytes += bytes
			return
		}
	}
	*p = append(*p, profile.Part{Code: code, Bytes: bytes})
}

func (p *parts) all(o *parts) {
	for _, x := range *o {
		p.add(x.Code, x.Bytes)
	}
}

// list is the parts, the largest first.
func (p *parts) list() []profile.Part {
	list := slices.Clone(*p)
	sorting.Stably(list, func(a, b profile.Part) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Code, b.Code))
	})
	return list
}

// take is at most n of what is left.
func take(left *int64, n int64) int64 {
	n = max(min(*left, n), 0)
	*left -= n
	return n
}

// reads divides what devices read of a file. What is left of each kind goes from device to device.
type reads struct {
	moved      int64 // by calls
	used       int64 // pages that calls asked for
	forWriting int64
	rest       string // why pages were read for which no call asked
	loose      string
}

func (f *fileAmounts) newReads(t totals) reads {
	r := reads{moved: f.moved[reading], used: t.used, forWriting: t.forWriting, rest: profile.Readahead,
		loose: profile.Data}
	switch {
	case f.asked[reading] == 0 && !f.mapped && (f.FSType == "overlay" || f.copied || f.upper):
		r.rest = profile.CopyUp
	case f.mapped || f.asked[reading] == 0:
		r.rest = profile.Mapped // without any call, the program itself
	case f.crowded:
		r.rest = profile.Data
	}
	switch {
	case f.asked[reading] > 0:
	case f.small && !f.mapped: // of blocks that are smaller than pages
		r.loose = profile.ForWriting
	default:
		r.loose = r.rest
	}
	return r
}

// divide says why a device read.
func (r *reads) divide(p *place, u unpacked, to *parts) {
	used := p.direct[reading]
	first := p.first[reading]
	n := take(&r.used, first)
	used += n
	first -= n
	n = take(&r.forWriting, first)
	to.add(profile.ForWriting, n+u.written)
	first -= n
	if r.loose == profile.Data {
		used += u.wanted
		first += u.unwanted
	} else { // no call read
		to.add(r.loose, u.wanted+u.unwanted)
	}
	for _, x := range (parts{{Code: r.rest, Bytes: first}, {Code: r.loose, Bytes: p.loose[reading]}}) {
		if x.Code == profile.Data {
			used += x.Bytes
		} else {
			to.add(x.Code, x.Bytes)
		}
	}
	data := take(&r.moved, used)
	to.add(profile.Data, data)
	used -= data
	to.add(profile.Unpacked, take(&used, u.wanted))
	to.add(profile.Partial, used)
	to.add(profile.Mapped, p.mapped)
	to.add(profile.AgainEvicted, p.why[evicted])
	to.add(profile.AgainDropped, p.why[dropped])
	to.add(profile.AgainDirect, p.why[besideDirect])
}

// writes divides what devices wrote of a file.
type writes struct {
	moved   int64
	written int64  // pages that calls wrote to
	rest    string // why others were written
	surplus string // why more was written than calls wrote, where they wrote
}

func (f *fileAmounts) newWrites(t totals) writes {
	w := writes{moved: f.moved[writing], written: t.written, rest: profile.Earlier, surplus: profile.Again}
	switch {
	case f.mappedToWrite:
		w.rest = profile.Mapped
	case f.crowded:
		w.rest = profile.Data
	case f.FSType == "overlay", (f.copied || f.upper) && f.moved[writing] == 0:
		w.rest = profile.CopyUp
	case f.Created || f.allocated || f.moved[writing] > 0:
		w.rest = profile.Zeroes
	}
	if f.small {
		w.surplus = profile.Partial
	}
	return w
}

// divide says why a device wrote.
func (w *writes) divide(p *place, to *parts) {
	used := p.direct[writing] + p.again[writing] + p.loose[writing]
	first := p.first[writing]
	n := take(&w.written, first)
	used += n
	if first -= n; w.rest == profile.Data {
		used, first = used+first, 0
	}
	to.add(w.rest, first)
	data := take(&w.moved, used)
	to.add(profile.Data, data)
	if used > data && w.rest == profile.Mapped {
		to.add(profile.Mapped, used-data)
	} else {
		to.add(w.surplus, used-data)
	}
	to.add(profile.Mirror, p.mirror)
}

// sparedReads says why devices read less than calls did.
func (f *fileAmounts) sparedReads(m *profile.Moved) []profile.Part {
	var list parts
	left := m.Moved - m.Of(profile.Data)
	again := m.Of(profile.AgainEvicted) + m.Of(profile.AgainDropped) + m.Of(profile.AgainDirect)
	take(&left, again) // calls have moved that more than once as well
	if code := f.noDevice(); code != "" {
		list.add(code, left)
		return list
	}
	buffered := int64(0)
	for _, p := range f.at {
		buffered += p.bytes[reading] - p.direct[reading]
	}
	nowhere := take(&left, f.filled-buffered)
	packed := nowhere
	if !trace.Packed(f.FSType) {
		packed = f.fewer(reading, m, nowhere)
	}
	list.add(profile.Compressed, packed)
	nowhere -= packed
	if f.inline(nowhere) {
		list.add(profile.Inline, take(&nowhere, nowhere))
	}
	list.add(profile.Holes, nowhere)
	list.add(profile.Cached, left)
	return list.list()
}

// sparedWrites says why devices wrote less than calls did.
func (f *fileAmounts) sparedWrites(m *profile.Moved, t totals, durable bool) []profile.Part {
	var list parts
	left := m.Moved - m.Of(profile.Data)
	if code := f.noDevice(); code != "" {
		list.add(code, left)
		return list
	}
	code := profile.InMemory
	switch {
	case f.Deleted:
		code = profile.Deleted
	case durable && f.inline(t.unflushed):
		code = profile.Inline
	case durable && trace.Compresses(f.FSType) && !trace.TellsPacked(f.FSType):
		list.add(profile.Compressed, left)
		return list
	}
	packed := f.fewer(writing, m, left)
	list.add(profile.Compressed, packed)
	left -= packed
	list.add(code, take(&left, t.unflushed-packed))
	list.add(profile.Overwritten, left)
	return list.list()
}

// inline reports whether a file of which no device moved data, and calls so much, lies with the metadata.
func (f *fileAmounts) inline(bytes int64) bool {
	return len(f.at) == 0 && bytes <= pageBytes && trace.Inlines(f.FSType)
}

// fewer is how much of n bytes was spared because requests held compressed data.
func (f *fileAmounts) fewer(direction int, m *profile.Moved, n int64) int64 {
	return take(&n, f.unpacked[direction]-m.Packed)
}

// noDevice says why no device is seen below a file; "" if one may be.
func (f *fileAmounts) noDevice() string {
	switch t := f.FSType; {
	case len(f.at) > 0:
		return ""
	case trace.InMemory(t):
		return profile.InMemory
	case strings.HasPrefix(t, "fuse"), strings.HasPrefix(t, "nfs"), t == "cifs", t == "smb3", t == "9p", t == "virtiofs",
		t == "ceph", t == "afs", t == "lustre", t == "smbfs", t == "webdav":
		return profile.Elsewhere
	}
	return ""
}
