//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// On a device of its own, the requests of a recording are those that the kernel
// counted, in each direction, and the data they carried is of the file that
// they are said to be of.
func TestRequestsEqualDiskstats(t *testing.T) {
	needBPF(t)
	for _, fstype := range []string{"ext4", "xfs", "btrfs"} {
		for _, method := range workload.WriteMethods {
			t.Run(fstype+" "+method, func(t *testing.T) {
				d := newDisk(t, imageSize)
				d.format(fstype)
				size, block := int64(32<<20), 64<<10
				switch method {
				case "fsync", "dsync":
					size, block = 1<<20, 16<<10
				case "shuffled", "holes":
					size, block = 3<<20, 4<<10
				}
				c := d.watch()
				s := begin(t, Options{}, tracer.Scope{All: true})
				dir := d.mount(fstype, "")
				for id := range 3 {
					run(t, workload.Args("write", dir, fmt.Sprint(id), fmt.Sprint(size), fmt.Sprint(block), method)...)
				}
				unmount(t, dir)
				c.stop()
				rec := s.endBeside(d.id)
				c.compare(rec)
				checkPlaces(t, d, rec, trace.ReqWrite)
			})
		}
	}
}

// counted is what the kernel's counters of a device went up by. It counts a flush
// without data twice: as the flush that goes to the device, and as the write of
// no bytes that waits for it and never gets there. The latter are counted by
// themselves, since no recording contains them.
type counted struct {
	t             testing.TB
	d             *disk
	before, after diskstats
	empty, done   *ftrace
	waiting       uint64
	unseen        uint64 // completions at the device that no probe can have seen
}

func (d *disk) watch() *counted {
	d.t.Helper()
	c := &counted{t: d.t, d: d}
	c.empty = startFtrace(d.t, fmt.Sprintf("dev == %d && nr_sector == 0", d.id), "block/block_bio_queue")
	c.done = startFtrace(d.t, "nr_sector >= 0", "block/block_rq_complete")
	c.before = d.idle()
	return c
}

func (c *counted) stop() {
	c.t.Helper()
	c.after = c.d.idle()
	c.waiting = uint64(len(c.empty.lines()))
	ended, logged := uint64(0), uint64(0)
	for op, n := range c.after.Requests {
		ended += n - c.before.Requests[op]
	}
	for _, line := range c.done.lines() {
		if !strings.Contains(line, fmt.Sprintf(": block_rq_complete: %d,%d ", c.d.id.Major(), c.d.id.Minor())) {
			continue
		}
		if logged++; c.done.ofInit(line) {
			c.unseen++
		}
	}
	c.t.Logf("%d requests ended, %d by the kernel's log", ended, logged)
	if logged < ended {
		c.unseen += ended - logged
	}
}

// compare compares the counters with the requests of a recording, of which some
// may not have been seen (see hidden).
func (c *counted) compare(rec *recording) {
	c.t.Helper()
	requests, sectors := map[trace.ReqOp]uint64{}, map[trace.ReqOp]uint64{}
	for _, q := range rec.requests(c.d.id) {
		op := q.Op
		if op == trace.ReqWriteZeroes {
			op = trace.ReqWrite // as the kernel counts it: op_stat_group, linux/blk_types.h
		}
		requests[op]++
		sectors[op] += uint64(q.Bytes) / 512
	}
	unseen := uint64(0)
	for _, op := range []trace.ReqOp{trace.ReqRead, trace.ReqWrite, trace.ReqDiscard, trace.ReqFlush} {
		n, bytes := c.after.Requests[op]-c.before.Requests[op], c.after.Sectors[op]-c.before.Sectors[op]
		if op == trace.ReqWrite {
			n -= c.waiting
		}
		c.t.Logf("%s: %d requests, %d sectors", op, n, bytes)
		if unseen += n - requests[op]; requests[op] <= n && unseen <= c.unseen && (sectors[op] == bytes || unseen > 0) {
			continue
		}
		c.t.Errorf("%s: recorded %d requests and %d sectors, the kernel counted %d and %d", op, requests[op],
			sectors[op], n, bytes)
	}
	if unseen > 0 {
		c.t.Logf("%d requests were not recorded, out of %d that no probe can have seen", unseen, c.unseen)
	}
}

// checkPlaces compares what requests are said to carry with what is on the
// device: each sector of a pattern file says which file and offset it is of.
func checkPlaces(t *testing.T, d *disk, rec *recording, op trace.ReqOp) {
	t.Helper()
	image, err := os.Open(d.image)
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	right, all := 0, 0
	for _, q := range rec.requests(d.id) {
		if q.Op != op {
			continue
		}
		at := int64(q.Sector) * 512
		for _, e := range extents(&q) {
			b := make([]byte, e.Bytes)
			if _, err := image.ReadAt(b, at); err != nil {
				t.Fatalf("reading the image at %d: %v", at, err)
			}
			for i := 0; i+512 <= len(b); i += 512 {
				id, off, ok := workload.ParsePattern(b[i:])
				if !ok {
					continue // metadata, or what lies behind the end of a file
				}
				all++
				if got, ok := workload.PatternID(rec.path(e.File)); ok && got == id && e.Offset+int64(i) == off {
					right++
				} else if all-right <= 5 {
					t.Logf("sector %d holds file %d, offset %d; recorded as %q, offset %d, evidence %s",
						(at+int64(i))/512, id, off, rec.path(e.File), e.Offset+int64(i), q.Evidence)
				}
			}
			at += e.Bytes
		}
	}
	t.Logf("%d of %d sectors of data have the right file and offset", right, all)
	if all == 0 || right*1000 < all*999 {
		t.Errorf("%d of %d sectors of data have the right file and offset, want 99.9 %%", right, all)
	}
}
