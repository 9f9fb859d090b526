package world_test

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// What a device declines to do, and the kernel does otherwise, is no failure; what it cannot read or write is one, and
// so is a flush.
func TestFailed(t *testing.T) {
	const notSupported, io, noSpace = 95, 5, 28
	for _, test := range []struct {
		op   trace.ReqOp
		err  int32
		want bool
	}{
		{trace.ReqDiscard, notSupported, false},
		{trace.ReqWriteZeroes, notSupported, false},
		{trace.ReqRead, notSupported, true},
		{trace.ReqWrite, notSupported, true},
		{trace.ReqFlush, notSupported, true},
		{trace.ReqDiscard, io, true},
		{trace.ReqWriteZeroes, noSpace, true},
		{trace.ReqWrite, 0, false},
	} {
		if got := world.Failed(&trace.Request{Op: test.op, Error: test.err}); got != test.want {
			t.Errorf("%v with error %d: failed %v, want %v", test.op, test.err, got, test.want)
		}
	}
}
