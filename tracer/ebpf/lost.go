//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/trace"
)

// kindOf maps enum record to the kind of event that is missing when one of
// them is lost.
var kindOf = map[uint32]trace.Kind{
	recIO: trace.KindSyscall, recCall: trace.KindSyscall, recFile: trace.KindFile, recAsync: trace.KindAsyncOp,
	recFault: trace.KindFault, recRequest: trace.KindRequest, recWait: trace.KindWait,
	recFork: trace.KindProcess, recExec: trace.KindProcess, recExit: trace.KindProcess,
}

// skipped lists the programs whose runs the kernel may skip when they would
// interrupt themselves, with the kind of event each skipped run stands for. A
// skipped request is not lost: a copy of the program takes it.
var skipped = map[string]trace.Kind{"sys_exit": trace.KindSyscall}

const sliceShift = 27 // SLICE_SHIFT in bpf/iotrace.h

// readLost reads the kernel's loss counters: by slice of time and CPU, and the
// totals, which are exact even when the slices overflowed.
func readLost(c *ebpf.Collection, base int64, unfinished uint64) ([]trace.Lost, map[trace.Kind]uint64, error) {
	total := map[trace.Kind]uint64{}
	var key uint32
	var perCPU []uint64
	for it := c.Maps["lost"].Iterate(); it.Next(&key, &perCPU); {
		for _, n := range perCPU {
			if n > 0 {
				total[kindOf[key]] += n
			}
		}
	}
	var slices []trace.Lost
	placed := map[trace.Kind]uint64{}
	var slice iotraceLostKey
	var count uint64
	it := c.Maps["lost_slices"].Iterate()
	for it.Next(&slice, &count) {
		kind := kindOf[slice.Kind]
		from := int64(slice.Slice<<sliceShift) - base
		slices = append(slices, trace.Lost{From: max(0, from), To: max(0, from+1<<sliceShift), Count: count, Kind: kind, CPU: int32(slice.Cpu)})
		placed[kind] += count
	}
	if err := it.Err(); err != nil {
		return nil, nil, fmt.Errorf("reading the loss counters: %w", err)
	}
	for name, kind := range skipped {
		p, ok := c.Programs[name]
		if !ok {
			continue
		}
		if s, err := p.Stats(); err == nil && s.RecursionMisses > 0 {
			total[kind] += s.RecursionMisses
		}
	}
	if unfinished > 0 {
		total[trace.KindRequest] += unfinished
	}
	for kind, n := range total {
		if n > placed[kind] {
			slices = append(slices, trace.Lost{From: 0, To: monotonic() - base, Count: n - placed[kind], Kind: kind, CPU: -1})
		}
	}
	return slices, total, nil
}

// unfinished counts the requests whose completion was missed: those that have
// an entry before and after a look at how many the kernel says are in flight at
// their device, less that many. A program of ours has to be attached still, lest
// a completion that nobody waits for is taken for a missed one.
func unfinished(c *ebpf.Collection) (uint64, error) {
	before, err := issuedRequests(c.Maps["requests"])
	if err != nil || len(before) == 0 {
		return 0, err
	}
	inFlight := map[uint32]int{}
	for _, r := range before {
		if _, ok := inFlight[r.Dev]; !ok {
			inFlight[r.Dev] = requestsInFlight(r.Dev)
		}
	}
	after, err := issuedRequests(c.Maps["requests"])
	if err != nil {
		return 0, err
	}
	left := map[uint32]int{}
	for address, r := range after {
		if before[address] == r {
			left[r.Dev]++
		}
	}
	var n uint64
	for dev, count := range left {
		if flying := inFlight[dev]; flying >= 0 && count > flying {
			n += uint64(count - flying)
		}
	}
	return n, nil
}

func issuedRequests(m *ebpf.Map) (map[uint64]iotraceRqInfo, error) {
	issued := map[uint64]iotraceRqInfo{}
	var address uint64
	var r iotraceRqInfo
	it := m.Iterate()
	for it.Next(&address, &r) {
		if r.Taken == 0 && r.Requeued == 0 && countedInFlight(r.Opf) {
			issued[address] = r
		}
	}
	if err := it.Err(); err != nil && !errors.Is(err, ebpf.ErrIterationAborted) {
		return nil, fmt.Errorf("reading the requests in flight: %w", err)
	}
	return issued, nil
}

// countedInFlight tells whether the kernel counts a request among those in flight: not
// the flushes that it makes itself, nor a driver's own commands.
func countedInFlight(opf uint32) bool {
	switch requestOp(opf & reqOpMask) {
	case trace.ReqRead, trace.ReqWrite, trace.ReqDiscard, trace.ReqWriteZeroes:
		return true
	}
	return false
}

// requestsInFlight is what the kernel counts at a device, -1 if it does not.
func requestsInFlight(dev uint32) int {
	id := trace.DeviceID(dev)
	dir := fmt.Sprintf("/sys/dev/block/%d:%d/", id.Major(), id.Minor())
	if on, err := os.ReadFile(dir + "queue/iostats"); err != nil || strings.TrimSpace(string(on)) == "0" {
		return -1
	}
	text, err := os.ReadFile(dir + "inflight")
	if err != nil {
		return -1
	}
	var reads, writes int
	if _, err := fmt.Sscan(string(text), &reads, &writes); err != nil {
		return -1
	}
	return reads + writes
}
