//go:build linux

package ebpf

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// The journal that a program waits for is written for it, from the first time on that its thread woke the program.
func TestTheJournalIsNotOthers(t *testing.T) {
	needBPF(t)
	d := newDisk(t, imageSize)
	d.format("ext4")
	dir := d.mount("ext4", "")
	rec := recordCommand(t, Options{}, nil, workload.Args("write", dir, "0", "1048576", "16384", "fsync")...)
	unmount(t, dir)
	journal, own := map[uint32]bool{}, 0
	for _, p := range rec.Processes {
		if p.Action == trace.ProcessHelper && strings.HasPrefix(p.Command, "jbd2/"+d.name) {
			journal[p.TID] = true
		}
	}
	for _, q := range rec.requests(d.id) {
		switch {
		case !journal[q.TID]:
		case q.Flags&trace.ReqForeign == 0:
			own++
		case own > 0:
			t.Errorf("the journal's request is of others: %+v", q)
		}
	}
	if own < 32 {
		t.Errorf("%d requests of the journal for 64 syncs; its threads are %v", own, journal)
	}
}
