package block

import (
	"slices"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// actRemap is the record of a partition's request that becomes the disk's. In what blkparse -d writes it has the number
// of the partition, and yet was counted with the disk's.
const actRemap = 15

// keptRemaps bounds the numbers of such records that are remembered for each CPU, and maxCPUs those.
const (
	keptRemaps = 1024
	maxCPUs    = 1024
)

// gaps follows the numbers of records. Those of a device on a CPU follow each other.
type gaps struct {
	last    map[uint64]uint32   // of a device and CPU
	remaps  map[uint32][]uint32 // of a CPU: the numbers of records that were counted with another device
	missing uint64
}

func newGaps() gaps { return gaps{last: map[uint64]uint32{}, remaps: map[uint32][]uint32{}} }

// before is how many records are missing before this one.
func (g *gaps) before(r *record) uint64 {
	key := uint64(r.Device)<<32 | uint64(r.CPU)
	last, known := g.last[key]
	if r.Action&0xffff == actRemap && (!known || r.Sequence != last+1) {
		g.remapped(r)
		return 0
	}
	if known && r.Sequence <= last {
		return 0
	}
	if known || len(g.last) < convert.MaxSeen {
		g.last[key] = r.Sequence
	}
	if !known || r.Sequence == last+1 {
		return 0
	}
	n := uint64(r.Sequence - last - 1)
	for _, there := range g.remaps[r.CPU] {
		if there > last && there < r.Sequence {
			n--
		}
	}
	g.missing += n
	return n
}

func (g *gaps) remapped(r *record) {
	list, known := g.remaps[r.CPU]
	if slices.Contains(list, r.Sequence) || !known && len(g.remaps) == maxCPUs {
		return
	}
	if list = append(list, r.Sequence); len(list) > keptRemaps {
		list = slices.Delete(list, 0, 1)
	}
	g.remaps[r.CPU] = list
}

// gap notes events that are missing before this one.
func (b *binaryReader) gap(r *record, since int64) error {
	n := b.gaps.before(r)
	if n == 0 {
		return nil
	}
	return b.sink.Lost(&trace.Lost{From: since, To: b.last, Count: n, Kind: trace.KindRequest,
		CPU: int32(min(r.CPU, 1<<20))})
}
