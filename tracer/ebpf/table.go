//go:build linux

package ebpf

import (
	"errors"
	"maps"

	"github.com/cilium/ebpf"
)

// slotTaken is the owner of a slot that is still to be entered (TAKEN in bpf/table.h): no address.
const slotTaken = 1

// tableSlot is one of a table of what is kept of bios or requests (bpf/table.h).
type tableSlot[E any] struct {
	Owner uint64
	Entry E
}

// keptRequests are what the probes keep of requests in flight, by address.
func keptRequests(c *ebpf.Collection) (map[uint64]iotraceRqInfo, error) {
	return kept[iotraceRqInfo](c.Maps["request_slots"], c.Maps["requests"])
}

// kept gathers the entries of a table: those in slots, of which the probes for old kernels have none, and the others.
func kept[E any](slots, others *ebpf.Map) (map[uint64]E, error) {
	entries := map[uint64]E{}
	var address uint64
	var entry E
	it := others.Iterate()
	for it.Next(&address, &entry) {
		entries[address] = entry
	}
	if err := it.Err(); err != nil && !errors.Is(err, ebpf.ErrIterationAborted) {
		return nil, err
	}
	if slots == nil {
		return entries, nil
	}
	inSlots, err := slotted[E](slots)
	maps.Copy(entries, inSlots)
	return entries, err
}

// slotted reads all slots at once.
func slotted[E any](slots *ebpf.Map) (map[uint64]E, error) {
	entries := map[uint64]E{}
	keys := make([]uint32, slots.MaxEntries())
	values := make([]tableSlot[E], len(keys))
	n, err := slots.BatchLookup(new(ebpf.MapBatchCursor), keys, values, nil)
	if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return nil, err
	}
	for _, s := range values[:n] {
		if s.Owner > slotTaken {
			entries[s.Owner] = s.Entry
		}
	}
	return entries, nil
}
