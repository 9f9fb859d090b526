package flight

import (
	"math"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"

	"github.com/iotrace/iotrace/tracer/metrics"
)

// When a block is closed, at the latest.
const (
	blockTime   = int64(1e9) // ns between the ends of its events
	blockEvents = 32 << 10
)

// Ring is a trace.Sink that forgets. Its methods are for one goroutine at a time.
type Ring struct {
	size   int64 // bytes that the blocks may have
	held   int64 // bytes that they have
	blocks []block
	whole  int64 // ns: from here on nothing was dropped

	identities
	known  *tracefile.Packer // what the events of the block that is filled refer to
	events *tracefile.Packer
	told   told
	count  int   // events in the block that is filled
	start  int64 // when it began
	from   int64 // when the first of its events ended
	to     int64 // when the last event of all ended
}

// block is a stretch of the recording. Nothing of it changes.
type block struct {
	from, to      int64 // when the first and the last of its events ended
	known, events []byte
}

func (b *block) size() int64 { return int64(len(b.known)+len(b.events)) + blockCost }

// blockCost is what a block takes besides its bytes.
const blockCost = 128

// told is what was described in the block that is filled.
type told struct {
	files     map[trace.FileID]bool
	processes map[uint32]bool
	devices   map[trace.DeviceID]bool
}

// NewRing makes a ring whose blocks have at most size bytes. What is known of files, processes and devices comes on top
// of that, but has a bound as well: 32 MiB of names and as much of command lines, and some 200 bytes for each of them.
func NewRing(size int64) (*Ring, error) {
	known, err := tracefile.NewPacker()
	if err != nil {
		return nil, err
	}
	events, err := tracefile.NewPacker()
	if err != nil {
		return nil, err
	}
	return &Ring{size: size, identities: newIdentities(), known: known, events: events, whole: math.MinInt64,
		told: told{map[trace.FileID]bool{}, map[uint32]bool{}, map[trace.DeviceID]bool{}}}, nil
}

// Seal closes the block that is filled.
func (r *Ring) Seal() {
	if r.count == 0 {
		return
	}
	b := block{from: r.from, to: r.to, known: r.known.Pack(), events: r.events.Pack()}
	r.count = 0
	clear(r.told.files)
	clear(r.told.processes)
	clear(r.told.devices)
	r.blocks = append(r.blocks, b)
	r.held += b.size()
	for r.held > r.size && len(r.blocks) > 0 {
		r.dropOldest()
	}
}

// Forget drops the blocks whose events ended before a time, and processes that had ended long before it.
func (r *Ring) Forget(before int64) {
	r.outlive(before - int64(afterlife))
	for len(r.blocks) > 0 && r.blocks[0].to < before {
		r.dropOldest()
	}
}

// Gone drops what is known of files that no event refers to any more. The blocks describe those that theirs refer to.
func (r *Ring) Gone(files []trace.FileID) {
	for _, id := range files {
		r.files.remove(id)
	}
	r.files.compact()
}

// kept is how much is in memory.
func (r *Ring) kept() metrics.Kept {
	return metrics.Kept{Bytes: r.held, Files: r.files.len(), Processes: r.processes.len(), Devices: r.devices.len()}
}

func (r *Ring) dropOldest() {
	b := &r.blocks[0]
	r.held -= b.size()
	r.whole = max(r.whole, b.to+1)
	*b = block{} // its bytes are free although the slice goes on
	r.blocks = r.blocks[1:]
}

// Whole is the time from which on no event was dropped.
func (r *Ring) Whole() int64 { return r.whole }

// Held is the number of bytes that are kept.
func (r *Ring) Held() int64 { return r.held }

// added closes the block when the event that was added, and that ended at a time, fills it.
func (r *Ring) added(ended int64, err error) error {
	if err != nil {
		return err
	}
	r.to = max(r.to, ended)
	if r.count++; r.count == 1 {
		r.start, r.from = r.to, ended
	}
	r.from = min(r.from, ended)
	if r.to-r.start >= blockTime || r.count >= blockEvents {
		r.Seal()
	}
	return nil
}
