// Package metrics counts the requests of a recording that goes on, and serves the counts to Prometheus. The text format
// is written here: the client library would add 3 MB to the program, and protocol buffers to what it depends on. So is
// what HTTP needs for one page: net/http would add another 3.5 MB.
package metrics

import (
	"slices"
	"strconv"
	"sync"

	"github.com/iotrace/iotrace/trace"
)

// bounds are those of the histograms of latency, in ns: 1, 2 and 5 of each power of ten from 10 µs to 10 s.
var bounds = []int64{
	10e3, 20e3, 50e3, 100e3, 200e3, 500e3, 1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 500e6, 1e9, 2e9, 5e9, 10e9,
}

// maxDevices bounds the devices that are told apart; all further ones are together.
const maxDevices = 256

// Counters is what was counted so far. Those that are nil count nothing.
type Counters struct {
	mu       sync.Mutex
	names    map[trace.DeviceID]string
	requests map[kind]*requests
	devices  []trace.DeviceID // that were used, in the order in which they were
	streamed uint64           // lost events that the stream told of
	triggers map[string]uint64
	written  uint64
	kept     *Kept // nil: nothing is
}

// Kept is what a flight recorder has in memory.
type Kept struct {
	Bytes                     int64 // of packed events
	Files, Processes, Devices int   // that are known
}

// kind is what requests are counted by.
type kind struct {
	device trace.DeviceID
	op     trace.ReqOp
}

// requests are those of a kind that have completed.
type requests struct {
	buckets [20]uint64 // by the first bound that is not below; those above all are in the last
	count   uint64
	latency int64 // ns, of all
	bytes   int64
	errors  uint64
}

// New has counted nothing.
func New() *Counters {
	return &Counters{names: map[trace.DeviceID]string{}, requests: map[kind]*requests{}, triggers: map[string]uint64{}}
}

// Request counts a request that has completed. Those of the recorder itself are left out.
func (c *Counters) Request(e *trace.Request) {
	if c == nil || e.Flags&trace.ReqRecorder != 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.of(kind{e.Device, e.Op})
	latency := max(e.Latency(), 0)
	n := 0
	for n < len(bounds) && latency > bounds[n] {
		n++
	}
	r.buckets[n]++
	r.count, r.latency, r.bytes = r.count+1, r.latency+latency, r.bytes+e.Bytes
	if e.Error != 0 {
		r.errors++
	}
}

func (c *Counters) of(k kind) *requests {
	r := c.requests[k]
	if r == nil {
		if c.known(k.device) {
			r = &requests{}
			c.requests[k] = r
			return r
		}
		return c.of(kind{0, k.op})
	}
	return r
}

// known reports whether a device is told apart. Number 0 stands for those that are not.
func (c *Counters) known(id trace.DeviceID) bool {
	if slices.Contains(c.devices, id) {
		return true
	}
	if len(c.devices) >= maxDevices && id != 0 {
		return false
	}
	c.devices = append(c.devices, id)
	return true
}

// Device takes the name of a device.
func (c *Counters) Device(e *trace.Device) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, named := c.names[e.ID]; named || len(c.names) < 4*maxDevices {
		c.names[e.ID] = e.Name
	}
}

// Lost counts events that could not be recorded.
func (c *Counters) Lost(e *trace.Lost) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streamed += e.Count
}

// Triggered counts a time at which a condition held.
func (c *Counters) Triggered(condition string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.triggers[condition]++
}

// Keeps takes what is kept now.
func (c *Counters) Keeps(k Kept) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = &k
}

// Wrote counts a trace that was written.
func (c *Counters) Wrote() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written++
}

// name is that of a device, its numbers if it has none.
func (c *Counters) name(id trace.DeviceID) string {
	switch name := c.names[id]; {
	case name != "":
		return name
	case id == 0:
		return "others"
	}
	return strconv.Itoa(int(id.Major())) + ":" + strconv.Itoa(int(id.Minor()))
}
