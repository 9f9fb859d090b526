package conversion

import (
	"bytes"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// The time that a trace covers ends with its last event, of whatever kind that is.
func TestLast(t *testing.T) {
	w, err := tracefile.NewWriter(&bytes.Buffer{}, trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	s := sink{Writer: w}
	for i, add := range []func() error{
		func() error { return s.Syscall(&trace.Syscall{Start: 0, Duration: 10}) },
		func() error { return s.Request(&trace.Request{Queued: 0, Issued: 0, Completed: 20}) },
		func() error { return s.AsyncOp(&trace.AsyncOp{Submit: 0, Complete: 30}) },
		func() error { return s.Fault(&trace.Fault{Start: 20, Duration: 20}) },
		func() error { return s.Wait(&trace.Wait{Start: 20, Duration: 30}) },
		func() error { return s.Process(&trace.Process{Time: 60}) },
	} {
		if err := add(); err != nil {
			t.Fatal(err)
		}
		if want := int64(i+1) * 10; s.last != want {
			t.Errorf("event %d: the last ends at %d, want %d", i, s.last, want)
		}
	}
}
