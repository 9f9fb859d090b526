package block

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// Blktrace reads the files that blktrace writes, one of each CPU, side by side. It makes of them what Blkparse makes of
// what blkparse prints.
var Blktrace = convert.Importer{
	From:  "blktrace",
	About: "blktrace -d DEVICE -o X; then import X.blktrace.*, the files of all CPUs",
	Header: trace.Header{Backend: "import:blktrace", OS: "linux", Scope: "import",
		Limits: Limits("blktrace")},
	Import: func(in io.Reader, sink trace.Sink) (convert.Counts, error) {
		return importBinary([]convert.Input{{Reader: in}}, sink)
	},
	Merge: importBinary,
}

var importBinary = convert.Checked(func(inputs []convert.Input, sink trace.Sink) (convert.Counts, error) {
	b := &binaryReader{merged: merge(inputs), sink: sink, requests: NewAssembler(sink),
		names: map[uint32]string{}, gaps: newGaps()}
	err := b.read()
	c := b.merged.count
	switch {
	case errors.Is(err, errVersion) && b.events == 0:
		return c, fmt.Errorf("importing from blktrace: %w: %w", convert.ErrFormat, err)
	case err != nil:
		return c, fmt.Errorf("reading the input: %w", err)
	case c.Lines > 0 && b.events == 0:
		return c, fmt.Errorf("importing from blktrace: %w: none of its bytes begin a record with blktrace's mark; is it a "+
			"file X.blktrace.N?", convert.ErrFormat)
	}
	c.Notes = append(c.Notes, b.requests.Notes()...)
	if b.gaps.missing > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("events missing between others, and requests with them: %d", b.gaps.missing))
	}
	if b.late > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d events came later than the files allow to put them in order, and have the "+
			"time of the one before", b.late))
	}
	c.Notes = append(c.Notes, "the files do not say how many events the kernel dropped: blktrace itself prints that")
	return c, nil
})

type binaryReader struct {
	merged   *merged
	sink     trace.Sink
	requests *Assembler
	names    map[uint32]string // of processes
	gaps     gaps
	events   uint64
	late     uint64
	begun    bool
	zero     uint64
	last     int64
	event    Event
}

func (b *binaryReader) read() error {
	for {
		r, err := b.merged.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil {
			return nil
		}
		if err := b.record(r); err != nil {
			return err
		}
	}
}

func (b *binaryReader) record(r *record) error {
	b.events++
	notify, what := r.Action&catNotify != 0, r.Action&0xffff
	if notify && what != noteMessage {
		b.merged.count.Skipped++
		if what == noteProcess && len(b.names) < convert.MaxSeen {
			name, _, _ := bytes.Cut(r.payload, []byte{0})
			b.names[r.PID] = string(name)
		}
		return nil
	}
	if !b.begun {
		b.begun, b.zero = true, r.Time
	}
	at := int64(r.Time - b.zero)
	if at < b.last {
		b.late++
	}
	before := b.last
	b.last = max(at, b.last)
	if notify {
		b.merged.count.Skipped++
		return nil
	}
	if err := b.gap(r, before); err != nil {
		return err
	}
	e := &b.event
	*e = Event{Time: b.last, Device: r.device(), Sector: r.Sector, Sectors: uint64(r.Bytes) / 512, PID: r.PID,
		Command: b.names[r.PID]}
	switch what {
	case actQueue:
		e.Action = Queue
	case actIssue:
		e.Action = Issue
	case actRequeue:
		e.Action = Requeue
	case actComplete:
		e.Action, e.Error = Complete, errno(r.Error)
	}
	if e.Action == 0 || r.Action&catCommand != 0 && len(r.payload) > 0 { // a command of its own, which moves no sectors
		b.merged.count.Skipped++
		return nil
	}
	if r.Action&catCommand != 0 {
		e.Sector, e.Sectors = 0, 0
	}
	var letters [8]byte
	ok := false
	e.Op, e.Flags, ok = ParseRWBS(string(r.letters(letters[:0])), int64(e.Sectors)*512)
	if !ok {
		b.merged.count.AddDamaged()
		return nil
	}
	return b.requests.Add(e)
}

// errno is the error of a completion, which the kernel stores as a number below zero in 16 bits.
func errno(n uint16) int32 {
	switch {
	case n > 1<<15:
		return 1<<16 - int32(n)
	case n < 4096:
		return int32(n)
	}
	return 0
}

// actRemap is the record of a partition's request that becomes the disk's. In what blkparse -d writes it has the number
// of the partition, and yet was counted with the disk's.
const actRemap = 15

// keptRemaps bounds the numbers of such records that are remembered for each CPU, and maxCPUs those.
const (
	keptRemaps = 1024
	maxCPUs    = 1024
)

// gaps follows the numbers of records. Those of a device on a CPU follow each other.
type gaps struct {
	last    map[uint64]uint32   // of a device and CPU
	remaps  map[uint32][]uint32 // of a CPU: the numbers of records that were counted with another device
	missing uint64
}

func newGaps() gaps { return gaps{last: map[uint64]uint32{}, remaps: map[uint32][]uint32{}} }

// before is how many records are missing before this one.
func (g *gaps) before(r *record) uint64 {
	key := uint64(r.Device)<<32 | uint64(r.CPU)
	last, known := g.last[key]
	if r.Action&0xffff == actRemap && (!known || r.Sequence != last+1) {
		g.remapped(r)
		return 0
	}
	if known && r.Sequence <= last {
		return 0
	}
	if known || len(g.last) < convert.MaxSeen {
		g.last[key] = r.Sequence
	}
	if !known || r.Sequence == last+1 {
		return 0
	}
	n := uint64(r.Sequence - last - 1)
	for _, there := range g.remaps[r.CPU] {
		if there > last && there < r.Sequence {
			n--
		}
	}
	g.missing += n
	return n
}

func (g *gaps) remapped(r *record) {
	list, known := g.remaps[r.CPU]
	if slices.Contains(list, r.Sequence) || !known && len(g.remaps) == maxCPUs {
		return
	}
	if list = append(list, r.Sequence); len(list) > keptRemaps {
		list = slices.Delete(list, 0, 1)
	}
	g.remaps[r.CPU] = list
}

// gap notes events that are missing before this one.
func (b *binaryReader) gap(r *record, since int64) error {
	n := b.gaps.before(r)
	if n == 0 {
		return nil
	}
	return b.sink.Lost(&trace.Lost{From: since, To: b.last, Count: n, Kind: trace.KindRequest,
		CPU: int32(min(r.CPU, 1<<20))})
}
