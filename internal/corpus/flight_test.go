//go:build linux

package corpus

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// slowAt is the latency that a flight recorder looks out for, in ns; a stall lasts longer.
const slowAt, stall = 150e6, 200 * time.Millisecond

// TestFlightRecorder: a stall of a device is in the trace that the flight recorder writes, with the requests before,
// during and after it. Until then the same load makes it write nothing. What others do on the machine may do so: only
// the device of the test counts.
func TestFlightRecorder(t *testing.T) {
	needPrivilege(t)
	dir := workDir(t)
	held, traces, ready := filepath.Join(dir, "held"), filepath.Join(dir, "traces"), filepath.Join(dir, "ready")
	disk := device(t, &testenv.Model{Read: 2 * time.Millisecond, Write: 2 * time.Millisecond, Stall: held}, 1)
	name := strings.TrimPrefix(source(t, disk), "/dev/")
	if err := os.Mkdir(traces, 0o700); err != nil {
		t.Fatal(err)
	}
	recorder := exec.Command(binary, "record", "--all", "--keep", "60s", "--after", "1s", "--when",
		"request.latency > 150ms", "--at-most", "0", "-o", traces, "--ready-file", ready)
	recorder.Env = append(os.Environ(), "RUNTIME_DIRECTORY="+filepath.Join(dir, "run"))
	recorder.Stderr = os.Stderr
	starting(t, recorder)
	wait(t, "the recorder", func() bool { _, err := os.Stat(ready); return err == nil })
	starting(t, exec.Command("dd", "if=/dev/zero", "of="+filepath.Join(disk, "load"), "bs=4k", "count=1000000",
		"oflag=direct", "conv=notrunc", "status=none"))
	time.Sleep(2 * time.Second)
	for _, x := range flights(t, traces, name) {
		if x.header.Trigger.Device == name && len(x.slow()) == 0 { // otherwise the machine was that busy
			t.Errorf("a trace without a slow request: %+v", x.header.Trigger)
		}
	}
	if err := os.WriteFile(held, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	from := time.Now()
	time.Sleep(stall)
	if err := os.Remove(held); err != nil {
		t.Fatal(err)
	}
	wait(t, "the trace of the stall", func() bool {
		for _, x := range flights(t, traces, name) {
			for _, r := range x.slow() {
				if at := x.header.WallStart.Add(time.Duration(r.Completed)); at.After(from) {
					x.surrounds(t, r)
					x.explained(t)
					return true
				}
			}
		}
		return false
	})
}

// flight is what a trace of a flight recorder has of a device.
type flight struct {
	path     string
	header   trace.Header
	requests []trace.Request
}

// flights are the whole traces in a directory.
func flights(t *testing.T, dir, device string) (list []flight) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.iotrace"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range names {
		x := flight{path: path}
		id := trace.DeviceID(0)
		r, err := tracefile.Each(path, func(b *trace.Batch) {
			for i := range b.Devices {
				if b.Devices[i].Name == device {
					id = b.Devices[i].ID
				}
			}
			for i := range b.Requests {
				if b.Requests[i].Device == id {
					x.requests = append(x.requests, b.Requests[i])
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if end, whole := r.End(); !whole || end.Reason != "trigger" || len(r.Damage()) > 0 || r.Header().Trigger == nil {
			t.Errorf("%s: whole %v, %+v, %v", path, whole, end, r.Damage())
		}
		x.header = r.Header()
		list = append(list, x)
	}
	return list
}

func (f *flight) slow() (list []trace.Request) {
	for _, r := range f.requests {
		if r.Latency() > slowAt {
			list = append(list, r)
		}
	}
	return list
}

// surrounds makes sure that the trace has what was done before and after a request, and that somebody did it.
func (f *flight) surrounds(t *testing.T, slow trace.Request) {
	t.Helper()
	before, after := 0, 0
	for _, r := range f.requests {
		switch {
		case r.Completed <= slow.Issued:
			before++
		case r.Issued >= slow.Completed:
			after++
		}
	}
	if before == 0 || after == 0 || slow.PID == 0 {
		t.Errorf("%d requests before the stall of %+v, %d after it", before, slow, after)
	}
	t.Logf("%d requests before, %d after; trigger %+v", before, after, *f.header.Trigger)
}

// explained makes sure that who waited for the stall is told, if the trigger is of it, and what for; and that the
// device is what had more to do than before.
func (f *flight) explained(t *testing.T) {
	t.Helper()
	p, err := analyzer.Analyze(f.path, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, trigger := p.Incident, p.Trace.Trigger
	if x == nil || x.Operation == nil {
		t.Fatalf("nobody waited: %+v", x)
	}
	if trigger.Command != "dd" {
		t.Skipf("another disk was that slow: %+v", trigger)
	}
	o := x.Operation
	if o.Kind.Process != "dd" || o.Kind.Call != "write" || o.ToNS-o.FromNS < trigger.LatencyNS ||
		len(o.Parts) == 0 || o.Parts[0].Place.What != "service" || o.Parts[0].NS < trigger.LatencyNS*9/10 {
		t.Errorf("%+v", o)
	}
	device := slices.IndexFunc(x.Differences, func(d profile.Difference) bool { return d.Value == trigger.Device })
	if x.FromNS > 0 && x.During.Depth > x.Before.Depth && device < 0 {
		t.Errorf("%s is no difference: %+v", trigger.Device, x)
	}
	t.Logf("%+v\nbefore %+v, then %+v", o.Parts, x.Before, x.During)
}

// starting starts a program that ends with the test.
func starting(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := c.Process.Signal(unix.SIGINT)
		if wrong := c.Wait(); c.Args[0] == binary {
			err = errors.Join(err, wrong)
		}
		if err != nil {
			t.Error(err)
		}
	})
}

func wait(t testing.TB, what string, there func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !there(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is not there", what)
		}
	}
}
