package usage

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// fileAmounts is what was moved of a file.
type fileAmounts struct {
	*world.File
	asked, moved  [2]int64 // by calls, of reading and writing
	filled        int64    // brought into memory by calls that read, past no page cache
	small         bool     // a call wrote a part of a page
	mapped        bool     // read through a mapping, or by a fault
	mappedToWrite bool
	allocated     bool     // its length or its space was changed by a call
	dropped       bool     // a program had its pages dropped
	direct        bool     // calls went past the page cache
	crowded       bool     // not all of its pages are known
	upper         bool     // it lies where an overlay writes to
	copied        bool     // by an overlay
	unpacked      [2]int64 // at most what requests held compressed
	at            []*place
}

// place is what one device moved of a file.
type place struct {
	device *world.Device
	bytes  [2]int64
	first  [2]int64 // pages that no request had moved before
	loose  [2]int64 // parts of pages, and data of which the place in the file is not known
	direct [2]int64 // from and to the memory of programs
	again  [2]int64 // pages that a request had moved before
	mirror int64    // written to another device before
	mapped int64    // read in page faults, by requests that name no file
	why    [3]int64 // of again when reading
	packed [2]int64 // compressed
	extents
}

// Why something was read again.
const (
	evicted = iota
	dropped
	besideDirect
)

const (
	reading = iota
	writing
)

func (f *fileAmounts) place(d *world.Device) *place {
	for _, p := range f.at {
		if p.device == d {
			return p
		}
	}
	p := &place{device: d}
	f.at = append(f.at, p)
	return p
}

// access adds what a call, or an asynchronous operation, read or wrote.
func (f *fileAmounts) access(pages *pages, x *world.Access, at int64, direction int) {
	f.asked[direction] += asked(x)
	if x.Bytes <= 0 {
		return
	}
	f.moved[direction] += x.Bytes
	f.direct = f.direct || x.Direct()
	if direction == reading && !x.Direct() {
		f.filled += filled(x)
	}
	f.small = f.small || direction == writing && (at%pageBytes != 0 || x.Bytes%pageBytes != 0)
	if at < 0 || at > math.MaxInt64-x.Bytes {
		f.crowded = true
		return
	}
	to := at + x.Bytes
	room := pages.each(f.Number, at, to, func(c *chunk, i int64) {
		if mask := span(i, at, to, false); direction == reading {
			c.asked |= mask
		} else {
			c.wrote |= mask
		}
	})
	f.crowded = f.crowded || !room
}

// filled is what a call that reads brought into memory of the file: one that also writes has the pages of its
// destination in that number.
func filled(x *world.Access) int64 {
	if x.File2 != nil {
		return max(x.Filled-x.Bytes, 0)
	}
	return x.Filled
}

// asked is what a call asked for. One that copies within the kernel asks for as much as there may be.
func asked(x *world.Access) int64 {
	if x.Op != trace.OpRead && x.Op != trace.OpWrite {
		return x.Bytes
	}
	return min(max(x.Asked, x.Bytes), trace.MaxTransfer)
}

// request adds the part of a request that carries data of the file.
func (f *fileAmounts) request(pages *pages, e *trace.Request, p *place, at, bytes int64, drop bool) {
	direction := reading
	if e.Op == trace.ReqWrite {
		direction = writing
	}
	p.bytes[direction] += bytes
	if e.Flags&trace.ReqDirect != 0 {
		p.direct[direction] += bytes
		return
	}
	if e.Flags&trace.ReqPacked != 0 && direction == reading {
		f.readPacked(pages, p, at, bytes, drop)
		return
	}
	first, again := int64(0), int64(0)
	if at >= 0 && at <= math.MaxInt64-bytes && !f.Other {
		f.crowded = !pages.each(f.Number, at, at+bytes, func(c *chunk, i int64) {
			seen := &c.fetched
			if direction == writing {
				seen = &c.flushed
			}
			mask := span(i, at, at+bytes, true)
			first += ones(mask &^ *seen)
			again += ones(mask & *seen)
			*seen |= mask
		}) || f.crowded
	}
	if e.Flags&trace.ReqPacked != 0 {
		p.packed[direction] += bytes
		f.unpacked[direction] += max(mostPacked, bytes)
	}
	p.first[direction] += first
	p.loose[direction] += bytes - first - again
	switch {
	case direction == reading:
		p.why[f.whyAgain(drop)] += again
	case len(f.at) > 1 && p != f.at[0]:
		p.mirror += again
		return
	}
	p.again[direction] += again
}

// readPacked adds what a device read compressed, from the page on that was wanted first. It is read again if that page
// was.
func (f *fileAmounts) readPacked(pages *pages, p *place, at, bytes int64, drop bool) {
	p.packed[reading] += bytes
	f.unpacked[reading] += max(mostPacked, bytes)
	if at < 0 || at > math.MaxInt64-bytes || f.Other {
		p.loose[reading] += bytes
		return
	}
	again, to := false, min(at+bytes, (at/mostPacked+1)*mostPacked)
	if !pages.each(f.Number, at, to, func(c *chunk, i int64) {
		first := span(i, at, at+1, false)
		again = again || c.fetched&first != 0
		c.fetched |= span(i, at, to, true)
	}) {
		f.crowded = true
		p.loose[reading] += bytes
		return
	}
	if again {
		p.again[reading] += bytes
		p.why[f.whyAgain(drop)] += bytes
		return
	}
	if p.extents == nil {
		p.extents = extents{}
	}
	p.extents[at/mostPacked] += bytes
}

// whyAgain is why the file is read again now.
func (f *fileAmounts) whyAgain(drop bool) int {
	switch {
	case f.dropped || drop:
		return dropped
	case f.direct:
		return besideDirect
	}
	return evicted
}

// account divides what devices moved of a file by reason, for each device and for the file.
func (f *fileAmounts) account(pages *pages, t totals, durable bool) (read, write profile.Moved, each [][2]parts) {
	each = make([][2]parts, len(f.at))
	read.Asked, write.Asked = f.asked[reading], f.asked[writing]
	read.Moved, write.Moved = f.moved[reading], f.moved[writing]
	r, w := f.newReads(t), f.newWrites(t)
	for i, p := range f.at {
		r.divide(p, p.divided(pages, f.Number), &each[i][reading])
		w.divide(p, &each[i][writing])
	}
	var in, out parts
	for i := range each {
		in.all(&each[i][reading])
		out.all(&each[i][writing])
		read.Device += f.at[i].bytes[reading]
		write.Device += f.at[i].bytes[writing]
		read.Packed += f.at[i].packed[reading]
		write.Packed += f.at[i].packed[writing]
	}
	read.Reasons, write.Reasons = in.list(), out.list()
	read.Spared = f.sparedReads(&read)
	write.Spared = f.sparedWrites(&write, t, durable)
	return read, write, each
}
