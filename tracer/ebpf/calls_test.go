//go:build linux

package ebpf

import (
	"runtime"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// Every call of the common table that exists here is recorded, but for those
// that only change what later calls refer to.
func TestTheTableHasEveryCall(t *testing.T) {
	follow := []linux.Shape{linux.ShapeDup, linux.ShapeDup2, linux.ShapeCloseMany, linux.ShapeChdir, linux.ShapeFchdir}
	n := 0
	for i := range linux.Calls {
		c := &linux.Calls[i]
		nr, there := c.Number(runtime.GOARCH)
		if !there || slices.Contains(follow, c.Shape) {
			continue
		}
		n++
		if !slices.ContainsFunc(calls, func(k call) bool {
			return k.nr == nr && k.name == c.Name && k.op == c.Op && k.shape != iotraceShapeSHAPE_NONE
		}) {
			t.Errorf("%s is not recorded", c.Name)
		}
		if nr >= int(iotraceBoundMAX_CALLS) {
			t.Errorf("%s has number %d, and there is room for %d", c.Name, nr, iotraceBoundMAX_CALLS)
		}
	}
	if n != len(calls) {
		t.Errorf("%d calls are recorded, %d are in the common table", len(calls), n)
	}
}

// What the programs number as a trace does, they number the same.
func TestSharedNumbers(t *testing.T) {
	for _, n := range []struct{ program, trace int }{
		{int(iotraceApiAPI_URING), int(trace.APIUring)}, {int(iotraceApiAPI_LIBAIO), int(trace.APILibaio)},
		{int(iotraceEvidenceEV_NONE), int(trace.EvidenceNone)}, {int(iotraceEvidenceEV_EXACT), int(trace.EvidenceExact)},
		{int(iotraceEvidenceEV_INODE), int(trace.EvidenceInode)},
		{int(iotraceWaitCauseWAIT_IO), int(trace.WaitIO)}, {int(iotraceWaitCauseWAIT_THROTTLE), int(trace.WaitThrottle)},
		{int(iotraceWaitCauseWAIT_CALL), int(trace.WaitCall)}, {int(iotraceWaitCauseWAIT_OTHER), int(trace.WaitOther)},
		{int(iotraceWaitCauseWAIT_READY), int(trace.WaitReady)}, {int(iotraceWaitCauseWAIT_STOPPED), int(trace.WaitStopped)},
		{int(iotraceWaitCauseWAIT_TRACED), int(trace.WaitTraced)}, {int(iotraceWaitCauseWAIT_FROZEN), int(trace.WaitFrozen)},
		{int(iotraceWaitCauseWAIT_THAW), int(trace.WaitThaw)},
		{int(iotraceWakerBY_THREAD), int(trace.WokenByThread)}, {int(iotraceWakerBY_REQUEST), int(trace.WokenByRequest)},
		{int(iotraceWakerBY_TIMER), int(trace.WokenByTimer)}, {int(iotraceWakerBY_INTERRUPT), int(trace.WokenByInterrupt)},
	} {
		if n.program != n.trace {
			t.Errorf("%d in the programs, %d in a trace", n.program, n.trace)
		}
	}
}
