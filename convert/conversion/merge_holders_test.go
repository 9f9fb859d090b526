package conversion_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Files of two hosts that have one inode are two files: who had one of them did not have the other.
func TestHoldersStayApart(t *testing.T) {
	dir := t.TempDir()
	pipes := trace.MakeDeviceID(0, 14)
	var parts []conversion.Part
	for _, host := range []string{"a", "b"} {
		var out bytes.Buffer
		w, err := tracefile.NewWriter(&out, trace.Header{OS: "linux", Host: host, WallStart: time.Unix(1e9, 0)})
		if err == nil {
			err = w.File(&trace.File{ID: 1, Path: "pipe:[9]", Device: pipes, Inode: 9, Type: trace.FilePipe, FSType: "pipefs"})
		}
		path := filepath.Join(dir, host)
		if err = errors.Join(err, w.Close(trace.End{Holders: []trace.Holder{
			{What: trace.HeldPipe, Inode: 9, PID: 5, Command: "cat"},
			{What: trace.HeldPipe, Inode: 10, PID: 6, Command: "tee"}, // of a file that the trace does not know
		}, Accepted: []trace.Socket{{Inode: 9}, {Inode: 10}},
			Processors: &trace.Processors{Others: []trace.Runner{{PID: 7, Command: "make", Time: int64(len(parts) + 1)}}}}), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, conversion.Part{Path: path})
	}
	on := map[string]trace.DeviceID{}
	r, err := tracefile.Each(merged(t, parts...), func(b *trace.Batch) {
		for _, f := range b.Files {
			on[f.Path] = f.Device
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	end, _ := r.End()
	var want []trace.Holder
	var accepted []trace.Socket
	for n, host := range []string{"a", "b"} {
		want = append(want, trace.Holder{What: trace.HeldPipe, Inode: 9, Device: on[fmt.Sprintf("//%s/pipe:[9]", host)],
			PID: uint32(n)<<22 + 5, Command: "cat@" + host})
		accepted = append(accepted, trace.Socket{Inode: 9, Device: want[n].Device})
	}
	others := []trace.Runner{{PID: 1<<22 + 7, Command: "make@b", Time: 2}, {PID: 7, Command: "make@a", Time: 1}}
	if d := cmp.Diff(others, end.Processors.Others); d != "" {
		t.Errorf("who ran beside (-want +got):\n%s", d)
	}
	if d := cmp.Diff(accepted, end.Accepted); d != "" {
		t.Errorf("accepted sockets (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, end.Holders); d != "" || want[0].Device == want[1].Device || want[0].Device == 0 {
		t.Errorf("%v (-want +got):\n%s", on, d)
	}
}
