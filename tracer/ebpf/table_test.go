//go:build linux

package ebpf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Where all slots are another's, bios and requests are kept as they are without slots (bpf/table.h), and what is known
// of them goes with them.
func TestForeignSlots(t *testing.T) {
	needBPF(t)
	if legacyProbes {
		t.Skip("the probes for old kernels have no slots for bios and requests")
	}
	const writes = 2000
	d := newDisk(t, 64<<20)
	c := d.watch()
	s := begin(t, Options{}, tracer.Scope{Names: []string{"dd"}})
	s.occupy(t, "bio_slots")
	s.occupy(t, "request_slots")
	for i := range 4 { // the last ones after the slots have been freed
		if i == 3 {
			s.release(t, "bio_slots")
			s.release(t, "request_slots")
		}
		run(t, "dd", "if=/dev/zero", "of="+d.path(), "bs=4k", fmt.Sprint("count=", writes/4), "oflag=direct", "status=none")
	}
	c.stop()
	for _, table := range []string{"bio_crowded", "request_crowded"} {
		var slots []byte
		if err := s.collection.Variables[table].Get(&slots); err != nil {
			t.Fatal(err)
		}
		if bytes.Count(slots, []byte{1}) == 0 {
			t.Errorf("%s: no entry went elsewhere: the test proves nothing", table)
		}
	}
	if left := s.biosOf(d); uint64(left) > c.unseen {
		t.Errorf("%d bios are still known after their requests, of which %d completed unseen", left, c.unseen)
	}
	rec := s.endBeside(d.id)
	c.compare(rec)
	for _, q := range rec.requests(d.id) {
		if q.Op == trace.ReqWrite && rec.path(q.File) != d.path() {
			t.Fatalf("a write of dd is attributed to %q", rec.path(q.File))
		}
	}
}

// A request for which there is no room anywhere is lost, and counted once.
func TestNoRoom(t *testing.T) {
	needBPF(t)
	d := newDisk(t, 64<<20)
	s := begin(t, Options{}, tracer.Scope{Names: []string{"dd"}})
	if !legacyProbes {
		s.occupy(t, "request_slots")
	}
	others := s.collection.Maps["requests"]
	for address := range uint64(others.MaxEntries()) {
		// Requests in flight have places until they complete.
		await(t, "the place of a request", func() bool { return others.Put(address, iotraceRqInfo{Taken: 1}) == nil })
	}
	ddTo(t, d)
	d.idle()
	rec := s.finish()
	if n := len(rec.requests(d.id)); n > 0 {
		t.Errorf("%d requests recorded: the test proves nothing", n)
	}
	if lost := rec.stats.Lost[trace.KindRequest]; lost < diskWrites || lost >= 2*diskWrites {
		t.Errorf("%d requests lost on all devices, %d on one", lost, diskWrites)
	}
}

// biosOf is how many bios of a device are known.
func (s *session) biosOf(d *disk) (n int) {
	s.t.Helper()
	bios, err := kept[iotraceBioInfo](s.collection.Maps["bio_slots"], s.collection.Maps["bios"])
	if err != nil {
		s.t.Fatal(err)
	}
	for _, b := range bios {
		if trace.DeviceID(b.Dev) == d.id {
			n++
		}
	}
	return n
}

// foreign is the owner of slots that a test keeps from the probes.
const foreign = 2

// occupy takes all slots of a table that are free, release gives them back.
func (s *session) occupy(t *testing.T, table string)  { s.replaceOwners(t, table, 0, foreign) }
func (s *session) release(t *testing.T, table string) { s.replaceOwners(t, table, foreign, 0) }

func (s *session) replaceOwners(t *testing.T, table string, before, after uint64) {
	t.Helper()
	slots := s.collection.Maps[table]
	value := make([]byte, slots.ValueSize())
	for i := range slots.MaxEntries() {
		if err := slots.Lookup(i, &value); err != nil {
			t.Fatal(err)
		}
		if binary.NativeEndian.Uint64(value) != before {
			continue
		}
		binary.NativeEndian.PutUint64(value, after)
		if err := slots.Put(i, value); err != nil {
			t.Fatal(err)
		}
	}
}
