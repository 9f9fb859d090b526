package tracer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Of the processes outside of a recording that used its drives those are named that moved most, and no others.
func TestUsers(t *testing.T) {
	u := newUsers(discard{})
	u.name = func(pid uint32) string {
		if pid == 3 {
			return "" // it has ended
		}
		return fmt.Sprint("p", pid)
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
	if got := fmt.Sprint(u.most()); got != "[{1 p1 12288} {2 p2 8192}]" {
		t.Error(got)
	}
	for pid := range uint32(100) {
		_ = u.Request(&trace.Request{PID: 100 + pid, Bytes: 1, Flags: trace.ReqForeign})
	}
	if n := len(u.most()); n != trace.MaxUsers {
		t.Errorf("%d are named", n)
	}
}

// TestUsersOfLoopDevices: a worker of the kernel works for those who use the loop device, where there is one.
func TestUsersOfLoopDevices(t *testing.T) {
	for _, loop := range []bool{false, true} {
		u := newUsers(discard{})
		names := map[uint32]string{1: "kworker/u8:2-btrfs-endio-write", 2: "loop3", 3: "sh"}
		u.name = func(pid uint32) string { return names[pid] }
		if loop {
			_ = u.Device(&trace.Device{Name: "loop3", Backing: "/image"})
		}
		for pid := range uint32(3) {
			_ = u.Request(&trace.Request{PID: 1 + pid, Bytes: 10, Flags: trace.ReqForeign})
		}
		names[3] = "dd" // it has executed another program
		_ = u.Request(&trace.Request{PID: 3, Issued: 2 * askAgain, Bytes: 10, Flags: trace.ReqForeign})
		names[3] = "" // and has ended
		_ = u.Request(&trace.Request{PID: 3, Issued: 4 * askAgain, Bytes: 10, Flags: trace.ReqForeign})
		want := "[{3 dd 30} {1 kworker/u8:2-btrfs-endio-write 10} {2 loop3 10}]"
		if loop {
			want = "[{3 dd 30}]"
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
