package top

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

const second = int64(1e9)

var disk, loop = trace.MakeDeviceID(8, 0), trace.MakeDeviceID(7, 0)

// scene is an activity with intervals of a second, a disk with one file system and a loop device over one of its files.
func scene(t testing.TB) *activity {
	t.Helper()
	a := newActivity(activityOptions{Every: second})
	for _, d := range []trace.Device{{ID: disk, Name: "sda"},
		{ID: loop, Name: "loop0", Parents: []trace.DeviceID{disk}, Backing: "/image"}} {
		must(t, a.Device(&d))
	}
	for _, f := range []trace.File{
		{ID: 1, Path: "/data", Device: trace.MakeDeviceID(8, 1), Inode: 10, Type: trace.FileRegular, FSType: "ext4"},
		{ID: 2, Path: "/image", Device: trace.MakeDeviceID(8, 1), Inode: 11, Type: trace.FileRegular, FSType: "ext4"},
		{ID: 3, Path: "/mnt/inner", Device: loop, Inode: 12, Type: trace.FileRegular, FSType: "ext4"},
		{ID: 4, Path: "pipe:[7]", Inode: 13, Type: trace.FilePipe, FSType: "pipefs"},
	} {
		must(t, a.File(&f))
	}
	for _, p := range []trace.Process{
		{Action: trace.ProcessPresent, PID: 50, TID: 50, Parent: 1, Command: "postgres"},
		{Action: trace.ProcessPresent, PID: 60, TID: 60, Parent: 2, Command: "kworker/u8:1-flush-8:0"},
		{Action: trace.ProcessPresent, PID: 61, TID: 61, Parent: 2, Command: "jbd2/sda1-8"},
	} {
		must(t, a.Process(&p))
	}
	return a
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(from, to int64, pid uint32, file trace.FileID, bytes int64) *trace.Syscall {
	return &trace.Syscall{Start: from, Duration: to - from, PID: pid, TID: pid, Op: trace.OpWrite,
		File: file, Result: bytes}
}

func request(from, to int64, device trace.DeviceID, owner uint32, file trace.FileID, bytes int64) *trace.Request {
	return &trace.Request{Queued: from, Issued: from, Completed: to, Device: device, Op: trace.ReqWrite, PID: 60,
		Owner: owner, File: file, Bytes: bytes}
}

// What somebody who is not looked at has a device do counts for the device alone.
func TestOthersAtADevice(t *testing.T) {
	a := scene(t)
	foreign := request(0, second/2, disk, 0, 1, 4096)
	foreign.PID, foreign.Flags = 900, trace.ReqForeign
	must(t, a.Request(foreign))
	must(t, a.Request(request(0, second/2, disk, 50, 1, 512)))
	i := a.Take(second)
	if i.Devices[0].Write.Bytes != 4096+512 || len(i.Processes) != 1 || i.Processes[0].Device.Write != 512 ||
		len(i.Files) != 1 || i.Files[0].Device.Write != 512 {
		t.Errorf("%+v, %+v, %+v", i.Devices, i.Processes, i.Files)
	}
}

// A call that spans intervals counts in the one in which it ends, and so does a request; a device is busy in each.
func TestWhatSpansIntervals(t *testing.T) {
	a := scene(t)
	must(t, a.Syscall(write(second/2, second+second/4, 50, 1, 4096)))
	must(t, a.Request(request(second/2, second+second/4, disk, 50, 1, 8192)))
	first, next := a.Take(second), a.Take(2*second)
	if len(first.Processes) > 0 || first.Devices[0].Write.Requests > 0 || len(first.Files) > 0 {
		t.Errorf("counted before it ended: %+v", first)
	}
	d := next.Devices[0]
	if d.Write.Bytes != 8192 || d.Write.Requests != 1 || d.Depth != .75 || d.Latency.Max != 3*second/4 {
		t.Errorf("%+v, latency %+v", d, d.Latency)
	}
	if first.Devices[0].Busy != .5 || next.Devices[0].Busy != .25 {
		t.Errorf("busy %v, then %v", first.Devices[0].Busy, next.Devices[0].Busy)
	}
	p := next.Processes[0]
	if p.Command != "postgres" || p.Calls.Write != 4096 || p.Device.Write != 8192 || p.Block != 4096 {
		t.Errorf("%+v", p)
	}
	if f := next.Files[0]; f.Path != "/data" || f.Calls.Write != 4096 || f.Device.Write != 8192 || f.PID != 50 {
		t.Errorf("%+v", f)
	}
	if f := next.Devices[0].Amplification; f == nil || *f != 2 {
		t.Errorf("amplification %v", f)
	}
}

// What arrives when its interval was taken counts in the next: nothing is lost from the sum.
func TestLateEvents(t *testing.T) {
	a := scene(t)
	a.Take(second)
	must(t, a.Syscall(write(second/4, second/2, 50, 1, 4096)))
	must(t, a.Request(request(second/4, second/2, disk, 50, 1, 4096)))
	i := a.Take(2 * second)
	if i.Processes[0].Calls.Write != 4096 || i.Devices[0].Write.Bytes != 4096 || i.Devices[0].Busy != 0 {
		t.Errorf("%+v", i)
	}
}

// Each byte and request is in one interval, whatever the order in which events come and intervals are taken.
func TestIntervalsAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := scene(t)
		var calls, device, requests, gotCalls, gotDevice, gotFiles, gotRequests int64
		take := func() {
			i := a.Take(a.Next())
			for _, p := range i.Processes {
				gotCalls += p.Calls.Total()
			}
			for _, d := range i.Devices {
				gotDevice += d.Read.Bytes + d.Write.Bytes
				gotRequests += d.Read.Requests + d.Write.Requests
				if d.Busy < 0 || d.Busy > 1 {
					r.Errorf("busy %v", d.Busy)
				}
			}
			for _, f := range i.Files {
				gotFiles += f.Calls.Total()
			}
		}
		for range rapid.IntRange(0, 60).Draw(r, "events") {
			from := rapid.Int64Range(0, 30*second).Draw(r, "from")
			to := from + rapid.Int64Range(0, 3*second).Draw(r, "ns")
			bytes := rapid.Int64Range(0, 1<<20).Draw(r, "bytes")
			switch rapid.IntRange(0, 3).Draw(r, "what") {
			case 0:
				calls += bytes
				must(t, a.Syscall(write(from, to, uint32(bytes%70), 1, bytes)))
			case 1:
				device, requests = device+bytes, requests+1
				must(t, a.Request(request(from, to, disk, uint32(bytes%70), 1, bytes)))
			case 2:
				must(t, a.Wait(&trace.Wait{Start: from, Duration: to - from, PID: 50, Cause: trace.WaitIO}))
			case 3:
				take()
			}
		}
		for range 40 {
			take()
		}
		if gotCalls != calls || gotFiles != calls || gotDevice != device || gotRequests != requests {
			r.Errorf("calls %d and %d of %d, device %d of %d, requests %d of %d", gotCalls, gotFiles, calls, gotDevice, device,
				gotRequests, requests)
		}
	})
}

