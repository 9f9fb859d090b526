package conversion_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// What ended a wait is on the host of the thread that waited: its threads, and its requests at its times.
func TestWakersAreOfTheirHost(t *testing.T) {
	const late = 1000
	device := trace.MakeDeviceID(8, 0)
	waits := []trace.Wait{
		{Start: 100, Duration: 400, PID: 7, TID: 7, Cause: trace.WaitCall, By: trace.WokenByThread, Waker: 9, Ready: 50},
		{Start: 600, Duration: 400, PID: 7, TID: 7, Cause: trace.WaitIO, By: trace.WokenByRequest, Completed: 900, Ready: 50},
	}
	dir := t.TempDir()
	var parts []conversion.Part
	for n, host := range []string{"a", "b"} {
		var out bytes.Buffer
		w, err := tracefile.NewWriter(&out, trace.Header{OS: "linux", Host: host, WallStart: time.Unix(1e9, int64(n)*late)})
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(w.Device(&trace.Device{ID: device, Name: "sda"}),
			w.Request(&trace.Request{Queued: 650, Issued: 660, Completed: 900, Device: device, Op: trace.ReqRead, Bytes: 512}),
			w.Wait(&waits[0]), w.Wait(&waits[1]), w.Close(trace.End{Duration: 2000}))
		path := filepath.Join(dir, host)
		if err = errors.Join(err, os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, conversion.Part{Path: path})
	}
	var got []trace.Wait
	completed := map[int64]bool{}
	if _, err := tracefile.Each(merged(t, parts...), func(b *trace.Batch) {
		got = append(got, b.Waits...)
		for i := range b.Requests {
			completed[b.Requests[i].Completed] = true
		}
	}); err != nil {
		t.Fatal(err)
	}
	want := append([]trace.Wait{}, waits...)
	for _, w := range waits {
		w.Start, w.PID, w.TID = w.Start+late, w.PID|1<<22, w.TID|1<<22
		if w.By == trace.WokenByRequest {
			w.Completed += late
		} else {
			w.Waker |= 1 << 22
		}
		want = append(want, w)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("waits (-want +got):\n%s", d)
	}
	for _, w := range got {
		if w.By == trace.WokenByRequest && !completed[w.Completed] {
			t.Errorf("%+v: no request was completed then: %v", w, completed)
		}
	}
}
