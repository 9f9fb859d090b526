//go:build linux

package ebpf

import (
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/trace"
)

// kindOf maps enum record to the kind of event that is missing when one of
// them is lost.
var kindOf = map[iotraceRecord]trace.Kind{
	iotraceRecordREC_IO: trace.KindSyscall, iotraceRecordREC_CALL: trace.KindSyscall,
	iotraceRecordREC_FILE: trace.KindFile, iotraceRecordREC_ASYNC: trace.KindAsyncOp,
	iotraceRecordREC_NAMES: trace.KindAsyncOp,
	iotraceRecordREC_FAULT: trace.KindFault, iotraceRecordREC_REQUEST: trace.KindRequest,
	iotraceRecordREC_WAIT: trace.KindWait, iotraceRecordREC_FORK: trace.KindProcess,
	iotraceRecordREC_EXEC: trace.KindProcess, iotraceRecordREC_EXIT: trace.KindProcess,
	iotraceRecordREC_HELPER: trace.KindProcess, iotraceRecordREC_JOINED: trace.KindProcess,
	iotraceRecordREC_LEFT: trace.KindProcess, iotraceRecordREC_COMMIT: trace.KindRequest,
	iotraceRecordREC_GROUP: trace.KindProcess, iotraceRecordREC_RPC: trace.KindRPC,
}

// skipped lists the programs whose runs the kernel may skip when they would
// interrupt themselves, with the kind of event each skipped run stands for at
// most: it may have been another program's. A skipped request is not lost: a
// copy of the program takes it.
var skipped = withSMB(map[string]trace.Kind{
	"sched_process_fork": trace.KindProcess, "sched_process_exec": trace.KindProcess,
	"sched_process_exit": trace.KindProcess, "io_uring_submit_req": trace.KindAsyncOp,
	"io_uring_submit_sqe": trace.KindAsyncOp, "io_uring_submit_sqe_parts": trace.KindAsyncOp,
	"rpc_stats_latency_4": trace.KindRPC, "svc_send_4": trace.KindRPC,
	"io_uring_complete": trace.KindAsyncOp, "io_uring_complete_res": trace.KindAsyncOp,
})

// halves are the counters of calls that were seen in part (enum half), with the
// program whose run is missing. The programs know which calls were the recorded
// ones, the kernel knows that a run was skipped.
var halves = map[iotraceHalf]string{iotraceHalfNO_ENTRY: "sys_enter", iotraceHalfNO_EXIT: "sys_exit"}

// totalLost reads how many events were lost by now, without requests whose completion was missed.
func totalLost(c *ebpf.Collection) (map[trace.Kind]uint64, error) {
	total, partly := map[trace.Kind]uint64{}, map[iotraceHalf]uint64{}
	var key uint32
	var perCPU []uint64
	kinds := c.Maps["lost"].Iterate()
	for kinds.Next(&key, &perCPU) {
		for _, n := range perCPU {
			if kind, ok := kindOf[iotraceRecord(key)]; ok && n > 0 {
				total[kind] += n
			}
			if halves[iotraceHalf(key)] != "" {
				partly[iotraceHalf(key)] += n
			}
		}
	}
	if err := kinds.Err(); err != nil {
		return nil, fmt.Errorf("reading the loss counters: %w", err)
	}
	for name, kind := range skipped {
		if n := skippedRuns(c, name); n > 0 {
			total[kind] += n
		}
	}
	for key, n := range partly {
		if n = min(n, skippedRuns(c, halves[key])); n > 0 {
			total[trace.KindSyscall] += n
		}
	}
	return total, nil
}

// skippedRuns is how many runs of a program the kernel has skipped.
func skippedRuns(c *ebpf.Collection, name string) uint64 {
	p := c.Programs[name]
	if p == nil {
		return 0
	}
	s, err := p.Stats()
	if err != nil {
		return 0
	}
	return s.RecursionMisses
}

// unfinished counts the requests whose completion was missed: those that have
// an entry before and after a look at how many the kernel says are in flight at
// their device, less that many. A program of ours has to be attached still, lest
// a completion that nobody waits for is taken for a missed one.
func unfinished(c *ebpf.Collection) (uint64, error) {
	before, err := issuedRequests(c)
	if err != nil || len(before) == 0 {
		return 0, err
	}
	inFlight := map[uint32]int{}
	for _, r := range before {
		if _, ok := inFlight[r.Dev]; !ok {
			inFlight[r.Dev] = requestsInFlight(r.Dev)
		}
	}
	after, err := issuedRequests(c)
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

func issuedRequests(c *ebpf.Collection) (map[uint64]iotraceRqInfo, error) {
	issued, err := keptRequests(c)
	if err != nil {
		return nil, fmt.Errorf("reading the requests in flight: %w", err)
	}
	var begun uint64
	if err := c.Variables["begun"].Get(&begun); err != nil {
		return nil, fmt.Errorf("reading when all probes were in place: %w", err)
	}
	maps.DeleteFunc(issued, func(_ uint64, r iotraceRqInfo) bool {
		return r.Issued <= begun || r.Taken != 0 || r.Requeued != 0 || !countedInFlight(r.Opf)
	})
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
