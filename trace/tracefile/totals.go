package tracefile

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// totals is what a Reader keeps of the events it has read to tell whether the
// next ones can be true.
type totals struct {
	latest  int64  // ns: no event ends later; MaxTime if the end of the recording is not known
	time    uint64 // of all events, in units of timeUnit
	bytes   uint64 // moved by all events
	rows    uint64 // events and items of lists
	kept    uint64 // bytes of what readers keep: identities and their texts
	files   bitmap
	devices map[trace.DeviceID]bool

	counts   [trace.KindLost + 1]uint64 // events of the trace
	batch    [trace.KindLost + 1]uint64 // events of the batch
	from, to int64                      // ends of the events of the batch; to < from without any
	seen     []frame                    // event frames of the batch

	undescribed      uint64 // references to files and devices that the trace does not describe
	firstUndescribed int64  // offset of the first frame with one
	whole            bool   // events of all kinds are read
	seeked           bool   // what was before the place that reading began at is not known
	identitiesLost   bool   // identities were lost, or may have been
	last             int64  // ns: the latest end
}

// timeUnit keeps sums of times from overflowing within a frame.
const timeUnit = 1 << 16

// What a trace may hold, for its size. Noise does not compress, so recordings
// stay far below; a file that does not would take readers hours and gigabytes.
const (
	freeRows   = 1 << 20 // events that any trace may have
	rowsByte   = 1       // further ones, per byte: a storm of one call takes 1.2 bytes each
	freeKept   = 32 << 20
	keptByte   = 8
	identities = 64 // bytes that a process, file or device counts for, besides its texts
)

func newTotals() *totals {
	return &totals{latest: trace.MaxTime, devices: map[trace.DeviceID]bool{}, whole: true, from: 1, to: 0}
}

// begin forgets the batch before.
func (l *totals) begin() {
	if l == nil {
		return
	}
	l.batch = [trace.KindLost + 1]uint64{}
	l.from, l.to = 1, 0
	l.seen = l.seen[:0]
}

// sought forgets what was before the place that reading goes on at.
func (l *totals) sought() *totals {
	n := newTotals()
	n.latest, n.whole, n.seeked = l.latest, l.whole, true
	return n
}

// admit counts a frame that is read, or skipped, up to an offset. An error says why its events are left out.
func (l *totals) admit(f frame, offset int64) error {
	if l == nil {
		return nil
	}
	for _, s := range l.seen {
		if s.kind == f.kind && s.sum == f.sum && s.stored == f.stored && s.count == f.count {
			return errRepeated
		}
	}
	if len(l.seen) < maxSeen {
		l.seen = append(l.seen, f)
	}
	l.batch[f.kind] += uint64(f.count)
	l.counts[f.kind] += uint64(f.count)
	return l.afford(uint64(f.count), 0, offset)
}

// maxSeen is how many frames of a batch are compared: recorders write one of each kind.
const maxSeen = 64

var errRepeated = errors.New("it repeats a frame of its batch")

// lengthFor is how many bytes a trace has at least that holds so many rows and
// bytes of names.
func lengthFor(rows, kept uint64) uint64 {
	return (rows-min(rows, freeRows)+rowsByte-1)/rowsByte + (kept-min(kept, freeKept)+keptByte-1)/keptByte
}

// afford counts rows and bytes that are kept, if a trace of so many bytes can
// have them.
func (l *totals) afford(rows, kept uint64, offset int64) error {
	if lengthFor(l.rows+rows, l.kept+kept) > uint64(offset) {
		return fmt.Errorf("%d events with %d bytes of names are too many for the first %d bytes of a trace "+
			"(see \"Limits\" in docs/trace-format.md)",
			l.rows+rows, l.kept+kept, offset)
	}
	l.rows += rows
	l.kept += kept
	return nil
}

// amount is what events add up to.
type amount struct {
	time, bytes uint64
}

// spend adds an amount to what there is, if they stay within what can be added up.
func (l *totals) spend(a amount) error {
	if l.time+a.time > trace.MaxTotal/timeUnit {
		return fmt.Errorf("all events together would last longer than %d ns", int64(trace.MaxTotal))
	}
	if l.bytes+a.bytes > trace.MaxTotal {
		return fmt.Errorf("all events together would move more than %d bytes", int64(trace.MaxTotal))
	}
	l.time += a.time
	l.bytes += a.bytes
	return nil
}

// span widens the time of the batch.
func (l *totals) span(end int64) {
	if l.to < l.from {
		l.from, l.to = end, end
		return
	}
	l.from, l.to = min(l.from, end), max(l.to, end)
}

// balance compares the events of the batch with what its end says of them.
func (l *totals) balance(s *Span) error {
	if l == nil || *s == (Span{Offset: s.Offset, Batch: s.Batch}) {
		return nil // it says nothing
	}
	for k := trace.KindSyscall; k <= trace.KindLost; k++ {
		if s.Counts[k] != l.batch[k] {
			return fmt.Errorf("%d events of kind %s instead of %d", l.batch[k], k, s.Counts[k])
		}
	}
	if l.whole && l.from <= l.to && (s.From != l.from || s.To != l.to) {
		return fmt.Errorf("events that ended from %d to %d ns, instead of %d to %d", l.from, l.to, s.From, s.To)
	}
	return nil
}

// windowSlack is how long after the end of a recording an event may end, in ns:
// clocks of processors differ, and what was lost is told by slices of time.
const windowSlack = 1e9

// refer checks that a file was described.
func (l *totals) refer(id trace.FileID) {
	if id != 0 && !l.files.has(uint32(id)) {
		l.undescribed++
	}
}

// bitmap is a set of numbers that are given in sequence.
type bitmap struct{ words []uint64 }

// maxBitmap bounds the memory of a bitmap: higher numbers are in every set.
const maxBitmap = 1 << 26

func (b *bitmap) has(n uint32) bool {
	if w := int(n / 64); w < len(b.words) {
		return b.words[w]>>(n%64)&1 == 1
	}
	return n >= maxBitmap
}

func (b *bitmap) add(n uint32) {
	w := int(n / 64)
	if n >= maxBitmap {
		return
	}
	if w >= len(b.words) {
		b.words = append(b.words, make([]uint64, max(w+1-len(b.words), len(b.words)))...)
	}
	b.words[w] |= 1 << (n % 64)
}

// beyond says that an event ended after the recording, "" if it did not.
func (l *totals) beyond(end int64) string {
	if end <= l.latest {
		return ""
	}
	return fmt.Sprintf("it ended at %d ns, after the recording", end)
}

// timed counts an event with a time of its own.
func (l *totals) timed(a *amount, end, ns int64) string {
	if end > l.latest {
		return l.beyond(end)
	}
	l.span(end)
	l.last = max(l.last, end)
	a.time += uint64(ns) / timeUnit
	return ""
}
