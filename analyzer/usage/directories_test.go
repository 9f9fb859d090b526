package usage

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// TestListingsLeftBehind: processes that end in the middle of a directory take no memory for ever, and the listings of
// others are counted all the same, also where several are under way.
func TestListingsLeftBehind(t *testing.T) {
	dir := &world.File{Number: 1, Kind: trace.FileDirectory, FSType: "ext4", Listed: true}
	l := newListings(nil)
	reads := func(pid uint32, fd int32, result int64) {
		l.call(&world.Call{Syscall: &trace.Syscall{Op: trace.OpReaddir, PID: pid, FD: fd, Result: result}, File: dir})
	}
	for pid := range uint32(3 * maxUnder) {
		reads(pid, 3, 4096)
	}
	if len(l.under) > maxUnder {
		t.Errorf("%d listings are under way", len(l.under))
	}
	for range 5 {
		for fd := range int32(4) {
			reads(1<<20, fd, 4096)
		}
		for fd := range int32(4) {
			reads(1<<20, fd, 32)
			reads(1<<20, fd, 0)
			reads(1<<20, fd, 0) // once more, as some programs do
		}
	}
	if d := l.of[1]; d.Listings != 20 || d.Unchanged != 19 || d.LastBytes != 4128 {
		t.Errorf("%+v", *d)
	}
}

// TestListingsGivenUp: a listing that is closed before its end counts if it took several calls. One call may be to see
// whether there is anything.
func TestListingsGivenUp(t *testing.T) {
	dir := &world.File{Number: 1, Kind: trace.FileDirectory, FSType: "xfs", Listed: true}
	l := newListings(nil)
	call := func(op trace.Op, result int64) {
		l.call(&world.Call{Syscall: &trace.Syscall{Op: op, PID: 1, FD: 3, Result: result}, File: dir})
	}
	for range 3 {
		call(trace.OpReaddir, 32768)
		call(trace.OpReaddir, 16384)
		call(trace.OpClose, 0)
	}
	for range 2 {
		call(trace.OpReaddir, 32768)
		call(trace.OpClose, 0)
	}
	if d := l.of[1]; d.Listings != 3 || d.Unchanged != 2 || d.LastBytes != 49152 || len(l.under) != 0 {
		t.Errorf("%+v, %d under way", *d, len(l.under))
	}
}
