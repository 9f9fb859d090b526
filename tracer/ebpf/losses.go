//go:build linux

package ebpf

import (
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/trace"
)

// losses tells of what could not be recorded while the recording goes on, which may be for weeks: the kernel has room
// for so many slices of time, and who keeps only the last minute has to know of what is missing in it.
type losses struct {
	collection *ebpf.Collection
	base       int64
	told       map[trace.Kind]uint64
	next       int64 // when to look again, and when to look at the totals
	nextTotal  int64
	reached    int64 // until when the totals are told
}

const (
	// lossesEvery is how often slices are taken out, totalsEvery how often it is asked whether some events are in none.
	lossesEvery = int64(100 * time.Millisecond)
	totalsEvery = int64(time.Second)
	// sliceLength is how long a slice is. One is taken when it has been over for a while: a probe may still count there.
	sliceLength = int64(1) << iotraceBoundSLICE_SHIFT
	sliceRest   = int64(50 * time.Millisecond)
)

func newLosses(c *ebpf.Collection, base int64) *losses {
	return &losses{collection: c, base: base, told: map[trace.Kind]uint64{}}
}

// tell tells a sink of what was lost in slices that are over.
func (l *losses) tell(sink trace.Sink, now int64) error {
	if now < l.next {
		return nil
	}
	l.next = now + lossesEvery
	if now < l.nextTotal {
		_, err := l.take(sink, now-sliceRest)
		return err
	}
	l.nextTotal = now + totalsEvery
	return l.rest(sink, now, now-sliceRest, 0)
}

// finish tells of the rest, and returns the totals. unfinished is the number of requests whose completion was missed.
func (l *losses) finish(sink trace.Sink, now int64, unfinished uint64) (map[trace.Kind]uint64, error) {
	err := l.rest(sink, now, now+sliceLength, unfinished)
	return l.told, err
}

// rest takes the slices that ended before a time, and tells of what is in none: the totals are exact also where slices
// overflowed or runs were skipped. They are read first, so that they have nothing that could still be in a slice.
func (l *losses) rest(sink trace.Sink, now, before int64, unfinished uint64) error {
	total, err := totalLost(l.collection)
	if err != nil {
		return err
	}
	if unfinished > 0 {
		total[trace.KindRequest] += unfinished
	}
	open, err := l.take(sink, before)
	if err != nil {
		return err
	}
	for kind, n := range total {
		if placed := l.told[kind] + open[kind]; n > placed {
			e := trace.Lost{From: l.reached, To: now, Count: n - placed, Kind: kind, CPU: -1}
			if err := sink.Lost(&e); err != nil {
				return err
			}
			l.told[kind] += e.Count
		}
	}
	l.reached = now
	return nil
}

// take tells of the slices that ended before a time, and takes them out of the kernel's map, which would fill. It
// returns what the others have.
func (l *losses) take(sink trace.Sink, before int64) (open map[trace.Kind]uint64, err error) {
	slices := l.collection.Maps["lost_slices"]
	open = map[trace.Kind]uint64{}
	var over []iotraceLostKey
	var slice iotraceLostKey
	var count uint64
	it := slices.Iterate()
	for it.Next(&slice, &count) {
		kind := kindOf[iotraceRecord(slice.Kind)]
		from := int64(slice.Slice<<iotraceBoundSLICE_SHIFT) - l.base
		if from+sliceLength > before {
			open[kind] += count
			continue
		}
		over = append(over, slice)
		l.told[kind] += count
		if err := sink.Lost(&trace.Lost{From: max(0, from), To: max(0, from+sliceLength), Count: count, Kind: kind,
			CPU: int32(slice.Cpu)}); err != nil {
			return nil, err
		}
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("reading the loss counters: %w", err)
	}
	for i := range over {
		if err := slices.Delete(&over[i]); err != nil {
			return nil, fmt.Errorf("emptying the loss counters: %w", err)
		}
	}
	return open, nil
}