// The time in which a process waits is that in which one of its threads does.
func TestWaiting(t *testing.T) {
	a := scene(t)
	for _, w := range []trace.Wait{
		{Start: 0, Duration: second / 4, PID: 50, TID: 50, Cause: trace.WaitIO},
		{Start: second / 8, Duration: second / 4, PID: 50, TID: 51, Cause: trace.WaitThrottle},
		{Start: second / 2, Duration: second / 4, PID: 50, TID: 51, Cause: trace.WaitPoll},
		{Start: second / 2, Duration: second / 4, PID: 50, TID: 51, Cause: trace.WaitIO, Flags: trace.WaitHelper},
		{Start: second * 7 / 8, Duration: second / 8, Ready: second / 8, PID: 50, TID: 51, Cause: trace.WaitIO},
	} {
		must(t, a.Wait(&w))
	}
	must(t, a.Syscall(&trace.Syscall{Start: second / 4, Duration: second / 4, PID: 50, Op: trace.OpSync, File: 1}))
	p := a.Take(second).Processes[0]
	if p.Wait != .5 || p.Syncs != 1 {
		t.Errorf("waited %v, %d syncs", p.Wait, p.Syncs)
	}
}

// Who a request counts for.
func TestWhoseRequest(t *testing.T) {
	for _, c := range []struct {
		what string
		q    *trace.Request
		op   trace.ReqOp
		want string
	}{
		{"of a process", request(0, 1, disk, 50, 1, 4096), trace.ReqWrite, "postgres"},
		{"write-back for nobody who is known", request(0, 1, disk, 60, 1, 4096), trace.ReqWrite, nameWriteBack},
		{"a worker that reads", request(0, 1, disk, 60, 1, 4096), trace.ReqRead, nameKernel},
		{"of the journal", request(0, 1, disk, 61, 0, 4096), trace.ReqWrite, "jbd2/sda1-8"},
		{"of nobody", &trace.Request{Completed: 1, Device: disk, Bytes: 4096}, trace.ReqWrite, nameWriteBack},
		{"at the loop device", request(0, 1, loop, 50, 3, 4096), trace.ReqWrite, "postgres"},
		{"below the loop device", request(0, 1, disk, 60, 2, 4096), trace.ReqWrite, ""},
		{"a journal below it", request(0, 1, disk, 61, 0, 4096), trace.ReqWrite, ""},
		{"beside it", request(0, 1, disk, 50, 1, 4096), trace.ReqWrite, "postgres"},
	} {
		a := scene(t)
		if c.what == "below the loop device" || c.what == "beside it" || c.what == "a journal below it" {
			must(t, a.Request(&trace.Request{Device: loop, Op: trace.ReqFlush, PID: 61}))
			a.Take(second)
		}
		c.q.Op = c.op
		c.q.Issued, c.q.Completed = c.q.Issued+second, c.q.Completed+second
		must(t, a.Request(c.q))
		if c.want == "" || a.closed == 0 {
			a.Take(second)
		}
		i := a.Take(2 * second)
		got := ""
		for _, p := range append(i.Processes, a.Take(3*second).Processes...) {
			got += p.Command
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// What the recorder moves is the devices', and no process's.
func TestOwnRequests(t *testing.T) {
	a := scene(t)
	q := request(0, 1, disk, 0, 0, 4096)
	q.Flags = trace.ReqRecorder | trace.ReqForeign
	must(t, a.Request(q))
	if i := a.Take(second); len(i.Processes) > 0 || i.Devices[0].Write.Bytes != 4096 || i.Own.Device.Write != 4096 {
		t.Errorf("%+v", i)
	}
}

// Pipes, and calls that failed, move nothing.
func TestNoData(t *testing.T) {
	a := scene(t)
	must(t, a.Syscall(write(0, 1, 50, 4, 4096)))
	must(t, a.Syscall(write(0, 1, 50, 1, -5)))
	must(t, a.Syscall(write(0, 1, 50, 0, 4096)))
	if i := a.Take(second); len(i.Processes)+len(i.Files) > 0 {
		t.Errorf("%+v %+v", i.Processes, i.Files)
	}
}

// Threads of the kernel are called as they are called when they work; the system says so.
func TestNamesAreAskedFor(t *testing.T) {
	a := newActivity(activityOptions{Every: second, Process: func(pid uint32) (trace.Process, bool) {
		return trace.Process{PID: pid, Parent: 2, Command: fmt.Sprintf("worker-%d", pid)}, pid != 99
	}})
	must(t, a.Process(&trace.Process{Action: trace.ProcessFork, PID: 70, TID: 70, Parent: 2, Command: "kthreadd"}))
	for _, pid := range []uint32{70, 71, 99} {
		must(t, a.Request(request(0, 1, disk, pid, 0, 4096)))
	}
	got := map[string]bool{}
	for _, p := range a.Take(second).Processes {
		got[p.Command] = true
	}
	if len(got) != 3 || !got["worker-70"] || !got["worker-71"] || !got[""] {
		t.Errorf("%v", got)
	}
}

// The longest requests of an interval are kept, with whom and what they were for.
func TestLongestRequests(t *testing.T) {
	a := scene(t)
	for n := range int64(10 * maxSlow) {
		must(t, a.Request(request(0, 1+n*7919%(10*maxSlow), disk, 50, 1, 4096)))
	}
	list := a.Take(second).Requests
	if len(list) != maxSlow {
		t.Fatalf("%d are kept", len(list))
	}
	for n, q := range list {
		if q.LatencyNS != int64(10*maxSlow-n) || q.Process != 50 || len(q.Paths) != 1 || q.Paths[0] != "/data" {
			t.Fatalf("number %d is %+v", n, q)
		}
	}
}
