package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// packedReads tells whose data a request holds that a compressed file system reads. Its memory is no file's, so the
// request names none. But the thread that wants the data asks for the request itself, and waits for it, in the call or
// page fault. What is read while names are looked up and directories are read is in neither.
type packedReads struct {
	last    map[uint32]packedRead      // by thread
	devices map[trace.DeviceID]bool    // that their file systems lie on
	early   map[uint32][]trace.Request // by thread: of a fault that is recorded from where the thread waits for them
}

// packedRead is a call or page fault that brings a compressed file into memory.
type packedRead struct {
	file        *world.File
	device      trace.DeviceID // that its file system lies on
	from, until int64
	fault       bool
}

func newPackedReads() packedReads {
	return packedReads{map[uint32]packedRead{}, map[trace.DeviceID]bool{}, map[uint32][]trace.Request{}}
}

// holds reports whether a request was made, or waited for, meanwhile.
func (r *packedRead) holds(e *trace.Request) bool {
	within := func(at int64) bool { return at >= r.from && at <= r.until }
	return r.file != nil && e.Device == r.device && (within(world.QueuedAt(e)) || within(e.Completed))
}

// unpacks notes that a thread brings a file into memory, and gives it what the thread asked for just before.
func (c *Amounts) unpacks(f *world.File, thread uint32, from, until int64, fault bool) {
	d := c.devices.Serving(f.Device)
	if !trace.Packed(f.FSType) || d == nil {
		return
	}
	r := packedRead{f, d.ID, from, until, fault}
	c.packed.devices[d.ID] = true
	c.packed.last[thread] = r
	early := c.packed.early[thread]
	delete(c.packed.early, thread)
	for i := range early {
		if r.holds(&early[i]) {
			c.unpacked(&r, &early[i], early[i].Own())
		} else {
			c.unnamed(&early[i], early[i].Own())
		}
	}
}

// packedData takes the part of a request that names no file, if a thread asked for it that reads compressed files.
func (c *Amounts) packedData(e *trace.Request, bytes int64) bool {
	if e.Op != trace.ReqRead || !c.packed.devices[e.Device] {
		return false
	}
	if r := c.packed.last[e.TID]; r.holds(e) {
		c.unpacked(&r, e, bytes)
		return true
	}
	if bytes == e.Bytes {
		c.early(e)
		return true
	}
	return false
}

// maxEarly is how many requests of a thread are kept for a fault to come: it waits for those that it just made.
const maxEarly = 64

// early keeps a request until it is known what it was for. If the thread waits for none of so many, they are no file's.
func (c *Amounts) early(e *trace.Request) {
	list := c.packed.early[e.TID]
	if len(list) == maxEarly {
		c.unnamed(&list[0], list[0].Own())
		list = append(list[:0], list[1:]...)
	}
	c.packed.early[e.TID] = append(list, *e)
}

// unpacked gives bytes of a request to the file that was read.
func (c *Amounts) unpacked(r *packedRead, e *trace.Request, bytes int64) {
	own := c.of(r.file)
	p := own.place(c.devices.Find(e.Device))
	if !r.fault {
		own.request(c.pages, e, p, trace.NoOffset, bytes, c.drop)
		return
	}
	p.bytes[reading] += bytes
	p.mapped += bytes
}

// unnamed gives bytes of a request to no file.
func (c *Amounts) unnamed(e *trace.Request, bytes int64) {
	d := c.devices.Find(e.Device)
	c.requests.Of(d.Number).parts[reading].add(c.withoutFile(d), bytes)
}

// unclaimed are the requests that no call and no page fault turned out to have waited for.
func (c *Amounts) unclaimed() {
	for _, list := range c.packed.early {
		for i := range list {
			c.unnamed(&list[i], list[i].Own())
		}
	}
	clear(c.packed.early)
}
