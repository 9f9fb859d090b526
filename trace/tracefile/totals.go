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

	counts   [trace.NumKinds]uint64 // events of the trace
	batch    [trace.NumKinds]uint64 // events of the batch
	from, to int64                  // ends of the events of the batch; to < from without any
	seen     []frame                // event frames of the batch

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
func (t *totals) begin() {
	if t == nil {
		return
	}
	t.batch = [trace.NumKinds]uint64{}
	t.from, t.to = 1, 0
	t.seen = t.seen[:0]
}

// sought forgets what was before the place that reading goes on at.
func (t *totals) sought() *totals {
	n := newTotals()
	n.latest, n.whole, n.seeked = t.latest, t.whole, true
	return n
}

// admit counts a frame that is read, or skipped, up to an offset. An error says why its events are left out.
func (t *totals) admit(f frame, offset int64) error {
	if t == nil {
		return nil
	}
	for _, s := range t.seen {
		if s.kind == f.kind && s.sum == f.sum && s.stored == f.stored && s.count == f.count {
			return errRepeated
		}
	}
	if len(t.seen) < maxSeen {
		t.seen = append(t.seen, f)
	}
	t.batch[f.kind] += uint64(f.count)
	t.counts[f.kind] += uint64(f.count)
	return t.afford(uint64(f.count), 0, offset)
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
func (t *totals) afford(rows, kept uint64, offset int64) error {
	if lengthFor(t.rows+rows, t.kept+kept) > uint64(offset) {
		return fmt.Errorf("%d events with %d bytes of names are too many for the first %d bytes of a trace "+
			"(see \"Limits\" in docs/trace-format.md)",
			t.rows+rows, t.kept+kept, offset)
	}
	t.rows += rows
	t.kept += kept
	return nil
}

// amount is what events add up to.
type amount struct {
	time, bytes uint64
}

// spend adds an amount to what there is, if they stay within what can be added up.
func (t *totals) spend(a amount) error {
	if t.time+a.time > trace.MaxTotal/timeUnit {
		return fmt.Errorf("all events together would last longer than %d ns", int64(trace.MaxTotal))
	}
	if t.bytes+a.bytes > trace.MaxTotal {
		return fmt.Errorf("all events together would move more than %d bytes", int64(trace.MaxTotal))
	}
	t.time += a.time
	t.bytes += a.bytes
	return nil
}

// span widens the time of the batch.
func (t *totals) span(end int64) {
	if t.to < t.from {
		t.from, t.to = end, end
		return
	}
	t.from, t.to = min(t.from, end), max(t.to, end)
}

// balance compares the events of the batch with what its end says of them.
func (t *totals) balance(s *Span) error {
	if t == nil || *s == (Span{Offset: s.Offset, Batch: s.Batch}) {
		return nil // it says nothing
	}
	for k := trace.KindSyscall; k < trace.NumKinds; k++ {
		if s.Counts[k] != t.batch[k] {
			return fmt.Errorf("%d events of kind %s instead of %d", t.batch[k], k, s.Counts[k])
		}
	}
	if t.whole && t.from <= t.to && (s.From != t.from || s.To != t.to) {
		return fmt.Errorf("events that ended from %d to %d ns, instead of %d to %d", t.from, t.to, s.From, s.To)
	}
	return nil
}

// windowSlack is how long after the end of a recording an event may end, in ns:
// clocks of processors differ, and what was lost is told by slices of time.
const windowSlack = 1e9

// refer checks that a file was described.
func (t *totals) refer(id trace.FileID) {
	if id != 0 && !t.files.has(uint32(id)) {
		t.undescribed++
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
func (t *totals) beyond(end int64) string {
	if end <= t.latest {
		return ""
	}
	return fmt.Sprintf("it ended at %d ns, after the recording", end)
}

// timed counts an event with a time of its own.
func (t *totals) timed(a *amount, end, ns int64) string {
	if end > t.latest {
		return t.beyond(end)
	}
	t.span(end)
	t.last = max(t.last, end)
	a.time += uint64(ns) / timeUnit
	return ""
}

// contradiction is something that a trace says of itself and that is not so; at is where it was seen.
type contradiction struct {
	at   int64
	text string
}

// contradicted lists what an end says otherwise than the events, up to an offset; end is nil if the trace has none.
func (t *totals) contradicted(end *trace.End, offset int64) (list []contradiction) {
	if t.seeked {
		return nil
	}
	say := func(at int64, format string, args ...any) {
		list = append(list, contradiction{at, fmt.Sprintf(format, args...)})
	}
	if end != nil {
		for k := trace.KindSyscall; k < trace.NumKinds && len(end.Counts) > 0; k++ {
			if said := end.Counts[k.String()]; said != t.counts[k] {
				say(offset, "the trace has %d events of kind %s; its end says %d", t.counts[k], k, said)
			}
		}
		if t.last > end.Duration+windowSlack {
			say(offset, "the last event ended after %d ns, the recording after %d ns", t.last, end.Duration)
		}
	}
	if t.whole && !t.identitiesLost && t.undescribed > 0 {
		say(t.firstUndescribed, "events refer to %d files or devices that the trace does not describe", t.undescribed)
	}
	return list
}
