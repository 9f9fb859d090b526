package tracer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Of the processes outside of a recording that used its drives those are named that moved most, and no others.
func TestUsers(t *testing.T) {
	u := newUsers(discard{})
	u.name = func(pid uint32) (string, bool) {
		if pid == 3 {
			return "", false // it has ended
		}
		return fmt.Sprint("p", pid), false
	}
	for _, e := range []trace.Request{
		{PID: 1, Bytes: 4096, Flags: trace.ReqForeign}, {PID: 2, Bytes: 8192, Flags: trace.ReqForeign},
		{PID: 3, Bytes: 1 << 20, Flags: trace.ReqForeign}, {PID: 4, Bytes: 1 << 20},
		{PID: 5, Bytes: 1 << 20, Flags: trace.ReqForeign | trace.ReqRecorder}, {PID: 1, Bytes: 8192, Flags: trace.ReqForeign},
	} {
		if err := u.Request(&e); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(u.most()); got != "[{1 p1 12288 false} {2 p2 8192 false}]" {
		t.Error(got)
	}
	for pid := range uint32(100) {
		_ = u.Request(&trace.Request{PID: 100 + pid, Bytes: 1, Flags: trace.ReqForeign})
	}
	if n := len(u.most()); n != trace.MaxUsers {
		t.Errorf("%d are named", n)
	}
}

// TestUsersOfTheKernel: a thread of the kernel is marked as one, whatever programs are called. A worker that serves
// everybody is left out, and where there is a loop device, so is its thread.
func TestUsersOfTheKernel(t *testing.T) {
	for _, loop := range []bool{false, true} {
		u := newUsers(discard{})
		names := map[uint32]string{1: "kworker/u8:2-btrfs-endio-write", 2: "loop3", 3: "sh", 4: "md0_resync", 5: "kworker/1"}
		u.name = func(pid uint32) (string, bool) { return names[pid], pid != 3 && pid != 5 }
		if loop {
			_ = u.Device(&trace.Device{Name: "loop3", Backing: "/image"})
		}
		for pid := range uint32(5) {
			_ = u.Request(&trace.Request{PID: 1 + pid, Bytes: 10, Flags: trace.ReqForeign})
		}
		names[3] = "dd" // it has executed another program
		_ = u.Request(&trace.Request{PID: 3, Issued: 2 * askAgain, Bytes: 10, Flags: trace.ReqForeign})
		names[3] = "" // and has ended
		_ = u.Request(&trace.Request{PID: 3, Issued: 4 * askAgain, Bytes: 10, Flags: trace.ReqForeign})
		want := "[{3 dd 30 false} {2 loop3 10 true} {4 md0_resync 10 true} {5 kworker/1 10 false}]"
		if loop {
			want = "[{3 dd 30 false} {4 md0_resync 10 true} {5 kworker/1 10 false}]"
		}
		if got := fmt.Sprint(u.most()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// discard takes requests and devices.
type discard struct{ trace.Sink }

func (discard) Request(*trace.Request) error { return nil }
func (discard) Device(*trace.Device) error   { return nil }
